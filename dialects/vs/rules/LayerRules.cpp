//===- LayerRules.cpp - Rules of softmax, normalisations and losses -------------------------===//
//
// The dims that a layer normalises over are decomposable: cut, the layer is its sums and maxima,
// each joined over the devices. All other dims are parallel; gradients of weights, which do not
// have them, are sums over them.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/LayerOps.h"

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;
using vescale::dist::TensorFactors;
using vescale::layout::Reduction;

namespace vescale::vs {
namespace {

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// All tensors have the same dims, of which `dim` is decomposable.
template <class Op> IndexingRule softmaxRule(Op op) {
  IndexingRule rule = emptyRule(op);
  TensorFactors tensor;
  for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(0))))
    tensor.dims.push_back(
        {rule.addFactor(size, static_cast<int64_t>(dim) == op.getDim() ? FactorKind::decomposable
                                                                       : FactorKind::parallel)});
  rule.operands.assign(op->getNumOperands(), tensor);
  rule.results.assign(1, tensor);
  return rule;
}

/// Linear in the gradient that comes in, operand 1.
template <class Op> IndexingRule softmaxGradientRule(Op op) {
  IndexingRule rule = softmaxRule(op);
  rule.addLinear({1});
  return rule;
}

//===----------------------------------------------------------------------===//
// Normalisation of the last dim, and losses over it
//===----------------------------------------------------------------------===//

/// Tensors of three kinds: of the shape of x, of its rows, and of its last dim alone.
struct RowFactors {
  TensorFactors x, rows, last;
};

/// `kept`: some results are sums over the rows.
RowFactors rowFactors(IndexingRule &rule, ArrayRef<int64_t> shape, bool kept) {
  RowFactors factors;
  for (int64_t size : shape.drop_back())
    factors.rows.dims.push_back(
        {kept ? rule.addKeptOrReduced(size, Reduction::sum) : rule.addFactor(size)});
  factors.last = newFactors(rule, shape.take_back(), FactorKind::decomposable);
  factors.x = factors.rows;
  llvm::append_range(factors.x.dims, factors.last.dims);
  return factors;
}

IndexingRule layerNormRule(LayerNormOp op) {
  IndexingRule rule = emptyRule(op);
  RowFactors f = rowFactors(rule, shapeOf(op.getX()), /*kept=*/false);
  rule.operands = {f.x, f.last, f.last};
  rule.results = {f.x, f.rows, f.rows};
  return rule;
}

IndexingRule layerNormGradientRule(LayerNormGradientOp op) {
  IndexingRule rule = emptyRule(op);
  RowFactors f = rowFactors(rule, shapeOf(op.getX()), /*kept=*/true);
  rule.operands = {f.x, f.last, f.rows, f.rows, f.x};
  rule.results = {f.x, f.last, f.last};
  rule.addLinear({4});
  return rule;
}

IndexingRule rmsNormRule(RmsNormOp op) {
  IndexingRule rule = emptyRule(op);
  RowFactors f = rowFactors(rule, shapeOf(op.getX()), /*kept=*/false);
  rule.operands = {f.x, f.last};
  rule.results = {f.x, f.rows};
  return rule;
}

IndexingRule rmsNormGradientRule(RmsNormGradientOp op) {
  IndexingRule rule = emptyRule(op);
  RowFactors f = rowFactors(rule, shapeOf(op.getX()), /*kept=*/true);
  rule.operands = {f.x, f.last, f.rows, f.x};
  rule.results = {f.x, f.last};
  rule.addLinear({3});
  return rule;
}

IndexingRule crossEntropyRule(CrossEntropyOp op) {
  IndexingRule rule = emptyRule(op);
  RowFactors f = rowFactors(rule, shapeOf(op.getLogits()), /*kept=*/false);
  rule.operands = {f.x, f.rows};
  rule.results = {f.rows};
  return rule;
}

IndexingRule crossEntropyGradientRule(CrossEntropyGradientOp op) {
  IndexingRule rule = emptyRule(op);
  RowFactors f = rowFactors(rule, shapeOf(op.getLogits()), /*kept=*/false);
  rule.operands = {f.x, f.rows, f.rows};
  rule.results = {f.x};
  rule.addLinear({2});
  return rule;
}

//===----------------------------------------------------------------------===//
// Normalisation of channels
//===----------------------------------------------------------------------===//

/// x and what has its shape, and the tensors of its channels (dim 1), over all other dims.
struct ChannelFactors {
  TensorFactors x, channels;
};

ChannelFactors channelFactors(IndexingRule &rule, ArrayRef<int64_t> shape) {
  ChannelFactors factors;
  for (auto [dim, size] : llvm::enumerate(shape))
    factors.x.dims.push_back(
        {rule.addFactor(size, dim == 1 ? FactorKind::parallel : FactorKind::decomposable)});
  factors.channels.dims = {factors.x.dims[1]};
  return factors;
}

IndexingRule batchNormRule(BatchNormOp op) {
  IndexingRule rule = emptyRule(op);
  ChannelFactors f = channelFactors(rule, shapeOf(op.getX()));
  rule.operands = {f.x, f.channels, f.channels, f.channels, f.channels};
  rule.results = {f.x, f.channels, f.channels};
  return rule;
}

IndexingRule batchNormGradientRule(BatchNormGradientOp op) {
  IndexingRule rule = emptyRule(op);
  ChannelFactors f = channelFactors(rule, shapeOf(op.getX()));
  rule.operands = {f.x, f.channels, f.x};
  rule.results = {f.x, f.channels, f.channels};
  rule.addLinear({2});
  return rule;
}

template <class Op, IndexingRule (*rule)(Op)> void attach(MLIRContext &context) {
  Op::template attachInterface<StatedRule<Op, rule>>(context);
}

} // namespace

void attachLayerRules(MLIRContext &context) {
  attach<SoftmaxOp, softmaxRule<SoftmaxOp>>(context);
  attach<LogSoftmaxOp, softmaxRule<LogSoftmaxOp>>(context);
  attach<SoftmaxGradientOp, softmaxGradientRule<SoftmaxGradientOp>>(context);
  attach<LogSoftmaxGradientOp, softmaxGradientRule<LogSoftmaxGradientOp>>(context);
  attach<LayerNormOp, layerNormRule>(context);
  attach<LayerNormGradientOp, layerNormGradientRule>(context);
  attach<RmsNormOp, rmsNormRule>(context);
  attach<RmsNormGradientOp, rmsNormGradientRule>(context);
  attach<CrossEntropyOp, crossEntropyRule>(context);
  attach<CrossEntropyGradientOp, crossEntropyGradientRule>(context);
  attach<BatchNormOp, batchNormRule>(context);
  attach<BatchNormGradientOp, batchNormGradientRule>(context);
}

} // namespace vescale::vs
