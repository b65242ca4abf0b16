//===- Unary.cpp - element forms of unary ops -----------------------------===//

#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/VsDialect.h"
#include "dialects/vs/ElementwiseOps.h"

using namespace mlir;

namespace vescale::elements {
namespace {

/// The element form of an op of one operand, `build(builder, op, x)`.
template <typename Op, Value (*build)(ImplicitLocOpBuilder &, Op, Value)>
struct UnaryModel : ElementOpInterface::ExternalModel<UnaryModel<Op, build>, Op> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     llvm::function_ref<Value(unsigned, ValueRange)> read) const {
    return build(b, llvm::cast<Op>(op), read(0, indices));
  }
};

template <typename Op, typename Math> Value real(ImplicitLocOpBuilder &b, Op, Value x) {
  return b.create<Math>(x);
}

Value absolute(ImplicitLocOpBuilder &b, vs::AbsOp, Value x) {
  if (isa<FloatType>(x.getType()))
    return b.create<math::AbsFOp>(x);
  return b.create<math::AbsIOp>(x);
}

Value negate(ImplicitLocOpBuilder &b, vs::NegOp, Value x) {
  if (isa<FloatType>(x.getType()))
    return b.create<arith::NegFOp>(x);
  return b.create<arith::SubIOp>(constantOf(b, x.getType(), 0), x);
}

Value sign(ImplicitLocOpBuilder &b, vs::SignOp, Value x) {
  Type type = x.getType();
  Value zero = constantOf(b, type, 0), one = constantOf(b, type, 1), minusOne = constantOf(b, type, -1);
  Value above, below;
  if (isa<FloatType>(type)) {
    above = b.create<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, zero);
    below = b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, zero);
  } else {
    above = b.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, x, zero);
    below = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, x, zero);
  }
  // x itself where it is neither: 0 keeps its sign and NaN stays.
  return b.create<arith::SelectOp>(above, one, b.create<arith::SelectOp>(below, minusOne, x));
}

Value reciprocalOf(ImplicitLocOpBuilder &b, Value x) {
  return b.create<arith::DivFOp>(constantOf(b, x.getType(), 1), x);
}

Value rsqrt(ImplicitLocOpBuilder &b, vs::RsqrtOp, Value x) {
  return reciprocalOf(b, b.create<math::SqrtOp>(x));
}

Value reciprocal(ImplicitLocOpBuilder &b, vs::ReciprocalOp, Value x) { return reciprocalOf(b, x); }

Value logistic(ImplicitLocOpBuilder &b, Value x) {
  Value e = b.create<math::ExpOp>(b.create<arith::NegFOp>(x));
  return reciprocalOf(b, add(b, constantOf(b, x.getType(), 1), e));
}

Value sigmoid(ImplicitLocOpBuilder &b, vs::SigmoidOp, Value x) { return logistic(b, x); }

Value silu(ImplicitLocOpBuilder &b, vs::SiluOp, Value x) { return mul(b, x, logistic(b, x)); }

Value relu(ImplicitLocOpBuilder &b, vs::ReluOp, Value x) {
  Value zero = constantOf(b, x.getType(), 0);
  if (isa<FloatType>(x.getType()))
    return b.create<arith::MaximumFOp>(x, zero);
  return b.create<arith::MaxSIOp>(x, zero);
}

Value gelu(ImplicitLocOpBuilder &b, vs::GeluOp op, Value x) {
  auto constant = [&](double value) { return constantOf(b, x.getType(), value); };
  Value inner;
  if (op.getApproximate()) {
    constexpr double sqrtTwoOverPi = 0.79788456080286535588;
    Value cube = mul(b, mul(b, x, x), x);
    Value t = mul(b, constant(sqrtTwoOverPi), add(b, x, mul(b, constant(0.044715), cube)));
    inner = b.create<math::TanhOp>(t);
  } else {
    constexpr double sqrtHalf = 0.70710678118654752440;
    inner = b.create<math::ErfOp>(mul(b, x, constant(sqrtHalf)));
  }
  return mul(b, mul(b, constant(0.5), x), add(b, constant(1), inner));
}

Value bitwiseNot(ImplicitLocOpBuilder &b, vs::NotOp, Value x) {
  return b.create<arith::XOrIOp>(x, constantOf(b, x.getType(), -1));
}

Value isFinite(ImplicitLocOpBuilder &b, vs::IsFiniteOp, Value x) {
  Value infinity = constantOf(b, x.getType(), std::numeric_limits<double>::infinity());
  return b.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, b.create<math::AbsFOp>(x), infinity);
}

/// Floating point to integer: toward zero, saturating, NaN to 0.
Value toInteger(ImplicitLocOpBuilder &b, Value x, IntegerType to, bool isUnsigned) {
  unsigned width = to.getWidth();
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1); // First value that is too large.
  Type type = x.getType();
  auto constant = [&](APInt value) -> Value {
    return b.create<arith::ConstantOp>(b.getIntegerAttr(to, value));
  };
  auto compare = [&](arith::CmpFPredicate predicate, double limit) -> Value {
    return b.create<arith::CmpFOp>(predicate, x, constantOf(b, type, limit));
  };
  Value above = compare(arith::CmpFPredicate::OGE, high);
  Value inside = b.create<arith::AndIOp>(compare(arith::CmpFPredicate::OGE, low),
                                         compare(arith::CmpFPredicate::OLT, high));
  Value below = compare(arith::CmpFPredicate::OLT, low);
  Value safe = b.create<arith::SelectOp>(inside, x, constantOf(b, type, 0));
  Value result = isUnsigned ? Value(b.create<arith::FPToUIOp>(to, safe))
                            : Value(b.create<arith::FPToSIOp>(to, safe));
  APInt max = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  APInt min = isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  result = b.create<arith::SelectOp>(above, constant(max), result);
  return b.create<arith::SelectOp>(below, constant(min), result);
}

