//===- CollectReport.h - Reads the report of a program off its IR -------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_REPORT_COLLECTREPORT_H
#define VESCALE_COMPILER_REPORT_COLLECTREPORT_H

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

/// `file:line:column`, or empty where a location names no file.
std::string locationText(mlir::Location location);

} // namespace vescale

#endif // VESCALE_COMPILER_REPORT_COLLECTREPORT_H
