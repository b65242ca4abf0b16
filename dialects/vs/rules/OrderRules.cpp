//===- OrderRules.cpp - Rules of scans and orders along a dim -------------------------------===//
//
// The dim that is ordered or summed up is whole on each device; all others are parallel.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/ReductionOps.h"

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;
using vescale::dist::TensorFactors;

namespace vescale::vs {
namespace {

/// The factors of `x`, of which that of `dim` must be whole.
TensorFactors wholeAlong(IndexingRule &rule, Value x, int64_t dim) {
  TensorFactors tensor = newFactors(rule, shapeOf(x));
  rule.factors[tensor.dims[dim][0]].kind = FactorKind::replicated;
  return tensor;
}

IndexingRule argMaxRule(ArgMaxOp op) {
  IndexingRule rule = emptyRule(op);
  rule.operands[0] = wholeAlong(rule, op.getX(), op.getDim());
  rule.results[0] = rule.operands[0];
  rule.results[0].dims.erase(rule.results[0].dims.begin() + op.getDim());
  return rule;
}

IndexingRule cumulativeSumRule(CumulativeSumOp op) {
  IndexingRule rule = emptyRule(op);
  rule.operands[0] = wholeAlong(rule, op.getX(), op.getDim());
  rule.results[0] = rule.operands[0];
  rule.addLinear({0});
  return rule;
}

IndexingRule sortRule(SortOp op) {
  IndexingRule rule = emptyRule(op);
  rule.operands[0] = wholeAlong(rule, op.getX(), op.getDim());
  rule.results.assign(2, rule.operands[0]);
  return rule;
}

IndexingRule topKRule(TopKOp op) {
  IndexingRule rule = emptyRule(op);
  int64_t last = static_cast<int64_t>(shapeOf(op.getX()).size()) - 1;
  rule.operands[0] = wholeAlong(rule, op.getX(), last);
  rule.results.assign(2, rule.operands[0]);
  int chosen = rule.addFactor(op.getK(), FactorKind::replicated);
  for (TensorFactors &result : rule.results)
    result.dims[last] = {chosen};
  return rule;
}

} // namespace

void attachOrderRules(MLIRContext &context) {
  ArgMaxOp::attachInterface<StatedRule<ArgMaxOp, argMaxRule>>(context);
  CumulativeSumOp::attachInterface<StatedRule<CumulativeSumOp, cumulativeSumRule>>(context);
  SortOp::attachInterface<StatedRule<SortOp, sortRule>>(context);
  TopKOp::attachInterface<StatedRule<TopKOp, topKRule>>(context);
}

} // namespace vescale::vs