Value castElement(ImplicitLocOpBuilder &b, vs::CastOp op, Value x) {
  Type from = llvm::cast<RankedTensorType>(op.getX().getType()).getElementType();
  Type declared = llvm::cast<RankedTensorType>(op.getType()).getElementType();
  bool fromUnsigned = from.isUnsignedInteger(), toUnsigned = declared.isUnsignedInteger();
  Type computed = x.getType();
  if (auto real = dyn_cast<FloatType>(declared)) {
    Type result = real.getWidth() < 32 ? Type(b.getF32Type()) : declared;
    if (auto source = dyn_cast<FloatType>(computed)) {
      if (source.getWidth() < cast<FloatType>(result).getWidth())
        x = b.create<arith::ExtFOp>(result, x);
      else if (source.getWidth() > cast<FloatType>(result).getWidth())
        x = b.create<arith::TruncFOp>(result, x);
    } else if (fromUnsigned || computed.isInteger(1)) {
      x = b.create<arith::UIToFPOp>(result, x);
    } else {
      x = b.create<arith::SIToFPOp>(result, x);
    }
    // Rounded to the declared type, though computed in a wider one: that is what a cast is for.
    if (real.getWidth() < 32)
      x = b.create<arith::ExtFOp>(result, Value(b.create<arith::TruncFOp>(declared, x)));
    return x;
  }
  auto to = IntegerType::get(b.getContext(), declared.getIntOrFloatBitWidth());
  if (isa<FloatType>(computed)) {
    if (to.getWidth() == 1)
      return b.create<arith::CmpFOp>(arith::CmpFPredicate::UNE, x, constantOf(b, computed, 0));
    return toInteger(b, x, to, toUnsigned);
  }
  unsigned width = computed.getIntOrFloatBitWidth();
  if (to.getWidth() == 1)
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, x, constantOf(b, computed, 0));
  if (to.getWidth() > width)
    return fromUnsigned || width == 1 ? Value(b.create<arith::ExtUIOp>(to, x))
                                      : Value(b.create<arith::ExtSIOp>(to, x));
  return to.getWidth() < width ? Value(b.create<arith::TruncIOp>(to, x)) : x;
}

} // namespace

void registerUnary(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::AbsOp::attachInterface<UnaryModel<vs::AbsOp, absolute>>(*context);
    vs::NegOp::attachInterface<UnaryModel<vs::NegOp, negate>>(*context);
    vs::SignOp::attachInterface<UnaryModel<vs::SignOp, sign>>(*context);
    vs::ExpOp::attachInterface<UnaryModel<vs::ExpOp, real<vs::ExpOp, math::ExpOp>>>(*context);
    vs::Expm1Op::attachInterface<UnaryModel<vs::Expm1Op, real<vs::Expm1Op, math::ExpM1Op>>>(*context);
    vs::LogOp::attachInterface<UnaryModel<vs::LogOp, real<vs::LogOp, math::LogOp>>>(*context);
    vs::Log1pOp::attachInterface<UnaryModel<vs::Log1pOp, real<vs::Log1pOp, math::Log1pOp>>>(*context);
    vs::SqrtOp::attachInterface<UnaryModel<vs::SqrtOp, real<vs::SqrtOp, math::SqrtOp>>>(*context);
    vs::SinOp::attachInterface<UnaryModel<vs::SinOp, real<vs::SinOp, math::SinOp>>>(*context);
    vs::CosOp::attachInterface<UnaryModel<vs::CosOp, real<vs::CosOp, math::CosOp>>>(*context);
    vs::TanhOp::attachInterface<UnaryModel<vs::TanhOp, real<vs::TanhOp, math::TanhOp>>>(*context);
    vs::ErfOp::attachInterface<UnaryModel<vs::ErfOp, real<vs::ErfOp, math::ErfOp>>>(*context);
    vs::FloorOp::attachInterface<UnaryModel<vs::FloorOp, real<vs::FloorOp, math::FloorOp>>>(*context);
    vs::CeilOp::attachInterface<UnaryModel<vs::CeilOp, real<vs::CeilOp, math::CeilOp>>>(*context);
    vs::RoundOp::attachInterface<UnaryModel<vs::RoundOp, real<vs::RoundOp, math::RoundEvenOp>>>(*context);
    vs::RsqrtOp::attachInterface<UnaryModel<vs::RsqrtOp, rsqrt>>(*context);
    vs::ReciprocalOp::attachInterface<UnaryModel<vs::ReciprocalOp, reciprocal>>(*context);
    vs::SigmoidOp::attachInterface<UnaryModel<vs::SigmoidOp, sigmoid>>(*context);
    vs::SiluOp::attachInterface<UnaryModel<vs::SiluOp, silu>>(*context);
    vs::ReluOp::attachInterface<UnaryModel<vs::ReluOp, relu>>(*context);
    vs::GeluOp::attachInterface<UnaryModel<vs::GeluOp, gelu>>(*context);
    vs::NotOp::attachInterface<UnaryModel<vs::NotOp, bitwiseNot>>(*context);
    vs::IsFiniteOp::attachInterface<UnaryModel<vs::IsFiniteOp, isFinite>>(*context);
    vs::CastOp::attachInterface<UnaryModel<vs::CastOp, castElement>>(*context);
  });
}

} // namespace vescale::elements
