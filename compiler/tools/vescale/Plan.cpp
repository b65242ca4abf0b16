/// `vescale plan`: what a plan makes of a model.
#include "compiler/tools/vescale/Plan.h"

#include "compiler/driver/PlanProgram.h"
#include "compiler/report/Quantities.h"
#include "compiler/report/Report.h"
#include "compiler/tools/vescale/Command.h"
#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/train/ShortFormatter.h"

#include <fmt/format.h>

#include <memory>

namespace vescale::tools {

namespace {

struct Options : PlanOptions {
  bool json = false;
  std::string html;
};

std::string fileName(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

layout::Status plan(const Options &options) {
  layout::StatusOr<PlannedProgram> program = planProgram(options);
  if (!program.ok())
    return program.status();
  std::string title = options.plan.empty() ? fileName(options.model)
                                           : fileName(options.model) + " under " + fileName(options.plan);
  if (!options.html.empty()) {
    if (layout::Status written = runtime::writeFileAtomically(options.html, toHtml(program->report, title));
        !written.ok())
      return written;
    if (!options.json)
      fmt::print("{}The page is {}.\n", toSummary(program->report), options.html);
  }
  if (options.json)
    fmt::print("{}", toJson(program->report));
  else if (options.html.empty())
    fmt::print("{}", toText(program->report));
  return layout::Status();
}

} // namespace

void addPlanArguments(CLI::App &command, PlanOptions &options) {
  command.formatter(std::make_shared<runtime::ShortFormatter>());
  command.get_option("--help")->description("Print this and exit");
  command.add_option("model", options.model, "The model, an MLIR file")
      ->required()
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command.add_option("--plan", options.plan, "The plan file; without it, nothing is cut")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command.add_option("--cluster", options.cluster,
                     "JSON: links and rates; without it 10 GB/s, 1.6 us, 20 GFLOP/s")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
}

void addPlan(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("plan", "Show layouts, memory and every redistribution with its price");
  addPlanArguments(*command, *options);
  command->add_option("--memory-budget", options->memoryBudget, "Bytes of a device, with a unit: 512MB, 16GiB")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true))
      ->type_name("SIZE");
  command->add_flag("--json", options->json, "Print JSON instead of tables");
  command->add_option("--html", options->html, "Write one page that needs nothing else")->type_name("FILE");
  command->footer("Example:\n"
                  "  vescale plan gpt.mlir --plan examples/gpt/plans/data_tensor_2x2.json --html plan.html");
  setAction(*command, [options] { return plan(*options); });
}

} // namespace vescale::tools
