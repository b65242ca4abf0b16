//===- ConvolutionRules.cpp - Rules of windows and of experts -------------------------------===//
//
// Channels are (groups, channels of a group). Windows reach over spatial dims, and tokens of one
// expert lie anywhere among the rows: those dims are whole on each device.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/ConvolutionOps.h"
#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"


using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;
using vescale::dist::TensorFactors;
using vescale::layout::Reduction;

namespace vescale::vs {
namespace {

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// The tensors of a convolution, each of which is an operand or the result of one of the three ops.
struct ConvolutionFactors {
  TensorFactors x, weight, y;
};

/// Which of batch, input and output channels the op sums over, as its result does not have them.
enum class Summed { batch, input, output };

ConvolutionFactors convolutionFactors(IndexingRule &rule, Value x, Value weight, Value y,
                                      int64_t groupCount, Summed summed) {
  // A part of size 1 is no factor: a cut would fall on either part.
  using Factors = SmallVector<int, 2>;
  auto add = [&](int64_t size, Summed of) -> Factors {
    if (size == 1)
      return {};
    return {of == summed ? rule.addReduced(size, Reduction::sum) : rule.addFactor(size)};
  };
  Factors batch = add(shapeOf(x)[0], Summed::batch);
  Factors groups;
  if (groupCount != 1)
    groups.push_back(rule.addFactor(groupCount));
  Factors input = add(shapeOf(weight)[1], Summed::input);
  Factors output = add(shapeOf(weight)[0] / groupCount, Summed::output);
  Factors allInput = groups, allOutput = groups;
  llvm::append_range(allInput, input);
  llvm::append_range(allOutput, output);
  ConvolutionFactors f;
  f.x.dims = {batch, allInput};
  f.weight.dims = {allOutput, input};
  f.y.dims = {batch, allOutput};
  for (auto [tensor, value] :
       {std::pair(&f.x, x), std::pair(&f.weight, weight), std::pair(&f.y, y)})
    llvm::append_range(tensor->dims,
                       newFactors(rule, shapeOf(value).drop_front(2), FactorKind::replicated).dims);
  return f;
}

IndexingRule convolutionRule(ConvolutionOp op) {
  IndexingRule rule = emptyRule(op);
  ConvolutionFactors f =
      convolutionFactors(rule, op.getX(), op.getWeight(), op.getY(), op.getGroups(), Summed::input);
  rule.operands = {f.x, f.weight};
  rule.results = {f.y};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

IndexingRule convolutionInputGradientRule(ConvolutionInputGradientOp op) {
  IndexingRule rule = emptyRule(op);
  ConvolutionFactors f = convolutionFactors(rule, op.getXGradient(), op.getWeight(),
                                            op.getGradient(), op.getGroups(), Summed::output);
  rule.operands = {f.weight, f.y};
  rule.results = {f.x};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

IndexingRule convolutionWeightGradientRule(ConvolutionWeightGradientOp op) {
  IndexingRule rule = emptyRule(op);
  ConvolutionFactors f = convolutionFactors(rule, op.getX(), op.getWeightGradient(),
                                            op.getGradient(), op.getGroups(), Summed::batch);
  rule.operands = {f.x, f.y};
  rule.results = {f.weight};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

/// A device that holds some of the groups convolves these. How many they are, its weight and input
/// say; where it has none of them, or no input channel of them, its result is 0.
template <class Op>
LocalForm::Results localGroups(LocalForm &form, Op op, ArrayRef<int64_t> x,
                               ArrayRef<int64_t> weight) {
  int64_t groups = weight[1] == 0 ? 0 : x[1] / weight[1];
  if (groups == 0)
    return SmallVector<Value>{form.f.constant(form.resultTypes[0], 0)};
  LocalForm::Results results = form.clone();
  cast<Op>((*results)[0].getDefiningOp()).setGroups(groups);
  return results;
}

LocalForm::Results convolutionLocal(LocalForm &form, ConvolutionOp op) {
  return localGroups(form, op, shapeOf(form.operands[0]), shapeOf(form.operands[1]));
}

LocalForm::Results inputGradientLocal(LocalForm &form, ConvolutionInputGradientOp op) {
  return localGroups(form, op, form.resultShape(), shapeOf(form.operands[0]));
}

LocalForm::Results weightGradientLocal(LocalForm &form, ConvolutionWeightGradientOp op) {
  return localGroups(form, op, shapeOf(form.operands[0]), form.resultShape());
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Batch and channels are parallel; `x` and `y` have spatial dims of their own.
std::pair<TensorFactors, TensorFactors> poolFactors(IndexingRule &rule, Value x, Value y) {
  TensorFactors outer = newFactors(rule, shapeOf(x).take_front(2));
  auto whole = [&](Value value) {
    TensorFactors tensor = outer;
    llvm::append_range(tensor.dims,
                       newFactors(rule, shapeOf(value).drop_front(2), FactorKind::replicated).dims);
    return tensor;
  };
  return {whole(x), whole(y)};
}

IndexingRule maxPoolRule(MaxPoolOp op) {
  IndexingRule rule = emptyRule(op);
  auto [x, y] = poolFactors(rule, op.getX(), op.getY());
  rule.operands = {x};
  rule.results = {y};
  rule.passes.push_back({{0}, Reduction::max, Reduction::max});
  return rule;
}

IndexingRule maxPoolGradientRule(MaxPoolGradientOp op) {
  IndexingRule rule = emptyRule(op);
  auto [x, y] = poolFactors(rule, op.getX(), op.getGradient());
  rule.operands = {x, y};
  rule.results = {x};
  rule.addLinear({1});
  return rule;
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

IndexingRule groupedMatmulRule(GroupedMatmulOp op) {
  IndexingRule rule = emptyRule(op);
  ArrayRef<int64_t> weight = shapeOf(op.getWeight());
  int tokens = rule.addFactor(shapeOf(op.getX())[0], FactorKind::replicated);
  int experts = rule.addFactor(weight[0], FactorKind::replicated);
  int out = rule.addFactor(weight[1]), in = rule.addReduced(weight[2], Reduction::sum);
  rule.operands[0].dims = {{tokens}, {in}};
  rule.operands[1].dims = {{experts}, {out}, {in}};
  rule.operands[2].dims = {{experts}};
  rule.results[0].dims = {{tokens}, {out}};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

IndexingRule groupedMatmulWeightGradientRule(GroupedMatmulWeightGradientOp op) {
  IndexingRule rule = emptyRule(op);
  ArrayRef<int64_t> weight = shapeOf(op.getWeightGradient());
  int tokens = rule.addFactor(shapeOf(op.getX())[0], FactorKind::replicated);
  int experts = rule.addFactor(weight[0], FactorKind::replicated);
  int out = rule.addFactor(weight[1]), in = rule.addFactor(weight[2]);
  rule.operands[0].dims = {{tokens}, {in}};
  rule.operands[1].dims = {{tokens}, {out}};
  rule.operands[2].dims = {{experts}};
  rule.results[0].dims = {{experts}, {out}, {in}};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

} // namespace

void attachConvolutionRules(MLIRContext &context) {
  ConvolutionOp::attachInterface<PositionedRule<ConvolutionOp, convolutionRule, convolutionLocal>>(
      context);
  ConvolutionInputGradientOp::attachInterface<
      PositionedRule<ConvolutionInputGradientOp, convolutionInputGradientRule, inputGradientLocal>>(
      context);
  ConvolutionWeightGradientOp::attachInterface<PositionedRule<
      ConvolutionWeightGradientOp, convolutionWeightGradientRule, weightGradientLocal>>(context);
  MaxPoolOp::attachInterface<StatedRule<MaxPoolOp, maxPoolRule>>(context);
  MaxPoolGradientOp::attachInterface<StatedRule<MaxPoolGradientOp, maxPoolGradientRule>>(context);
  GroupedMatmulOp::attachInterface<StatedRule<GroupedMatmulOp, groupedMatmulRule>>(context);
  GroupedMatmulWeightGradientOp::attachInterface<
      StatedRule<GroupedMatmulWeightGradientOp, groupedMatmulWeightGradientRule>>(context);
}

} // namespace vescale::vs
