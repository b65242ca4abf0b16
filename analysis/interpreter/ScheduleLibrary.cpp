//===- ScheduleLibrary.cpp - Library calls of schedules, as loops ---------------------------===//

#include "analysis/interpreter/ScheduleLibrary.h"

#include "analysis/interpreter/Attention.h"
#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/KernelInterpreter.h"

using namespace mlir;

namespace vescale::analysis {
namespace {

/// A matrix operand of one batch index.
struct Matrix {
  std::byte *memory;
  ArrayRef<int64_t> batchStrides;
  int64_t leading;
  bool transposed;
  /// One element, as the type that it passes through.
  Tensor element;

  int64_t at(const std::vector<int64_t> &batch, int64_t i, int64_t j) const {
    int64_t index = transposed ? j * leading + i : i * leading + j;
    for (auto [number, stride] : llvm::zip_equal(batch, batchStrides))
      index += number * stride;
    return index;
  }
  double load(int64_t index) {
    loadElement(memory, index, element, 0);
    return element.real(0);
  }
  void store(int64_t index, double value) {
    element.setNumber(0, value);
    storeElement(memory, index, element, 0);
  }
};

/// A dense tensor in memory.
Tensor loadTensor(const std::byte *memory, ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  for (int64_t i = 0; i < tensor.elements(); ++i)
    loadElement(memory, i, tensor, i);
  return tensor;
}

void storeTensor(std::byte *memory, const Tensor &tensor) {
  for (int64_t i = 0; i < tensor.elements(); ++i)
    storeElement(memory, i, tensor, i);
}

} // namespace

void runMatMul(sched::MatMulOp op, ArrayRef<std::byte *> operands) {
  Tensor input = zerosOf(RankedTensorType::get({}, op.getInput()));
  Tensor output = zerosOf(RankedTensorType::get({}, op.getOutput()));
  Matrix a{operands[0], op.getAStrides(), int64_t(op.getALeading()), op.getATransposed(), input};
  Matrix b{operands[1], op.getBStrides(), int64_t(op.getBLeading()), op.getBTransposed(), input};
  Matrix c{operands[2], op.getCStrides(), int64_t(op.getCLeading()), op.getCTransposed(), output};
  double alpha = op.getAlpha().convertToDouble(), beta = op.getBeta().convertToDouble();
  int64_t m = op.getM(), n = op.getN(), depth = op.getK();
  Shape batch(op.getBatch().begin(), op.getBatch().end());
  forEachIndex(batch, [&](const std::vector<int64_t> &at, int64_t) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum += a.load(a.at(at, i, k)) * b.load(b.at(at, k, j));
        int64_t place = c.at(at, i, j);
        c.store(place, alpha * sum + (beta == 0 ? 0 : beta * c.load(place)));
      }
  });
}

LogicalResult runAttention(sched::AttentionOp op, ArrayRef<std::byte *> operands,
                           ArrayRef<int64_t> scalars, uint64_t seed, int64_t step) {
  int64_t batch = op.getBatch(), heads = op.getHeads(), keyHeads = op.getKeyHeads(),
          queries = op.getQueryLength(), keys = op.getKeyLength(), size = op.getHeadSize();
  Shape q{batch, heads, queries, size}, k{batch, keyHeads, keys, size}, row{batch, heads, queries},
      bias{batch, heads, queries, keys};
  auto dense = [](const Shape &shape) {
    return SmallVector<int64_t>{shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3]};
  };
  SmallVector<int64_t> strides;
  for (const Shape &shape : {q, k, k, q})
    strides.append(dense(shape));
  if (op.getStrides() != ArrayRef(strides))
    return op.emitOpError("has strides of tensors that are not dense");
  ElementType type = *elementTypeOf(RankedTensorType::get({}, op.getElement()));
  ElementType statistics = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;

  AttentionOptions options;
  options.scale = op.getScale().convertToDouble();
  options.causal = op.getCausal();
  options.dropout = op.getDropout().convertToDouble();
  options.draw = {seed, static_cast<uint32_t>(step), static_cast<uint32_t>(scalars[4])};
  options.start = {scalars[0], scalars[1], scalars[2], scalars[3]};
  options.globalSizes = {int64_t(op.getGlobalHeads()), int64_t(op.getGlobalQueryLength()),
                         int64_t(op.getGlobalKeyLength())};
  size_t next = 0;
  auto read = [&](ElementType element, const Shape &shape) {
    return loadTensor(operands[next++], element, shape);
  };
  Tensor queryTensor = read(type, q), keyTensor = read(type, k), valueTensor = read(type, k);
  Tensor biasTensor;
  if (op.getBias())
    biasTensor = read(type, bias);
  AttentionInputs inputs{queryTensor, keyTensor, valueTensor, op.getBias() ? &biasTensor : nullptr};
  if (!op.getBackward()) {
    Tensor output(type, q), logSumExp(statistics, row);
    evaluateAttention(inputs, options, output, logSumExp);
    storeTensor(operands[next], output);
    storeTensor(operands[next + 1], logSumExp);
    return success();
  }
  Tensor output = read(type, q), logSumExp = read(statistics, row), gradient = read(type, q);
  Tensor gradients[] = {Tensor(type, q), Tensor(type, k), Tensor(type, k)};
  evaluateAttentionGradient(inputs, options, output, logSumExp, gradient,
                            {&gradients[0], &gradients[1], &gradients[2], nullptr});
  for (const Tensor &result : gradients)
    storeTensor(operands[next++], result);
  return success();
}

} // namespace vescale::analysis
