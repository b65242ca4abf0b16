//===- CompileExecutable.cpp - from a model to a training executable ------===//

#include "compiler/driver/CompileExecutable.h"

#include "compiler/driver/Linker.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/pipelines/Stages.h"
#include "compiler/report/CollectReport.h"
#include "passes/codegen/ScheduleEncoder.h"

#include "dialects/sched/SchedOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using vescale::layout::Status;

namespace vescale {

/// Whether the executable could be written: found out before the work, not after it.
static Status checkWritable(const std::string &output) {
  if (llvm::sys::fs::is_directory(output))
    return Status::error("cannot write " + output + ": it is a folder");
  // A device would be replaced.
  if (llvm::sys::fs::exists(output) && !llvm::sys::fs::is_regular_file(output))
    return Status::error("cannot write " + output + ": it is no regular file");
  std::string unfinished = output + ".unfinished";
  int file = -1;
  if (std::error_code error = llvm::sys::fs::openFileForWrite(unfinished, file))
    return Status::error("cannot write " + output + ": " + error.message());
  llvm::sys::Process::SafelyCloseFileDescriptor(file);
  llvm::sys::fs::remove(unfinished);
  return Status::success();
}

Status compileExecutable(const CompileOptions &options, Report *report) {
  if (Status status = checkWritable(options.output); !status.ok())
    return status;
  ModelFile model;
  if (Status status = model.read(options.model); !status.ok())
    return status;
  layout::StatusOr<std::string> first = model.firstStage(options.plan, options.trainingGiven);
  if (!first.ok())
    return first.status();
  ModuleOp module = model.module();

  StageOptions stageOptions;
  stageOptions.training = options.training;
  stageOptions.plan = options.plan;
  stageOptions.cluster = options.cluster;
  stageOptions.targetCpu = options.targetCpu;
  stageOptions.memoryBudget = options.memoryBudget;
  stageOptions.keepGradients = options.keepGradients;
  auto afterStage = [&](const Stage &stage) -> LogicalResult {
    if (!report || stage.name != "memory")
      return success();
    FailureOr<Report> collected = collectReport(module);
    if (succeeded(collected))
      *report = std::move(*collected);
    return collected;
  };
  if (failed(runStages(module, model.stagesFrom(*first, stageOptions), options.dumpDirectory, afterStage)))
    return model.failed("the model " + options.model + " was not compiled");
  FailureOr<runtime::Schedule> schedule = encodeModule(module);
  if (failed(schedule))
    return model.failed("the model " + options.model + " was not compiled");
  llvm::StringRef object;
  for (auto image : module.getOps<sched::KernelImageOp>())
    object = image.getObject();
  return linkExecutable(*schedule, object, options.runtimeArchive, options.output);
}

} // namespace vescale
