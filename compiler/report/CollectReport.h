//===- CollectReport.h - Reads the report of a program off its IR -------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_REPORT_COLLECTREPORT_H
#define VESCALE_COMPILER_REPORT_COLLECTREPORT_H

#include "analysis/cost/CostModel.h"
#include "compiler/report/Report.h"
#include "layout/LinkCost.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

namespace vescale {

/// What a module after the spmd stage or a later one, up to memory, says: tensors, collectives, and
/// memory where offsets are assigned. `links` prices collectives in seconds; it may be null. Fails
/// with a diagnostic where a function cannot be analysed.
mlir::FailureOr<Report> collectReport(mlir::ModuleOp module, const layout::LinkCosts *links = nullptr);

/// Parts of collectReport, for one function each.
void collectTensors(mlir::ModuleOp module, Report &report);
void collectCollectives(mlir::ModuleOp module, const layout::LinkCosts *links, Report &report);
mlir::LogicalResult collectMemory(mlir::ModuleOp module, Report &report);

/// What the name in the location of a redistribution, and of its steps, begins with.
inline constexpr llvm::StringLiteral redistributionLocationPrefix = "redistribution ";

/// What a module at the end of placement moves, in program order, planned and priced by `costs`. Puts the
/// number of each redistribution into its location, from where collectCollectives reads it.
void collectRedistributions(mlir::ModuleOp module, const analysis::CostModel &costs,
                            bool withAlternatives, Report &report);

/// What a value was before the step, or the wait for a step, that made it; null where something else did.
mlir::Value beforeStep(mlir::Value value);

/// How often a step of training runs an op: the product of the run counts around it.
int64_t runsOf(mlir::Operation *op);

/// The name of an axis, or its part as `"x":(1)2`.
std::string axisText(const layout::Mesh &mesh, const layout::SubAxis &axis);

/// `file:line:column`, or empty where a location names no file.
std::string locationText(mlir::Location location);

} // namespace vescale

#endif // VESCALE_COMPILER_REPORT_COLLECTREPORT_H
