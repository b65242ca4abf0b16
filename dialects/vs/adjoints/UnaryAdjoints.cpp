//===- UnaryAdjoints.cpp - Adjoints of unary ops ----------------------------------------------===//

#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

using namespace mlir;

namespace vescale::vs {
namespace {

constexpr double twoOverSqrtPi = 1.12837916709551257390;
constexpr double sqrtHalf = 0.70710678118654752440;
constexpr double sqrtTwoOverPi = 0.79788456080286535588;

Gradients absolute(Formula &f, AbsOp op, Value g) { return {f.mul(g, f.op<SignOp>(op.getX()))}; }
Gradients negate(Formula &f, NegOp, Value g) { return {f.neg(g)}; }
Gradients exponential(Formula &f, ExpOp op, Value g) { return {f.mul(g, op.getResult())}; }
Gradients expm1(Formula &f, Expm1Op op, Value g) { return {f.mul(g, f.add(op.getResult(), 1))}; }
Gradients logarithm(Formula &f, LogOp op, Value g) { return {f.div(g, op.getX())}; }
Gradients log1p(Formula &f, Log1pOp op, Value g) { return {f.div(g, f.add(op.getX(), 1))}; }
Gradients squareRoot(Formula &f, SqrtOp op, Value g) {
  return {f.div(f.mul(g, 0.5), op.getResult())};
}
Gradients rsqrt(Formula &f, RsqrtOp op, Value g) {
  Value y = op.getResult();
  return {f.mul(f.mul(g, -0.5), f.mul(y, f.square(y)))};
}
Gradients reciprocal(Formula &f, ReciprocalOp op, Value g) {
  return {f.neg(f.mul(g, f.square(op.getResult())))};
}
Gradients sine(Formula &f, SinOp op, Value g) { return {f.mul(g, f.op<CosOp>(op.getX()))}; }
Gradients cosine(Formula &f, CosOp op, Value g) { return {f.neg(f.mul(g, f.op<SinOp>(op.getX())))}; }

/// 1 - a.
Value complement(Formula &f, Value a) { return f.sub(f.constant(a, 1), a); }

Gradients tanh(Formula &f, TanhOp op, Value g) {
  return {f.mul(g, complement(f, f.square(op.getResult())))};
}
Gradients erf(Formula &f, ErfOp op, Value g) {
  return {f.mul(g, f.mul(f.exp(f.neg(f.square(op.getX()))), twoOverSqrtPi))};
}
Gradients sigmoid(Formula &f, SigmoidOp op, Value g) {
  Value y = op.getResult();
  return {f.mul(g, f.mul(y, complement(f, y)))};
}
Gradients relu(Formula &f, ReluOp op, Value g) {
  Value positive = f.compare(ComparePredicate::Gt, op.getX(), f.zeros(op.getX()));
  return {f.select(positive, g, f.zeros(g))};
}
Gradients silu(Formula &f, SiluOp op, Value g) {
  // s + x s (1 - s), with s = sigmoid(x).
  Value x = op.getX(), s = f.op<SigmoidOp>(x);
  return {f.mul(g, f.add(s, f.mul(f.mul(x, s), complement(f, s))))};
}
Gradients gelu(Formula &f, GeluOp op, Value g) {
  Value x = op.getX();
  Value slope;
  if (op.getApproximate()) {
    // With t = tanh(c (x + a x^3)): (1 + t) / 2 + x / 2 (1 - t^2) c (1 + 3 a x^2).
    constexpr double a = 0.044715;
    Value square = f.square(x);
    Value inner = f.mul(f.add(x, f.mul(f.mul(square, x), a)), sqrtTwoOverPi);
    Value t = f.op<TanhOp>(inner);
    Value derivative = f.mul(f.add(f.mul(square, 3 * a), 1), sqrtTwoOverPi);
    Value second = f.mul(f.mul(f.mul(x, 0.5), complement(f, f.square(t))), derivative);
    slope = f.add(f.mul(f.add(t, 1), 0.5), second);
  } else {
    // Phi(x) + x phi(x).
    Value phi = f.mul(f.add(f.op<ErfOp>(f.mul(x, sqrtHalf)), 1), 0.5);
    Value density = f.mul(f.exp(f.mul(f.square(x), -0.5)), 0.5 * sqrtTwoOverPi);
    slope = f.add(phi, f.mul(x, density));
  }
  return {f.mul(g, slope)};
}
Gradients castBack(Formula &f, CastOp op, Value g) {
  Type from = Formula::elementType(op.getX());
  if (!isa<FloatType>(from) || !isa<FloatType>(Formula::elementType(g)))
    return {Value()};
  return {f.cast(g, from)};
}

} // namespace

void registerUnaryAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    AbsOp::attachInterface<AdjointModel<AbsOp, absolute>>(*context);
    NegOp::attachInterface<AdjointModel<NegOp, negate>>(*context);
    ExpOp::attachInterface<AdjointModel<ExpOp, exponential>>(*context);
    Expm1Op::attachInterface<AdjointModel<Expm1Op, expm1>>(*context);
    LogOp::attachInterface<AdjointModel<LogOp, logarithm>>(*context);
    Log1pOp::attachInterface<AdjointModel<Log1pOp, log1p>>(*context);
    SqrtOp::attachInterface<AdjointModel<SqrtOp, squareRoot>>(*context);
    RsqrtOp::attachInterface<AdjointModel<RsqrtOp, rsqrt>>(*context);
    ReciprocalOp::attachInterface<AdjointModel<ReciprocalOp, reciprocal>>(*context);
    SinOp::attachInterface<AdjointModel<SinOp, sine>>(*context);
    CosOp::attachInterface<AdjointModel<CosOp, cosine>>(*context);
    TanhOp::attachInterface<AdjointModel<TanhOp, tanh>>(*context);
    ErfOp::attachInterface<AdjointModel<ErfOp, erf>>(*context);
    SigmoidOp::attachInterface<AdjointModel<SigmoidOp, sigmoid>>(*context);
    ReluOp::attachInterface<AdjointModel<ReluOp, relu>>(*context);
    SiluOp::attachInterface<AdjointModel<SiluOp, silu>>(*context);
    GeluOp::attachInterface<AdjointModel<GeluOp, gelu>>(*context);
    CastOp::attachInterface<AdjointModel<CastOp, castBack>>(*context);
    SignOp::attachInterface<NoAdjointModel<SignOp>>(*context);
    FloorOp::attachInterface<NoAdjointModel<FloorOp>>(*context);
    CeilOp::attachInterface<NoAdjointModel<CeilOp>>(*context);
    RoundOp::attachInterface<NoAdjointModel<RoundOp>>(*context);
    NotOp::attachInterface<NoAdjointModel<NotOp>>(*context);
    IsFiniteOp::attachInterface<NoAdjointModel<IsFiniteOp>>(*context);
  });
}

} // namespace vescale::vs
