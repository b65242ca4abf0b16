//===- ConstantSplitting.h - One constant for each use ---------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_CONSTANTSPLITTING_H
#define VESCALE_PASSES_PLACEMENT_CONSTANTSPLITTING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace vescale {

/// Gives each use of a value that is computed from constants alone its own copy of the ops that
/// compute it. Such a value costs nothing to make anew in any layout, and one that many share
/// would tie their layouts together. Scalars stay shared: nothing cuts them.
void splitConstants(mlir::func::FuncOp function);

/// Merges equal ops that are computed from constants alone and have come to the same layout.
void mergeConstants(mlir::func::FuncOp function);

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_CONSTANTSPLITTING_H
