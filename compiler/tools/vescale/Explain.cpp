/// `vescale explain`: why a tensor is laid out so, and why a collective is there.
#include "compiler/explain/Explain.h"

#include "compiler/tools/vescale/Command.h"
#include "compiler/tools/vescale/Plan.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace vescale::tools {

namespace {

struct Options : PlanOptions {
  std::string value, parameter;
  std::optional<int64_t> collective;
};

layout::Status explain(Options &options) {
  if (options.value.empty() && options.parameter.empty() && !options.collective)
    return layout::Status::error("what to explain is not said: give --value, --parameter or --collective");
  options.withAlternatives = true;
  layout::StatusOr<PlannedProgram> program = planProgram(options);
  if (!program.ok())
    return program.status();
  layout::StatusOr<std::string> text =
      options.collective           ? explainCollective(*program, *options.collective)
      : !options.parameter.empty() ? explainParameter(*program, options.parameter)
                                   : explainValue(*program, options.value);
  if (!text.ok())
    return text.status();
  fmt::print("{}", *text);
  return layout::Status();
}

} // namespace

void addExplain(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "explain", "Say which decisions gave a tensor its layout, or made a collective");
  addPlanArguments(*command, *options);
  CLI::Option *value = command->add_option("--value", options->value, "A tag or an argument: h.3.mlp.output")
                           ->type_name("NAME");
  CLI::Option *parameter = command->add_option("--parameter", options->parameter, "A parameter: wte.weight")
                               ->type_name("NAME")
                               ->excludes(value);
  command->add_option("--collective", options->collective, "The id that vescale plan lists")
      ->type_name("N")
      ->excludes(value)
      ->excludes(parameter);
  command->footer("Example:\n"
                  "  vescale explain gpt.mlir --plan examples/gpt/plans/data_tensor_2x2.json --value h.0.mlp.output");
  setAction(*command, [options] { return explain(*options); });
}

} // namespace vescale::tools
