#include "compiler/tools/vescale/Compile.h"

#include "compiler/driver/CompileExecutable.h"
#include "compiler/report/Report.h"
#include "compiler/tools/vescale/Command.h"
#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/train/ShortFormatter.h"

#include <fmt/format.h>

#include <memory>

namespace vescale::tools {
namespace {

/// The options of one optimizer, to refuse them for the other.
struct OptimizerOptions {
  std::vector<const CLI::Option *> adamw, sgd, both;
};

/// Why the options that were given do not fit the optimizer; success where they do.
layout::Status checkOptimizer(const OptimizerOptions &options, const std::string &optimizer) {
  bool isAdamw = optimizer == "adamw";
  for (const CLI::Option *option : isAdamw ? options.sgd : options.adamw)
    if (option->count() > 0)
      return layout::Status::error(fmt::format("{} is an option of {}, not of {}", option->get_name(),
                                               isAdamw ? "sgd" : "adamw", optimizer));
  return layout::Status();
}

bool anyGiven(const OptimizerOptions &options) {
  for (const auto *group : {&options.adamw, &options.sgd, &options.both})
    for (const CLI::Option *option : *group)
      if (option->count() > 0)
        return true;
  return false;
}

/// A decay of a moment: [0, 1).
std::string checkDecay(const std::string &text) {
  double value;
  if (!CLI::detail::lexical_cast(text, value) || !(value >= 0 && value < 1))
    return text + " does not lie in [0, 1)";
  return "";
}

/// CLI11 lets negative numbers wrap around.
std::string checkNotNegative(const std::string &text) {
  return text[0] == '-' ? "a size is not negative: " + text : "";
}

/// Adds the options of the training step.
OptimizerOptions addTraining(CLI::App &command, TrainingOptions &training) {
  auto number = [&](const char *name, double &value, const char *help) {
    return command.add_option(name, value, help)->type_name("X")->capture_default_str();
  };
  OptimizerOptions options;
  options.both.push_back(command.add_option("--optimizer", training.optimizer, "adamw or sgd")
                             ->type_name("NAME")
                             ->check(CLI::IsMember({"adamw", "sgd"}))
                             ->capture_default_str());
  options.adamw = {
      number("--beta1", training.beta1, "Decay of the first moment (adamw)")->check(checkDecay),
      number("--beta2", training.beta2, "Decay of the second moment (adamw)")->check(checkDecay),
      number("--epsilon", training.epsilon, "Added to the root of the second moment (adamw)")
          ->check(CLI::PositiveNumber)};
  options.sgd = {number("--momentum", training.momentum, "Momentum factor (sgd); 0 keeps no state")
                     ->check(checkDecay)};
  options.both.push_back(number("--weight-decay", training.weightDecay, "Decay of weights that decay")
                             ->check(CLI::NonNegativeNumber));
  options.both.push_back(number("--max-gradient-norm", training.maxGradientNorm,
                                "Clip to this global norm; 0: do not")
                             ->check(CLI::NonNegativeNumber));
  options.both.push_back(command.add_option("--accumulate", training.accumulate,
                                            "Micro-batches of a step, each the model's batch; without it as the plan says")
                             ->type_name("N")
                             ->check(CLI::Range(int64_t(1), int64_t(1) << 20)));
  return options;
}

struct Options : CompileOptions {
  /// Where the report goes as JSON; empty: nowhere.
  std::string report;
};

layout::Status compile(const Options &options) {
  Report report;
  // A place that cannot be written is found before the work, not after it.
  if (!options.report.empty())
    if (auto file = runtime::AtomicFile::create(options.report, 0); !file.ok())
      return file.status();
  if (layout::Status status = compileExecutable(options, &report); !status.ok())
    return status;
  fmt::print("{}", toSummary(report));
  if (options.report.empty())
    return layout::Status();
  return runtime::writeFileAtomically(options.report, toJson(report));
}

} // namespace

void addCompile(CLI::App &parent) {
  auto options = std::make_shared<Options>();
  CLI::App *command = parent.add_subcommand("compile", "Compile a model into one training executable");
  command->formatter(std::make_shared<runtime::ShortFormatter>());
  command->get_option("--help")->description("Print this and exit");
  command->add_option("model", options->model, "The model, an MLIR file")
      ->required()
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command->add_option("--plan", options->plan, "The plan file; without it, nothing is cut")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command->add_option("--cluster", options->cluster, "What the machine's links and memory cost; without it, one host")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command->add_option("-o,--output", options->output, "The executable to write")
      ->required()
      ->type_name("FILE");
  auto optimizer = std::make_shared<OptimizerOptions>(addTraining(*command, options->training));
  command->add_option("--target-cpu", options->targetCpu, "A CPU name of LLVM")
      ->type_name("CPU")
      ->capture_default_str();
  command->add_option("--memory-budget", options->memoryBudget, "Bytes of a device, with a unit: 512MB, 16GiB")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true))
      ->transform(CLI::Validator(checkNotNegative, "")) // the last that is added comes first
      ->type_name("SIZE");
  command->add_flag("--keep-gradients", options->keepGradients,
                    "Let the executable write gradients; costs memory");
  command->add_option("--report", options->report, "For all tensors, collectives and memory, as JSON")
      ->type_name("FILE");
  command->add_option("--dump-stages", options->dumpDirectory, "For the module after each stage")
      ->type_name("FOLDER");
  command->add_option("--runtime", options->runtimeArchive, "libvescale_training.a, if not beside the compiler")
      ->type_name("FILE");
  command->footer("Example:\n"
                  "  vescale compile gpt.mlir --plan examples/gpt/plans/data_tensor_2x2.json -o train");
  setAction(*command, [options, optimizer] {
    if (layout::Status status = checkOptimizer(*optimizer, options->training.optimizer); !status.ok())
      return status;
    options->trainingGiven = anyGiven(*optimizer);
    return compile(*options);
  });
}

} // namespace vescale::tools
