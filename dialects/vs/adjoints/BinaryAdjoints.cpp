//===- BinaryAdjoints.cpp - Adjoints of binary and ternary ops --------------------------------===//

#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

using namespace mlir;

namespace vescale::vs {
namespace {

Gradients add(Formula &, AddOp, Value g) { return {g, g}; }
Gradients subtract(Formula &f, SubOp, Value g) { return {g, f.neg(g)}; }
Gradients multiply(Formula &f, MulOp op, Value g) {
  return {f.mul(g, op.getRhs()), f.mul(g, op.getLhs())};
}
Gradients divide(Formula &f, DivOp op, Value g) {
  Value quotient = f.div(g, op.getRhs());
  return {quotient, f.neg(f.mul(quotient, op.getResult()))};
}
Gradients remainder(Formula &f, RemainderOp op, Value g) {
  // lhs - rhs * trunc(lhs / rhs), where the truncated quotient is (lhs - result) / rhs.
  Value quotient = f.op<RoundOp>(f.div(f.sub(op.getLhs(), op.getResult()), op.getRhs()));
  return {g, f.neg(f.mul(g, quotient))};
}
Gradients power(Formula &f, PowOp op, Value g) {
  Value base = op.getLhs(), exponent = op.getRhs();
  Value lower = f.op<PowOp>(base, f.add(exponent, -1));
  // 0^y has slope 0 in y for every positive y, though log(0) is infinite.
  Value isZero = f.compare(ComparePredicate::Eq, base, f.zeros(base));
  Value slope = f.select(isZero, f.zeros(base), f.mul(op.getResult(), f.log(base)));
  return {f.mul(g, f.mul(exponent, lower)), f.mul(g, slope)};
}

/// The gradient goes to the operand that was chosen; where both are equal each gets half, as in PyTorch.
Gradients chosen(Formula &f, Value lhs, Value rhs, ComparePredicate lhsWins, ComparePredicate rhsWins,
                 Value g) {
  Value half = f.mul(g, 0.5), zero = f.zeros(g);
  Value left = f.compare(lhsWins, lhs, rhs), right = f.compare(rhsWins, lhs, rhs);
  return {f.select(left, g, f.select(right, zero, half)), f.select(right, g, f.select(left, zero, half))};
}
Gradients maximum(Formula &f, MaximumOp op, Value g) {
  return chosen(f, op.getLhs(), op.getRhs(), ComparePredicate::Gt, ComparePredicate::Lt, g);
}
Gradients minimum(Formula &f, MinimumOp op, Value g) {
  return chosen(f, op.getLhs(), op.getRhs(), ComparePredicate::Lt, ComparePredicate::Gt, g);
}

Gradients select(Formula &f, SelectOp op, Value g) {
  Value zero = f.zeros(g);
  return {Value(), f.select(op.getPredicate(), g, zero), f.select(op.getPredicate(), zero, g)};
}

Gradients clamp(Formula &f, ClampOp op, Value g) {
  // min(max(x, low), high): the upper bound wins where the bounds cross.
  Value zero = f.zeros(g);
  Value raised = f.compare(ComparePredicate::Lt, op.getX(), op.getLow());
  Value lowered = f.compare(ComparePredicate::Gt, f.op<MaximumOp>(op.getX(), op.getLow()), op.getHigh());
  return {f.select(lowered, zero, f.select(raised, zero, g)),
          f.select(lowered, zero, f.select(raised, g, zero)), f.select(lowered, g, zero)};
}

} // namespace

void registerBinaryAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    AddOp::attachInterface<AdjointModel<AddOp, add>>(*context);
    SubOp::attachInterface<AdjointModel<SubOp, subtract>>(*context);
    MulOp::attachInterface<AdjointModel<MulOp, multiply>>(*context);
    DivOp::attachInterface<AdjointModel<DivOp, divide>>(*context);
    RemainderOp::attachInterface<AdjointModel<RemainderOp, remainder>>(*context);
    PowOp::attachInterface<AdjointModel<PowOp, power>>(*context);
    MaximumOp::attachInterface<AdjointModel<MaximumOp, maximum>>(*context);
    MinimumOp::attachInterface<AdjointModel<MinimumOp, minimum>>(*context);
    SelectOp::attachInterface<AdjointModel<SelectOp, select>>(*context);
    ClampOp::attachInterface<AdjointModel<ClampOp, clamp>>(*context);
    AndOp::attachInterface<NoAdjointModel<AndOp>>(*context);
    OrOp::attachInterface<NoAdjointModel<OrOp>>(*context);
    XorOp::attachInterface<NoAdjointModel<XorOp>>(*context);
    CompareOp::attachInterface<NoAdjointModel<CompareOp>>(*context);
  });
}

} // namespace vescale::vs
