//===- PlanProgram.cpp - what a plan makes of a model ---------------------===//

#include "compiler/driver/PlanProgram.h"

#include "analysis/provenance/ValueNames.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/report/CollectReport.h"
#include "dialects/vs/StructureOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using vescale::layout::Status;

namespace vescale {

/// Reads the record that propagation left.
static Status readProvenance(StringRef path, analysis::Provenance &provenance) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file || (*file)->getBuffer().empty())
    return Status::success();
  layout::StatusOr<analysis::Provenance> read = analysis::Provenance::parse((*file)->getBuffer().str());
  if (!read.ok())
    return read.status();
  provenance = std::move(*read);
  return Status::success();
}

layout::StatusOr<PlannedProgram> planProgram(const PlanOptions &options) {
  PlannedProgram program;
  if (!options.plan.empty()) {
    layout::StatusOr<analysis::PlanFile> plan = analysis::PlanFile::read(options.plan);
    if (!plan.ok())
      return plan.status();
    program.plan = std::move(*plan);
  }
  layout::StatusOr<analysis::CostModel> costs = analysis::CostModel::read(options.cluster);
  if (!costs.ok())
    return costs.status();
  ModelFile model;
  if (Status status = model.read(options.model); !status.ok())
    return status;
  layout::StatusOr<std::string> first = model.firstStage(options.plan, /*trainingGiven=*/false);
  if (!first.ok())
    return first.status();

  SmallString<128> record;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("vescale-plan", "json", record))
    return Status::error("cannot write a temporary file: " + error.message());
  llvm::FileRemover remover(record);
  StageOptions stageOptions;
  stageOptions.plan = options.plan;
  stageOptions.cluster = options.cluster;
  stageOptions.memoryBudget = options.memoryBudget;
  stageOptions.provenance = std::string(record);

  ModuleOp module = model.module();
  for (const Stage &stage : model.stagesFrom(*first, stageOptions)) {
    if (stage.name == "placement")
      for (auto function : module.getOps<func::FuncOp>())
        analysis::numberOps(function);
    if (stage.name == "spmd") {
      collectRedistributions(module, *costs, options.withAlternatives, program.report);
      module.walk([&](vs::TagOp tag) { program.tags.push_back(tag.getName().str()); });
    }
    if (failed(runStages(module, {stage})))
      return model.failed("the model " + options.model + " cannot be planned");
    if (stage.name == "memory")
      break;
  }
  std::vector<RedistributionReport> redistributions = std::move(program.report.redistributions);
  FailureOr<Report> report = collectReport(module, costs->planning().links.get());
  if (failed(report))
    return model.failed("the model " + options.model + " cannot be reported");
  program.report = std::move(*report);
  program.report.redistributions = std::move(redistributions);
  if (Status status = readProvenance(record, program.provenance); !status.ok())
    return status;
  return program;
}

} // namespace vescale
