//===- ShapeVerification.cpp - Verifiers and folds of shape ops ----------------------------===//

#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/Verification.h"

using namespace mlir;
using namespace vescale::vs;

/// `value` where it may stand for the result of `op`: only with the same type, layout included.
static OpFoldResult replacement(Operation *op, Value value) {
  return value.getType() == op->getResult(0).getType() ? OpFoldResult(value) : OpFoldResult();
}

/// Whether `list` is 0, 1, 2, ...
static bool isIdentity(ArrayRef<int64_t> list) {
  return llvm::all_of(llvm::enumerate(list),
                      [](auto entry) { return entry.value() == int64_t(entry.index()); });
}

//===----------------------------------------------------------------------===//
// Reshape, transpose, broadcast
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  NamedValue x{"x", getX()}, result{"result", getResult()};
  if (x.type().getNumElements() != result.type().getNumElements())
    return emitOpError() << "x has " << x.type().getNumElements() << " elements, but result has "
                         << result.type().getNumElements();
  return checkSameElementType(*this, result, x);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) { return replacement(*this, getX()); }

LogicalResult TransposeOp::verify() {
  NamedValue x{"x", getX()}, result{"result", getResult()};
  ArrayRef<int64_t> permutation = getPermutation();
  if (failed(checkLength(*this, "permutation", permutation, x.rank(), "one per dim of x")))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [position, dim] : llvm::enumerate(permutation)) {
    if (failed(checkDim(*this, "permutation", dim, x)))
      return failure();
    if (llvm::is_contained(permutation.take_front(position), dim))
      return emitOpError() << "permutation holds " << dim << " twice";
    shape.push_back(x.shape()[dim]);
  }
  return failure(failed(checkShape(*this, result, shape, "the shape of x permuted")) ||
                 failed(checkSameElementType(*this, result, x)));
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  return isIdentity(getPermutation()) ? replacement(*this, getX()) : OpFoldResult();
}

LogicalResult BroadcastOp::verify() {
  NamedValue x{"x", getX()}, result{"result", getResult()};
  if (failed(checkLength(*this, "dims", getDims(), x.rank(), "one per dim of x")) ||
      failed(checkDims(*this, "dims", getDims(), result)))
    return failure();
  for (auto [dim, resultDim] : llvm::enumerate(getDims()))
    if (x.shape()[dim] != result.shape()[resultDim])
      return emitOpError() << "x has size " << x.shape()[dim] << " in dim " << dim
                           << ", but result has " << result.shape()[resultDim] << " in dim "
                           << resultDim << ", which it maps to";
  return checkSameElementType(*this, result, x);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return isIdentity(getDims()) ? replacement(*this, getX()) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  NamedValue x{"x", getX()}, result{"result", getResult()};
  ArrayRef<int64_t> starts = getStarts(), limits = getLimits(), strides = getStrides();
  StringRef what = "one per dim of x";
  if (failed(checkLength(*this, "starts", starts, x.rank(), what)) ||
      failed(checkLength(*this, "limits", limits, x.rank(), what)) ||
      failed(checkLength(*this, "strides", strides, x.rank(), what)))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    if (starts[dim] < 0 || starts[dim] > limits[dim] || limits[dim] > x.shape()[dim])
      return emitOpError() << "takes [" << starts[dim] << ", " << limits[dim] << ") of dim " << dim
                           << ", which has size " << x.shape()[dim];
    if (strides[dim] < 1)
      return emitOpError() << "strides holds " << strides[dim] << " for dim " << dim
                           << ", must be at least 1";
    shape.push_back((limits[dim] - starts[dim] + strides[dim] - 1) / strides[dim]);
  }
  return failure(failed(checkShape(*this, result, shape, "the size of the slice")) ||
                 failed(checkSameElementType(*this, result, x)));
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // Of a result that is as large as the operand only the strides of dims of size 1 are open.
  return replacement(*this, getX());
}

