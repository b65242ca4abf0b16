//===- ElementwiseRules.cpp - Rules of elementwise ops --------------------------------------===//
//
// Every dim is one parallel factor of all operands and results. What differs is where partial
// operands pass: the comment at each group says why.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/rules/Rules.h"

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/vs/ElementwiseOps.h"
#include "layout/Layout.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using vescale::dist::IndexingRule;
using vescale::layout::Reduction;

namespace vescale::vs {
namespace {

using Passes = void (*)(IndexingRule &, Operation *);

template <class Op, Passes passes>
struct ElementwiseRule
    : dist::IndexingRuleOpInterface::ExternalModel<ElementwiseRule<Op, passes>, Op> {
  IndexingRule getIndexingRule(Operation *op) const {
    IndexingRule rule = IndexingRule::elementwise(
        cast<RankedTensorType>(op->getResult(0).getType()).getShape(),
        static_cast<int>(op->getNumOperands()), static_cast<int>(op->getNumResults()));
    passes(rule, op);
    return rule;
  }
};

bool isFloat(Operation *op) {
  return isa<FloatType>(cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
}

void nothing(IndexingRule &, Operation *) {}
void addition(IndexingRule &rule, Operation *) { rule.addLinear({0, 1}); }
void product(IndexingRule &rule, Operation *) {
  rule.addLinear({0});
  rule.addLinear({1});
}
/// Dividing by a common divisor distributes over a sum, but not where integers are truncated.
void quotient(IndexingRule &rule, Operation *op) {
  if (isFloat(op))
    rule.addLinear({0});
}
/// Negation is linear and turns maxima into minima. The least integer, where a device has nothing to
/// contribute to a maximum, is its own negative.
void negation(IndexingRule &rule, Operation *op) {
  rule.addLinear({0});
  if (!isFloat(op))
    return;
  rule.passes.push_back({{0}, Reduction::max, Reduction::min});
  rule.passes.push_back({{0}, Reduction::min, Reduction::max});
}
/// Functions that never fall: f(max(a, b)) = max(f(a), f(b)).
void increasing(IndexingRule &rule, Operation *) { rule.addMonotone({0}); }
/// max(max(a, b), max(c, d)) = max(max(a, c), max(b, d)); the minimum of maxima is none.
void maximum(IndexingRule &rule, Operation *) {
  rule.passes.push_back({{0, 1}, Reduction::max, Reduction::max});
}
void minimum(IndexingRule &rule, Operation *) {
  rule.passes.push_back({{0, 1}, Reduction::min, Reduction::min});
}
void bitAnd(IndexingRule &rule, Operation *) {
  rule.passes.push_back({{0, 1}, Reduction::bitAnd, Reduction::bitAnd});
}
void bitOr(IndexingRule &rule, Operation *) {
  rule.passes.push_back({{0, 1}, Reduction::bitOr, Reduction::bitOr});
}
/// De Morgan.
void complement(IndexingRule &rule, Operation *) {
  rule.passes.push_back({{0}, Reduction::bitAnd, Reduction::bitOr});
  rule.passes.push_back({{0}, Reduction::bitOr, Reduction::bitAnd});
}
/// The choice does not depend on the values chosen from. Between x and zeros it is linear in x.
void selection(IndexingRule &rule, Operation *op) {
  rule.addLinear({1, 2});
  for (int chosen : {1, 2})
    if (matchPattern(op->getOperand(3 - chosen), m_AnyZeroFloat()))
      rule.addLinear({chosen});
}
/// A cast that keeps every value keeps sums up to the rounding of the wider type; one that rounds
/// would round each contribution.
void conversion(IndexingRule &rule, Operation *op) {
  auto from = dyn_cast<FloatType>(cast<RankedTensorType>(op->getOperand(0).getType()).getElementType());
  auto to = dyn_cast<FloatType>(cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  if (!from || !to)
    return;
  rule.addMonotone({0});
  if (from == to || (to.getFPMantissaWidth() >= from.getFPMantissaWidth() &&
                     to.getWidth() > from.getWidth()))
    rule.addLinear({0});
}

template <Passes passes, class... Ops> void attach(MLIRContext &context) {
  (Ops::template attachInterface<ElementwiseRule<Ops, passes>>(context), ...);
}

} // namespace

void attachElementwiseRules(MLIRContext &context) {
  attach<nothing, AbsOp, ReciprocalOp, SinOp, CosOp, SiluOp, GeluOp, IsFiniteOp, RemainderOp, PowOp,
         XorOp, CompareOp, ClampOp>(context);
  attach<increasing, SignOp, ExpOp, Expm1Op, TanhOp, ErfOp, SigmoidOp, ReluOp, FloorOp, CeilOp,
         RoundOp>(context);
  // Not defined on all numbers: a contribution may be negative where the value is not.
  attach<nothing, LogOp, Log1pOp, SqrtOp, RsqrtOp>(context);
  attach<addition, AddOp, SubOp>(context);
  attach<product, MulOp>(context);
  attach<quotient, DivOp>(context);
  attach<negation, NegOp>(context);
  attach<maximum, MaximumOp>(context);
  attach<minimum, MinimumOp>(context);
  attach<bitAnd, AndOp>(context);
  attach<bitOr, OrOp>(context);
  attach<complement, NotOp>(context);
  attach<selection, SelectOp>(context);
  attach<conversion, CastOp>(context);
}

} // namespace vescale::vs
