//===- PlanProgram.h - what a plan makes of a model -------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_DRIVER_PLANPROGRAM_H
#define VESCALE_COMPILER_DRIVER_PLANPROGRAM_H

#include "analysis/plan/PlanFile.h"
#include "analysis/provenance/Provenance.h"
#include "compiler/report/Report.h"
#include "layout/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale {

struct PlanOptions {
  /// The model, an MLIR file.
  std::string model;
  /// The plan file; empty: none.
  std::string plan;
  /// The file that describes the machine; empty: one CPU host.
  std::string cluster;
  /// Bytes of the arena of a device; 0: any.
  int64_t memoryBudget = 0;
  /// Whether to price what else each op with a redistribution could have been.
  bool withAlternatives = false;
};

struct PlannedProgram {
  Report report;
  /// Why each tensor is laid out as it is.
  analysis::Provenance provenance;
  std::optional<analysis::PlanFile> plan;
  /// The names of all tags, in program order.
  std::vector<std::string> tags;
};

/// Takes a model through all stages up to memory and reports what it holds and moves, priced by the cluster. Warnings
/// and remarks go to the error stream; errors are the message of the status.
layout::StatusOr<PlannedProgram> planProgram(const PlanOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_DRIVER_PLANPROGRAM_H
