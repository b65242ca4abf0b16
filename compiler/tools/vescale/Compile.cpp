#include "compiler/tools/vescale/Compile.h"

#include "compiler/driver/CompileExecutable.h"
#include "compiler/tools/vescale/Command.h"

#include <memory>

namespace vescale::tools {

void addCompile(CLI::App &parent) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App *command = parent.add_subcommand("compile", "Compile a model into one training executable");
  command->add_option("model", options->model, "The model, an MLIR file")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--plan", options->plan, "The plan file; without it, nothing is cut")
      ->check(CLI::ExistingFile);
  command->add_option("-o,--output", options->output, "The executable to write")->required();
  command->add_option("--target-cpu", options->targetCpu, "A CPU name of LLVM")->capture_default_str();
  command->add_option("--memory-budget", options->memoryBudget,
                      "Bytes that a device may use, with a unit: 512MB, 16GiB")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true));
  command->add_flag("--keep-gradients", options->keepGradients,
                    "Let the executable write gradients (--dump-gradients); costs memory");
  command->add_option("--dump-stages", options->dumpDirectory,
                      "A folder for the module after each stage");
  command->add_option("--runtime", options->runtimeArchive,
                      "libvescale_training.a, where it is not beside the compiler");
  command->footer("Example:\n"
                  "  vescale compile gpt.mlir --plan examples/gpt/plans/data_tensor_2x2.json -o train");
  setAction(*command, [options] { return compileExecutable(*options); });
}

} // namespace vescale::tools
