//===- Shapes.cpp - The same elements in other places ---------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/ShapeOps.h"

using namespace mlir;

namespace vescale::analysis {
namespace {

using Index = std::vector<int64_t>;

/// Each element of the result is the element of `x` at the index that `from` writes.
template <class From> Results moved(Value value, const Tensor &x, From from) {
  Tensor result = zerosOf(value);
  Index source(x.rank());
  forEachIndex(result.shape(), [&](const Index &index, int64_t i) {
    from(index, source);
    result.copyElement(i, x, position(x.shape(), source));
  });
  return one(std::move(result));
}

Results reshape(vs::ReshapeOp op, Operands operands) {
  return one(operands[0]->reshaped(zerosOf(op.getResult()).shape()));
}

Results transpose(vs::TransposeOp op, Operands operands) {
  return moved(op.getResult(), *operands[0], [&](const Index &index, Index &source) {
    for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
      source[dim] = index[i];
  });
}

Results broadcast(vs::BroadcastOp op, Operands operands) {
  return moved(op.getResult(), *operands[0], [&](const Index &index, Index &source) {
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      source[i] = index[dim];
  });
}

Results slice(vs::SliceOp op, Operands operands) {
  return moved(op.getResult(), *operands[0], [&](const Index &index, Index &source) {
    for (size_t d = 0; d < index.size(); ++d)
      source[d] = op.getStarts()[d] + index[d] * op.getStrides()[d];
  });
}

Results reverse(vs::ReverseOp op, Operands operands) {
  return moved(op.getResult(), *operands[0], [&](const Index &index, Index &source) {
    source = index;
    for (int64_t dim : op.getDims())
      source[dim] = operands[0]->size(dim) - 1 - index[dim];
  });
}

/// The scalars from operand `first` on, clamped so that the part lies inside.
Index clampedStarts(Operands operands, size_t first, const Shape &whole, const Shape &part) {
  Index starts;
  for (size_t d = 0; d < whole.size(); ++d)
    starts.push_back(
        std::max<int64_t>(0, std::min(operands[first + d]->integer(0), whole[d] - part[d])));
  return starts;
}

Results dynamicSlice(vs::DynamicSliceOp op, Operands operands) {
  const Tensor &x = *operands[0];
  Index starts = clampedStarts(operands, 1, x.shape(), zerosOf(op.getResult()).shape());
  return moved(op.getResult(), x, [&](const Index &index, Index &source) {
    for (size_t d = 0; d < index.size(); ++d)
      source[d] = starts[d] + index[d];
  });
}

Results dynamicUpdateSlice(vs::DynamicUpdateSliceOp op, Operands operands) {
  Tensor result = *operands[0];
  const Tensor &update = *operands[1];
  Index starts = clampedStarts(operands, 2, result.shape(), update.shape());
  forEachIndex(update.shape(), [&](const Index &index, int64_t i) {
    Index target = index;
    for (size_t d = 0; d < index.size(); ++d)
      target[d] += starts[d];
    result.copyElement(position(result.shape(), target), update, i);
  });
  return one(std::move(result));
}

Results concat(vs::ConcatOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  int64_t begin = 0;
  for (const Tensor *input : operands) {
    forEachIndex(input->shape(), [&](const Index &index, int64_t i) {
      Index target = index;
      target[op.getDim()] += begin;
      result.copyElement(position(result.shape(), target), *input, i);
    });
    begin += input->size(op.getDim());
  }
  return one(std::move(result));
}

Results pad(vs::PadOp op, Operands operands) {
  const Tensor &x = *operands[0];
  Tensor result = zerosOf(op.getResult());
  if (std::optional<TypedAttr> value = op.getValue()) {
    if (auto real = dyn_cast<FloatAttr>(*value))
      result.fill(real.getValueAsDouble());
    else
      for (int64_t i = 0; i < result.elements(); ++i)
        result.setInteger(i, cast<IntegerAttr>(*value).getValue().getSExtValue());
  }
  forEachIndex(x.shape(), [&](const Index &index, int64_t i) {
    Index target(index.size());
    for (size_t d = 0; d < index.size(); ++d)
      target[d] = op.getLow()[d] + index[d] * (1 + op.getInterior()[d]);
    result.copyElement(position(result.shape(), target), x, i);
  });
  return one(std::move(result));
}

} // namespace

void addShape(EvaluationTable &table) {
  table.add<vs::ReshapeOp, reshape>();
  table.add<vs::TransposeOp, transpose>();
  table.add<vs::BroadcastOp, broadcast>();
  table.add<vs::SliceOp, slice>();
  table.add<vs::ReverseOp, reverse>();
  table.add<vs::DynamicSliceOp, dynamicSlice>();
  table.add<vs::DynamicUpdateSliceOp, dynamicUpdateSlice>();
  table.add<vs::ConcatOp, concat>();
  table.add<vs::PadOp, pad>();
}

} // namespace vescale::analysis
