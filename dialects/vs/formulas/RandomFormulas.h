//===- RandomFormulas.h - Random numbers by global position ---------------------------------===//
//
// A random tensor is a function of the row-major positions of its elements in the global tensor.
// These formulas take the positions apart from the numbers, so that the whole tensor (a
// decomposition) and a piece of it (a local form) are the same computation on different positions.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_FORMULAS_RANDOMFORMULAS_H
#define VESCALE_DIALECTS_VS_FORMULAS_RANDOMFORMULAS_H

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/LayerOps.h"
#include "dialects/vs/formulas/Formula.h"

namespace vescale::vs {

/// `number` in every element of an i64 tensor of this shape; exact, unlike Formula::constant.
mlir::Value integers(Formula &f, mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                     int64_t number);

/// The row-major position in a tensor of `globalShape` of each element of a piece of `shape`: i64.
/// `index(dim)` is the global index along a dim of each of the piece's elements, i64 of `shape`; it
/// is not asked for dims of size 1.
mlir::Value rowMajorPositions(Formula &f, mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> globalShape,
                              llvm::function_ref<mlir::Value(int64_t dim)> index);

/// The elements of `op`'s draw from `rng` at `positions`.
mlir::Value randomAt(Formula &f, RandomOp op, mlir::Value rng, mlir::Value positions);

/// `op` on `x`, whose elements stand at `positions`, with draws from `rng`: an element is kept
/// where the uniform number of its position, an f32 as in every other type, is at least the rate,
/// and divided by 1 - rate.
mlir::Value dropoutAt(Formula &f, DropoutOp op, mlir::Value x, mlir::Value rng,
                      mlir::Value positions);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_FORMULAS_RANDOMFORMULAS_H