/// Checks a part of `x` that starts at `starts`.
static LogicalResult checkPart(Operation *op, NamedValue x, NamedValue part, ValueRange starts) {
  if (int64_t(starts.size()) != x.rank())
    return op->emitOpError() << "has " << starts.size() << " starts, must have " << x.rank()
                             << ": one per dim of x";
  if (failed(checkRank(op, part, x.rank())))
    return failure();
  for (int64_t dim = 0; dim < x.rank(); ++dim)
    if (part.shape()[dim] > x.shape()[dim])
      return op->emitOpError() << part.name << " has size " << part.shape()[dim] << " in dim "
                               << dim << ", but x only has " << x.shape()[dim];
  for (auto [index, start] : llvm::enumerate(starts)) {
    std::string name = "start #" + std::to_string(index);
    if (failed(checkSameElementType(op, {name, start}, {"start #0", starts.front()})))
      return failure();
  }
  return checkSameElementType(op, part, x);
}

LogicalResult DynamicSliceOp::verify() {
  return checkPart(*this, {"x", getX()}, {"result", getResult()}, getStarts());
}

LogicalResult DynamicUpdateSliceOp::verify() {
  NamedValue x{"x", getX()};
  return failure(failed(checkPart(*this, x, {"update", getUpdate()}, getStarts())) ||
                 failed(checkSameAs(*this, {"result", getResult()}, x)));
}

//===----------------------------------------------------------------------===//
// Concat, pad, reverse
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "needs at least one operand";
  NamedValue first{"operand #0", getInputs().front()}, result{"result", getResult()};
  if (failed(checkDim(*this, "dim", getDim(), first)))
    return failure();
  SmallVector<int64_t> shape(first.shape());
  for (auto [index, input] : llvm::enumerate(getInputs().drop_front())) {
    std::string name = "operand #" + std::to_string(index + 1);
    NamedValue operand{name, input};
    if (failed(checkRank(*this, operand, first.rank())) ||
        failed(checkSameElementType(*this, operand, first)))
      return failure();
    for (int64_t dim = 0; dim < first.rank(); ++dim)
      if (dim != getDim() && operand.shape()[dim] != first.shape()[dim])
        return emitOpError() << name << " has size " << operand.shape()[dim] << " in dim " << dim
                             << ", but operand #0 has " << first.shape()[dim];
    shape[getDim()] += operand.shape()[getDim()];
  }
  return failure(failed(checkShape(*this, result, shape, "the operands one after the other")) ||
                 failed(checkSameElementType(*this, result, first)));
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? replacement(*this, getInputs().front()) : OpFoldResult();
}

LogicalResult PadOp::verify() {
  NamedValue x{"x", getX()}, result{"result", getResult()};
  SmallVector<int64_t> shape(x.shape());
  StringRef what = "one per dim of x";
  if (failed(checkLength(*this, "low", getLow(), x.rank(), what)) ||
      failed(checkLength(*this, "high", getHigh(), x.rank(), what)) ||
      failed(checkLength(*this, "interior", getInterior(), x.rank(), what)) ||
      failed(checkAtLeast(*this, "low", getLow(), 0)) ||
      failed(checkAtLeast(*this, "high", getHigh(), 0)) ||
      failed(checkAtLeast(*this, "interior", getInterior(), 0)))
    return failure();
  for (auto [dim, size] : llvm::enumerate(shape))
    size += getLow()[dim] + getHigh()[dim] + std::max<int64_t>(size - 1, 0) * getInterior()[dim];
  if (failed(checkShape(*this, result, shape, "the size of x with its padding")) ||
      failed(checkSameElementType(*this, result, x)))
    return failure();
  std::optional<TypedAttr> value = getValue();
  if (value && value->getType() != x.elementType())
    return emitOpError() << "value has type " << value->getType() << ", must have "
                         << x.elementType() << ": the element type of x";
  return success();
}

LogicalResult ReverseOp::verify() { return checkDims(*this, "dims", getDims(), {"x", getX()}); }

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  return getDims().empty() ? replacement(*this, getX()) : OpFoldResult();
}
