//===- Types.h - Tensor types of results ---------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_TYPES_H
#define VESCALE_DIALECTS_VS_TYPES_H

#include "mlir/IR/BuiltinTypes.h"

namespace vescale::vs {

/// The tensor type `type` without a layout, with `elementType` instead of its own where given.
mlir::RankedTensorType withoutLayout(mlir::Type type, mlir::Type elementType = {});

/// The element type of statistics (means, log-sum-exp, losses) of tensors of `elementType`: f64 of
/// f64, else f32.
mlir::Type statisticsType(mlir::Type elementType);

/// `shape` without the dims in `dims`.
llvm::SmallVector<int64_t> withoutDims(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims);

/// `table` with `indices` in place of dim `dim`: the shape of what `take` reads.
llvm::SmallVector<int64_t> takenShape(llvm::ArrayRef<int64_t> table,
                                      llvm::ArrayRef<int64_t> indices, int64_t dim);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_TYPES_H
