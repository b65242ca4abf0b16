//===- Stages.h - the way of a model through the compiler -------*- C++ -*-===//
//
// A stage is a list of passes that ends with the check of its contract. Each is written as a pipeline
// in text, so that what a stage does can be repeated with vescale-opt on the dump of the one before.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_COMPILER_PIPELINES_STAGES_H
#define VESCALE_COMPILER_PIPELINES_STAGES_H

#include "compiler/pipelines/TrainingOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vescale {

struct StageOptions {
  TrainingOptions training;
  /// The plan file; empty: every tensor is replicated unless the model says otherwise.
  std::string plan;
  /// The file that describes the machine, by whose prices is placed (analysis/cost/Cluster.h); empty: one CPU host.
  std::string cluster;
  /// A CPU name of LLVM.
  std::string targetCpu = "x86-64-v3";
  /// Bytes of the arena of a device; 0: any.
  int64_t memoryBudget = 0;
  /// The file to write the record of all decisions on layouts to (analysis/provenance); empty: none.
  std::string provenance;
  /// Whether the host can read the gradients of a step.
  bool keepGradients = false;
};

struct Stage {
  std::string name;
  /// As for `vescale-opt --pass-pipeline`, on a module.
  std::string pipeline;
};

/// All stages in order, from a model to machine code.
std::vector<Stage> compilerStages(const StageOptions &options);

/// Runs the stages on `module`. Where `dumpDirectory` is given, writes the module after each stage to
/// `NN-stage.mlir` there, with the command that leads to it. Stops at the first failure, of which the
/// diagnostics speak. All passes must have been registered. `afterStage`, if given, looks at the module
/// after each stage, and stops the way with a failure.
mlir::LogicalResult
runStages(mlir::ModuleOp module, const std::vector<Stage> &stages, const std::string &dumpDirectory = "",
          llvm::function_ref<mlir::LogicalResult(const Stage &)> afterStage = nullptr);

/// Registers the pipeline `--vescale-pipeline="until=STAGE ..."` for vescale-opt.
void registerVescalePipeline();

} // namespace vescale

#endif // VESCALE_COMPILER_PIPELINES_STAGES_H
