//===- ValueNames.h - What people call a value ------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_PROVENANCE_VALUENAMES_H
#define VESCALE_ANALYSIS_PROVENANCE_VALUENAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Value.h"

#include <string>

namespace vescale::analysis {

/// `vs.einsum at model.mlir:3:8`; with the op's number where its location has one (numberOps):
/// `vs.einsum %12 at model.mlir:3:8`.
std::string describe(mlir::Operation *op);

/// The name by which people know a value: an argument's, a tag's, else the op's and its place. A
/// null value is a result of the function.
std::string describe(mlir::func::FuncOp function, mlir::Value value);

/// Puts a number into the location of every op of a function, so that what is recorded tells apart
/// ops of one kind at one place: an op and its adjoint. Ops that passes derive from one keep it.
void numberOps(mlir::func::FuncOp function);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PROVENANCE_VALUENAMES_H
