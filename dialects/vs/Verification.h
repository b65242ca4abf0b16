//===- Verification.h - The checks that verifiers are made of ------------------------------===//
//
// Each check emits its own error at the op, which names the operand, result or attribute, the dim
// and both sizes. Encodings are never compared.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_VERIFICATION_H
#define VESCALE_DIALECTS_VS_VERIFICATION_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace vescale::vs {

/// A tensor of an op under its name in the op's documentation.
struct NamedValue {
  llvm::StringRef name;
  mlir::Value value;

  mlir::RankedTensorType type() const {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  llvm::ArrayRef<int64_t> shape() const { return type().getShape(); }
  int64_t rank() const { return type().getRank(); }
  mlir::Type elementType() const { return type().getElementType(); }
};

/// 0 <= `dim` < rank of `tensor`, for the attribute `name`.
llvm::LogicalResult checkDim(mlir::Operation *op, llvm::StringRef name, int64_t dim,
                             NamedValue tensor);

/// `dims` lie in [0, rank of `tensor`) and ascend strictly.
llvm::LogicalResult checkDims(mlir::Operation *op, llvm::StringRef name,
                              llvm::ArrayRef<int64_t> dims, NamedValue tensor);

/// The attribute `name` has `length` entries; `what` says what each is for.
llvm::LogicalResult checkLength(mlir::Operation *op, llvm::StringRef name,
                                llvm::ArrayRef<int64_t> list, int64_t length,
                                llvm::StringRef what);

/// `tensor` has rank `rank`.
llvm::LogicalResult checkRank(mlir::Operation *op, NamedValue tensor, int64_t rank);

/// `tensor` has at least `rank` dims.
llvm::LogicalResult checkRankAtLeast(mlir::Operation *op, NamedValue tensor, int64_t rank);

/// `tensor` has shape `expected`; `reason` says where that comes from.
llvm::LogicalResult checkShape(mlir::Operation *op, NamedValue tensor,
                               llvm::ArrayRef<int64_t> expected, llvm::StringRef reason);

/// `tensor` has the shape of `model`.
llvm::LogicalResult checkSameShape(mlir::Operation *op, NamedValue tensor, NamedValue model);

/// `tensor` has element type `expected`; `reason` says where that comes from.
llvm::LogicalResult checkElementType(mlir::Operation *op, NamedValue tensor, mlir::Type expected,
                                     llvm::StringRef reason);

/// `tensor` has the element type of `model`.
llvm::LogicalResult checkSameElementType(mlir::Operation *op, NamedValue tensor, NamedValue model);

/// `tensor` has the shape and element type of `model`.
llvm::LogicalResult checkSameAs(mlir::Operation *op, NamedValue tensor, NamedValue model);

/// Each entry of the attribute `name` is at least `minimum`.
llvm::LogicalResult checkAtLeast(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> values, int64_t minimum);

/// The attribute `name` is a number that is not negative (so not NaN either).
llvm::LogicalResult checkNotNegative(mlir::Operation *op, llvm::StringRef name, double value);

/// The attribute `name` lies in [0, 1).
llvm::LogicalResult checkFraction(mlir::Operation *op, llvm::StringRef name, double value);

/// `draw_id`, where there is one, is not negative.
llvm::LogicalResult checkDrawId(mlir::Operation *op, std::optional<int64_t> drawId);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_VERIFICATION_H
