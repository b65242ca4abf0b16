//===- Stages.cpp - the way of a model through the compiler ---------------===//

#include "compiler/pipelines/Stages.h"

#include "runtime/checkpoint/AtomicFile.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace vescale {

/// From the model to its training step.
static std::string trainingPipeline(const TrainingOptions &options, const std::string &plan) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // All digits: streams of LLVM print six.
  auto number = [](double value) { return llvm::format("%.17g", value); };
  stream << "vs-differentiate,vs-build-evaluation,vs-accumulate-gradients{count=" << options.accumulate
         << (plan.empty() ? "" : " plan=" + plan) << "},vs-build-training-step{optimizer=" << options.optimizer
         << " beta1=" << number(options.beta1) << " beta2=" << number(options.beta2)
         << " epsilon=" << number(options.epsilon) << " momentum=" << number(options.momentum)
         << " weight-decay=" << number(options.weightDecay)
         << " max-gradient-norm=" << number(options.maxGradientNorm)
         << "},canonicalize,cse";
  return text;
}

static std::string placementPipeline(const StageOptions &options) {
  std::string apply = options.plan.empty() ? "" : "dist-apply-plan{plan=" + options.plan + "},";
  std::string cluster = options.cluster.empty() ? "" : "{cluster=" + options.cluster + "}";
  std::string propagate;
  if (!options.cluster.empty())
    propagate += "cluster=" + options.cluster + " ";
  if (!options.provenance.empty())
    propagate += "provenance=" + options.provenance;
  return apply + "dist-propagate{" + propagate + "},dist-settle" + cluster + ",dist-verify-placement";
}

static std::string spmdPipeline(const StageOptions &options) {
  std::string links = options.cluster.empty() ? "" : "{links=" + options.cluster + "}";
  std::string keep = options.keepGradients ? "sched-keep-gradients," : "";
  return "cse,func.func(" + keep + "dist-plan-redistributions" + links + ")";
}

static std::string communicationPipeline(const StageOptions &options) {
  std::string cluster = options.cluster.empty() ? "" : " cluster=" + options.cluster;
  std::string both = "{memory-budget=" + std::to_string(options.memoryBudget) + cluster + "}";
  return "func.func(dist-simplify-collectives" + (cluster.empty() ? "" : "{" + cluster.substr(1) + "}") +
         ",dist-bucket" + both + ",dist-overlap" + both + ",dist-verify-communication)";
}

std::vector<Stage> compilerStages(const StageOptions &options) {
  return {
      {"training", trainingPipeline(options.training, options.plan)},
      {"placement", placementPipeline(options)},
      {"spmd", spmdPipeline(options)},
      {"fusion", "vs-decompose-layers,canonicalize,cse,func.func(vs-fuse)"},
      {"comm", communicationPipeline(options)},
      {"memory", "sched-assign-buffers{memory-budget=" + std::to_string(options.memoryBudget) +
                     "},sched-verify-buffers"},
      {"schedule", "sched-lower,sched-order-streams"},
      {"codegen", "sched-generate-kernels{target-cpu=" + options.targetCpu + "},sched-emit"},
  };
}

/// Writes the module after stage `number`. The file appears whole or not at all.
static LogicalResult dump(ModuleOp module, const std::string &directory, size_t number, const Stage &stage) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return module.emitError() << "cannot create " << directory << ": " << error.message();
  SmallString<128> path(directory);
  std::string file, text;
  llvm::raw_string_ostream(file) << llvm::format("%02zu-", number) << stage.name << ".mlir";
  llvm::sys::path::append(path, file);
  llvm::raw_string_ostream stream(text);
  stream << "// vescale-opt --pass-pipeline='builtin.module(" << stage.pipeline << ")'\n";
  module->print(stream);
  stream << "\n";
  layout::Status status = runtime::writeFileAtomically(std::string(path), text);
  return status.ok() ? success() : module.emitError() << status.message();
}

LogicalResult runStages(ModuleOp module, const std::vector<Stage> &stages, const std::string &dumpDirectory,
                        llvm::function_ref<LogicalResult(const Stage &)> afterStage) {
  for (size_t number = 0; number < stages.size(); ++number) {
    const Stage &stage = stages[number];
    PassManager manager = PassManager::on<ModuleOp>(module.getContext());
    std::string error;
    llvm::raw_string_ostream stream(error);
    if (failed(parsePassPipeline(stage.pipeline, manager, stream)))
      return module.emitError() << "the stage " << stage.name << " cannot be built: " << error;
    if (failed(manager.run(module)))
      return failure();
    if (!dumpDirectory.empty() && failed(dump(module, dumpDirectory, number + 1, stage)))
      return failure();
    if (afterStage && failed(afterStage(stage)))
      return failure();
  }
  return success();
}

namespace {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> plan{*this, "plan", llvm::cl::desc("The plan file")};
  Option<std::string> cluster{*this, "cluster", llvm::cl::desc("The file that describes the machine")};
  Option<std::string> until{*this, "until", llvm::cl::desc("The last stage that runs; default: all")};
  Option<std::string> targetCpu{*this, "target-cpu", llvm::cl::desc("A CPU name of LLVM"),
                                llvm::cl::init("x86-64-v3")};
  Option<int64_t> memoryBudget{*this, "memory-budget", llvm::cl::desc("Bytes of a device's arena; 0: any"),
                               llvm::cl::init(0)};
  Option<int64_t> accumulate{*this, "accumulate", llvm::cl::desc("Micro-batches of a step; 0: as the plan says, or one"),
                              llvm::cl::init(0)};
  Option<bool> keepGradients{*this, "keep-gradients", llvm::cl::desc("Let the host read gradients"),
                             llvm::cl::init(false)};
};

} // namespace

void registerVescalePipeline() {
  PassPipelineRegistration<PipelineOptions>(
      "vescale-pipeline", "All stages of the compiler in order", [](OpPassManager &manager,
                                                                    const PipelineOptions &options) {
        StageOptions stageOptions;
        stageOptions.plan = options.plan;
        stageOptions.cluster = options.cluster;
        stageOptions.training.accumulate = options.accumulate;
        stageOptions.targetCpu = options.targetCpu;
        stageOptions.memoryBudget = options.memoryBudget;
        stageOptions.keepGradients = options.keepGradients;
        bool found = options.until.empty();
        for (const Stage &stage : compilerStages(stageOptions)) {
          if (failed(parsePassPipeline(stage.pipeline, manager)))
            llvm::report_fatal_error(StringRef("the stage " + stage.name + " cannot be built"),
                                     /*gen_crash_diag=*/false);
          if (stage.name == options.until) {
            found = true;
            break;
          }
        }
        if (!found)
          llvm::report_fatal_error(StringRef("there is no stage '" + options.until + "'"),
                                   /*gen_crash_diag=*/false);
      });
}

} // namespace vescale
