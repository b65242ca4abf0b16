//===- AttentionRules.cpp - Rules of attention and its gradient -----------------------------===//
//
// Query heads are (key heads, query heads of one key head): a cut of the first part cuts the key
// heads alike, a cut of the second leaves them whole, and their gradients are sums over it. The key
// sequence and the head size are whole on each device.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/AttentionOps.h"
#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"


#include "mlir/IR/Builders.h"

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;
using vescale::dist::LocalDim;
using vescale::dist::TensorFactors;
using vescale::layout::Reduction;

namespace vescale::vs {
namespace {

/// The factors of an attention and the tensors that consist of them.
template <class Op> struct AttentionFactors {
  /// `addFactor` adds a factor of batch, heads or query sequence.
  AttentionFactors(IndexingRule &rule, Op op, function_ref<int(int64_t)> addFactor) {
    ArrayRef<int64_t> query = shapeOf(op.getQ()), key = shapeOf(op.getK());
    SmallVector<int, 2> batch = {addFactor(query[0])};
    // A part of size 1 is no factor: a cut would fall on either part.
    SmallVector<int, 2> keyHeads, heads;
    if (key[1] != 1)
      keyHeads.push_back(addFactor(key[1]));
    heads = keyHeads;
    if (key[1] != 0 && query[1] != key[1])
      heads.push_back(addFactor(query[1] / key[1]));
    SmallVector<int, 2> queries = {addFactor(query[2])};
    auto whole = [&](int64_t size) {
      return SmallVector<int, 2>{rule.addFactor(size, FactorKind::replicated)};
    };
    SmallVector<int, 2> keys = whole(key[2]), headSize = whole(key[3]);
    SmallVector<int, 2> valueSize = whole(shapeOf(op.getV())[3]);
    q.dims = {batch, heads, queries, headSize};
    k.dims = {batch, keyHeads, keys, headSize};
    v.dims = {batch, keyHeads, keys, valueSize};
    output.dims = {batch, heads, queries, valueSize};
    logSumExp.dims = {batch, heads, queries};
    if (!op.getBias())
      return;
    ArrayRef<int64_t> shape = shapeOf(op.getBias());
    SmallVector<int, 2> none;
    bias.dims = {shape[0] == query[0] ? batch : none, shape[1] == query[1] ? heads : none, queries,
                 keys};
  }

  TensorFactors q, k, v, output, logSumExp, bias;
};

/// The operands that both ops begin with, in their order.
template <class Op>
SmallVector<TensorFactors, 2> leadingOperands(Op op, const AttentionFactors<Op> &factors) {
  SmallVector<TensorFactors, 2> operands = {factors.q, factors.k, factors.v};
  if (op.getBias())
    operands.push_back(factors.bias);
  if (op.getRng())
    operands.emplace_back();
  return operands;
}

/// The op takes one start position of each dim of the scores that its masks depend on: dropout on
/// all, a causal mask on the query.
template <class Op> void needPositions(IndexingRule &rule, Op op, const TensorFactors &q) {
  for (int dim = 0; dim < 3; ++dim)
    if (op.drawsRandomNumbers() || (op.getCausal() && dim == 2))
      rule.require(q.dims[dim], dist::Pieces::consecutive);
}

IndexingRule attentionRule(AttentionOp op) {
  IndexingRule rule = emptyRule(op);
  AttentionFactors<AttentionOp> f(rule, op, [&](int64_t size) { return rule.addFactor(size); });
  rule.operands = leadingOperands(op, f);
  rule.operands.append(op.getPositions().size(), TensorFactors());
  rule.results = {f.output, f.logSumExp};
  needPositions(rule, op, f.q);
  return rule;
}

IndexingRule attentionGradientRule(AttentionGradientOp op) {
  IndexingRule rule = emptyRule(op);
  AttentionFactors<AttentionGradientOp> f(
      rule, op, [&](int64_t size) { return rule.addKeptOrReduced(size, Reduction::sum); });
  rule.operands = leadingOperands(op, f);
  rule.operands.append({f.output, f.logSumExp, f.output});
  rule.operands.append(op.getPositions().size(), TensorFactors());
  rule.results = {f.q, f.k, f.v};
  if (op.getBiasGradient())
    rule.results.push_back(f.bias);
  rule.addLinear({static_cast<int>(op.getGradientMutable().getOperandNumber())});
  needPositions(rule, op, f.q);
  return rule;
}

/// Masks follow positions in the whole attention. Only what they depend on is stated: without
/// dropout the head does not matter, without either nothing does.
template <class Op> LocalForm::Results attentionLocal(LocalForm &form, Op op) {
  ArrayRef<LocalDim> q = form.context.operands[0].dims;
  const LocalDim &keys = form.context.operands[1].dims[2];
  bool draws = op.drawsRandomNumbers();
  auto cut = [](const LocalDim &dim) { return !dim.whole; };
  bool positioned = (draws && llvm::any_of(q.take_front(3), cut)) || (op.getCausal() && cut(q[2]));
  if (!positioned || !op.getPositions().empty())
    return form.clone();
  SmallVector<Value> positions;
  LocalDim start;
  start.offset = form.builder.getIndexAttr(0);
  for (int dim = 0; dim < 3; ++dim)
    positions.push_back(form.offsetIndex(draws || dim == 2 ? q[dim] : start));
  positions.push_back(form.offsetIndex(keys));

  SmallVector<Value> operands(form.operands);
  operands.append(positions);
  OperationState state(op.getLoc(), op->getName(), operands, form.resultTypes, op->getAttrs());
  state.attributes.set("global_sizes", form.builder.getDenseI64ArrayAttr(
                                           {q[1].globalSize, q[2].globalSize, keys.globalSize}));
  auto segments = llvm::to_vector(op.getProperties().operandSegmentSizes);
  segments.back() = 4;
  state.attributes.set(op.getOperandSegmentSizesAttrName(),
                       form.builder.getDenseI32ArrayAttr(segments));
  return SmallVector<Value>(form.builder.create(state)->getResults());
}

} // namespace

void attachAttentionRules(MLIRContext &context) {
  AttentionOp::attachInterface<
      PositionedRule<AttentionOp, attentionRule, attentionLocal<AttentionOp>>>(context);
  AttentionGradientOp::attachInterface<PositionedRule<AttentionGradientOp, attentionGradientRule,
                                                      attentionLocal<AttentionGradientOp>>>(
      context);
}

} // namespace vescale::vs
