//===- ShapeOps.cpp - The same elements in other places -------------------------------===//

#include "dialects/vs/ShapeOps.h"

#include "dialects/vs/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/ShapeOps.cpp.inc"

void VsDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/ShapeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Builders that infer the result's type
//===----------------------------------------------------------------------===//

/// The tensor type of `shape` with the element type of `x`.
static RankedTensorType typeLike(Value x, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, cast<RankedTensorType>(x.getType()).getElementType());
}

static ArrayRef<int64_t> shapeOf(Value x) { return cast<RankedTensorType>(x.getType()).getShape(); }

void ReshapeOp::build(OpBuilder &builder, OperationState &state, Value x, ArrayRef<int64_t> shape) {
  build(builder, state, typeLike(x, shape), x);
}

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value x,
                        ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(shapeOf(x)[dim]);
  build(builder, state, typeLike(x, shape), x, permutation);
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Value x, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> dims) {
  build(builder, state, typeLike(x, shape), x, dims);
}

/// Number of positions start, start + stride, ... below limit.
static int64_t sliceSize(int64_t start, int64_t limit, int64_t stride) {
  return limit <= start ? 0 : (limit - start + stride - 1) / stride;
}

void SliceOp::build(OpBuilder &builder, OperationState &state, Value x, ArrayRef<int64_t> starts,
                    ArrayRef<int64_t> limits, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> shape;
  for (auto [start, limit, stride] : llvm::zip_equal(starts, limits, strides))
    shape.push_back(sliceSize(start, limit, stride));
  build(builder, state, typeLike(x, shape), x, starts, limits, strides);
}

void ConcatOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs, int64_t dim) {
  SmallVector<int64_t> shape(shapeOf(inputs.front()));
  for (Value input : inputs.drop_front())
    shape[dim] += shapeOf(input)[dim];
  build(builder, state, typeLike(inputs.front(), shape), inputs, dim);
}

/// Size of a padded dim.
static int64_t paddedSize(int64_t size, int64_t low, int64_t high, int64_t interior) {
  return low + size + std::max<int64_t>(size - 1, 0) * interior + high;
}

void PadOp::build(OpBuilder &builder, OperationState &state, Value x, ArrayRef<int64_t> low,
                  ArrayRef<int64_t> high, ArrayRef<int64_t> interior, TypedAttr value) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x)))
    shape.push_back(paddedSize(size, low[dim], high[dim], interior[dim]));
  build(builder, state, typeLike(x, shape), x, low, high, interior, value);
}
