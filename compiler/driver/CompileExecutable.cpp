//===- CompileExecutable.cpp - from a model to a training executable ------===//

#include "compiler/driver/CompileExecutable.h"

#include "compiler/Registration.h"
#include "compiler/driver/Diagnostics.h"
#include "compiler/driver/Linker.h"
#include "compiler/pipelines/Stages.h"
#include "dialects/dist/DistAttributes.h"
#include "compiler/report/CollectReport.h"
#include "dialects/dist/LayoutTypes.h"
#include "passes/codegen/ScheduleEncoder.h"
#include "passes/placement/PlacementAttributes.h"

#include "dialects/sched/SchedOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using vescale::layout::Status;

namespace vescale {

/// The stage that the module has not been through: a training step is not differentiated again, and a placed one
/// keeps its layouts.
static llvm::StringRef firstStage(ModuleOp module) {
  auto step = module.lookupSymbol<func::FuncOp>("step");
  if (!step)
    return "training";
  bool placed = llvm::any_of(step.getArgumentTypes(), [](Type type) { return dist::getLayout(type) != nullptr; });
  return placed ? "spmd" : "placement";
}

/// Whether the executable could be written: found out before the work, not after it.
static Status checkWritable(const std::string &output) {
  std::string unfinished = output + ".unfinished";
  int file = -1;
  if (std::error_code error = llvm::sys::fs::openFileForWrite(unfinished, file))
    return Status::error("cannot write " + output + ": " + error.message());
  llvm::sys::Process::SafelyCloseFileDescriptor(file);
  llvm::sys::fs::remove(unfinished);
  if (llvm::sys::fs::is_directory(output))
    return Status::error("cannot write " + output + ": it is a folder");
  return Status::success();
}

Status compileExecutable(const CompileOptions &options, Report *report) {
  static const bool registered = [] {
    registerVescalePasses();
    return true;
  }();
  (void)registered;
  DialectRegistry registry;
  registerVescaleDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // A message names the line; the op itself stands in the file.
  context.printOpOnDiagnostic(false);
  if (Status status = checkWritable(options.output); !status.ok())
    return status;
  llvm::SourceMgr sources;
  DiagnosticCollector diagnostics(&context, sources);
  auto failed = [&](const std::string &what) {
    return Status::error(diagnostics.errors().empty() ? what : diagnostics.errors());
  };
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(options.model, sources, &context);
  if (!module)
    return failed("cannot read the model " + options.model);

  llvm::StringRef first = firstStage(*module);
  if (first != "training" && options.trainingGiven)
    return Status::error(options.model + " has its training step already: options of the optimizer cannot change it");
  if (first == "spmd" && !options.plan.empty())
    return Status::error(options.model + " is placed already: --plan " + options.plan + " cannot change it");

  if (first != "spmd" && options.plan.empty() && !(*module)->hasAttr(meshAttributeName)) {
    auto one = layout::Mesh::get({{"device", 1}});
    (*module)->setAttr(meshAttributeName, dist::MeshAttr::get(&context, *one));
  }

  StageOptions stageOptions;
  stageOptions.training = options.training;
  stageOptions.plan = options.plan;
  stageOptions.cluster = options.cluster;
  stageOptions.targetCpu = options.targetCpu;
  stageOptions.memoryBudget = options.memoryBudget;
  stageOptions.keepGradients = options.keepGradients;
  std::vector<Stage> stages = compilerStages(stageOptions);
  stages.erase(stages.begin(), llvm::find_if(stages, [&](const Stage &stage) { return stage.name == first; }));
  auto afterStage = [&](const Stage &stage) -> LogicalResult {
    if (!report || stage.name != "memory")
      return success();
    FailureOr<Report> collected = collectReport(*module);
    if (succeeded(collected))
      *report = std::move(*collected);
    return collected;
  };
  if (mlir::failed(runStages(*module, stages, options.dumpDirectory, afterStage)))
    return failed("the model " + options.model + " was not compiled");
  FailureOr<runtime::Schedule> schedule = encodeModule(*module);
  if (mlir::failed(schedule))
    return failed("the model " + options.model + " was not compiled");
  llvm::StringRef object;
  for (auto image : module->getOps<sched::KernelImageOp>())
    object = image.getObject();
  return linkExecutable(*schedule, object, options.runtimeArchive, options.output);
}

} // namespace vescale
