//===- ShapeAdjoints.cpp - Adjoints of ops that move elements ----------------------------------===//

#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ShapeOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

Gradients reshape(Formula &f, ReshapeOp op, Value g) {
  return {f.op<ReshapeOp>(g, Formula::type(op.getX()).getShape())};
}

Gradients transpose(Formula &f, TransposeOp op, Value g) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
    inverse[source] = dim;
  return {f.op<TransposeOp>(g, ArrayRef<int64_t>(inverse))};
}

Gradients broadcast(Formula &f, BroadcastOp op, Value g) {
  return {f.sum(g, Formula::otherDims(g, op.getDims()))};
}

Gradients slice(Formula &f, SliceOp op, Value g) {
  SmallVector<int64_t> low, high, interior;
  for (int64_t dim = 0; dim < Formula::rank(g); ++dim) {
    int64_t size = Formula::size(g, dim), stride = op.getStrides()[dim];
    int64_t covered = size == 0 ? 0 : (size - 1) * stride + 1;
    low.push_back(op.getStarts()[dim]);
    interior.push_back(stride - 1);
    high.push_back(Formula::size(op.getX(), dim) - op.getStarts()[dim] - covered);
  }
  return {f.op<PadOp>(g, ArrayRef<int64_t>(low), ArrayRef<int64_t>(high), ArrayRef<int64_t>(interior))};
}

Gradients pad(Formula &f, PadOp op, Value g) {
  SmallVector<int64_t> starts, limits, strides;
  for (int64_t dim = 0; dim < Formula::rank(g); ++dim) {
    int64_t size = Formula::size(op.getX(), dim), stride = op.getInterior()[dim] + 1;
    starts.push_back(op.getLow()[dim]);
    strides.push_back(stride);
    limits.push_back(op.getLow()[dim] + (size == 0 ? 0 : (size - 1) * stride + 1));
  }
  return {f.op<SliceOp>(g, ArrayRef<int64_t>(starts), ArrayRef<int64_t>(limits), ArrayRef<int64_t>(strides))};
}

Gradients reverse(Formula &f, ReverseOp op, Value g) { return {f.op<ReverseOp>(g, op.getDims())}; }

Gradients concat(Formula &f, ConcatOp op, Value g) {
  Gradients gradients;
  int64_t dim = op.getDim(), start = 0;
  for (Value input : op.getInputs()) {
    SmallVector<int64_t> starts(Formula::rank(g), 0), strides(Formula::rank(g), 1);
    SmallVector<int64_t> limits(Formula::type(g).getShape());
    starts[dim] = start;
    limits[dim] = start += Formula::size(input, dim);
    gradients.push_back(f.op<SliceOp>(g, ArrayRef<int64_t>(starts), ArrayRef<int64_t>(limits),
                                      ArrayRef<int64_t>(strides)));
  }
  return gradients;
}

Gradients dynamicSlice(Formula &f, DynamicSliceOp op, Value g) {
  Gradients gradients(op->getNumOperands());
  gradients[0] = f.op<DynamicUpdateSliceOp>(f.zeros(op.getX()), g, op.getStarts());
  return gradients;
}

Gradients dynamicUpdateSlice(Formula &f, DynamicUpdateSliceOp op, Value g) {
  Gradients gradients(op->getNumOperands());
  gradients[0] = f.op<DynamicUpdateSliceOp>(g, f.zeros(op.getUpdate()), op.getStarts());
  gradients[1] = f.op<DynamicSliceOp>(withoutLayout(op.getUpdate().getType()), g, op.getStarts());
  return gradients;
}

} // namespace

void registerShapeAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    ReshapeOp::attachInterface<AdjointModel<ReshapeOp, reshape>>(*context);
    TransposeOp::attachInterface<AdjointModel<TransposeOp, transpose>>(*context);
    BroadcastOp::attachInterface<AdjointModel<BroadcastOp, broadcast>>(*context);
    SliceOp::attachInterface<AdjointModel<SliceOp, slice>>(*context);
    PadOp::attachInterface<AdjointModel<PadOp, pad>>(*context);
    ReverseOp::attachInterface<AdjointModel<ReverseOp, reverse>>(*context);
    ConcatOp::attachInterface<AdjointModel<ConcatOp, concat>>(*context);
    DynamicSliceOp::attachInterface<AdjointModel<DynamicSliceOp, dynamicSlice>>(*context);
    DynamicUpdateSliceOp::attachInterface<AdjointModel<DynamicUpdateSliceOp, dynamicUpdateSlice>>(
        *context);
    ConstantOp::attachInterface<NoAdjointModel<ConstantOp>>(*context);
    IotaOp::attachInterface<NoAdjointModel<IotaOp>>(*context);
    RandomOp::attachInterface<NoAdjointModel<RandomOp>>(*context);
  });
}

} // namespace vescale::vs
