//===- Elementwise.cpp - One element of the result from one of each operand -----------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/StructureOps.h"

#include <cmath>

using namespace mlir;

namespace vescale::analysis {
namespace {

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

using Real1 = double (*)(double);
using Integer1 = int64_t (*)(int64_t);

template <class Op, Real1 real, Integer1 integer = nullptr>
Results unary(Op op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i) {
    if (result.isReal())
      result.setReal(i, real(operands[0]->real(i)));
    else if constexpr (integer != nullptr)
      result.setInteger(i, integer(operands[0]->integer(i)));
  }
  return one(std::move(result));
}

double absolute(double x) { return std::abs(x); }
/// In unsigned arithmetic, where the least integer is its own negative.
int64_t negateInteger(int64_t x) { return static_cast<int64_t>(-static_cast<uint64_t>(x)); }
int64_t absoluteInteger(int64_t x) { return x < 0 ? negateInteger(x) : x; }
double negate(double x) { return -x; }
double sign(double x) { return std::isnan(x) ? x : (x > 0) - (x < 0); }
int64_t signInteger(int64_t x) { return (x > 0) - (x < 0); }
double reciprocal(double x) { return 1 / x; }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double relu(double x) { return x < 0 ? 0 : x; }
int64_t reluInteger(int64_t x) { return x < 0 ? 0 : x; }
double silu(double x) { return x / (1 + std::exp(-x)); }
double exponential(double x) { return std::exp(x); }
double exponentialLess1(double x) { return std::expm1(x); }
double logarithm(double x) { return std::log(x); }
double logarithm1(double x) { return std::log1p(x); }
double squareRoot(double x) { return std::sqrt(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double hyperbolicTangent(double x) { return std::tanh(x); }
double errorFunction(double x) { return std::erf(x); }
double floorOf(double x) { return std::floor(x); }
double ceilOf(double x) { return std::ceil(x); }
double roundOf(double x) { return std::nearbyint(x); }

Results complement(vs::NotOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i)
    result.setInteger(i, ~operands[0]->integer(i));
  return one(std::move(result));
}

Results gelu(vs::GeluOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i) {
    double x = operands[0]->real(i);
    double phi = op.getApproximate() ? std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))
                                     : std::erf(x / std::sqrt(2.0));
    result.setReal(i, x / 2 * (1 + phi));
  }
  return one(std::move(result));
}

Results isFinite(vs::IsFiniteOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i)
    result.setInteger(i, std::isfinite(operands[0]->real(i)));
  return one(std::move(result));
}

/// Toward zero, as far as the type reaches; NaN is 0.
int64_t truncated(ElementType type, double x) {
  if (std::isnan(x))
    return 0;
  x = std::trunc(x);
  if (x <= static_cast<double>(lowest(type)))
    return lowest(type);
  if (x >= static_cast<double>(highest(type)))
    return highest(type);
  return static_cast<int64_t>(x);
}

Results convert(vs::CastOp op, Operands operands) {
  const Tensor &x = *operands[0];
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i) {
    if (result.isReal())
      result.setReal(i, x.real(i));
    else if (result.type() == ElementType::i1)
      result.setInteger(i, x.real(i) != 0);
    else if (x.isReal())
      result.setInteger(i, truncated(result.type(), x.real(i)));
    else
      result.setInteger(i, x.integer(i));
  }
  return one(std::move(result));
}

Results passOn(Operation *, Operands operands) { return one(*operands[0]); }

//===----------------------------------------------------------------------===//
// Functions of two and three elements
//===----------------------------------------------------------------------===//

using Real2 = double (*)(double, double);
using Integer2 = int64_t (*)(int64_t, int64_t);

template <class Op, Real2 real, Integer2 integer> Results binary(Op op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i) {
    if (result.isReal())
      result.setReal(i, real(operands[0]->real(i), operands[1]->real(i)));
    else
      result.setInteger(i, integer(operands[0]->integer(i), operands[1]->integer(i)));
  }
  return one(std::move(result));
}

/// Refuses integer operands that have no quotient.
template <class Op, Real2 real, Integer2 integer> Results quotient(Op op, Operands operands) {
  const Tensor &divisor = *operands[1];
  if (!divisor.isReal())
    for (int64_t i = 0; i < divisor.elements(); ++i)
      if (divisor.integer(i) == 0)
        return op.emitOpError() << "divides element " << indexText(divisor.shape(), i) << " by 0",
               failure();
  return binary<Op, real, integer>(op, operands);
}

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) { return std::fmod(a, b); }
double power(double a, double b) { return std::pow(a, b); }
double maximum(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double minimum(double a, double b) { return std::isnan(a) || a < b ? a : b; }
double noReal(double, double) { return std::nan(""); }

int64_t addIntegers(int64_t a, int64_t b) { return uint64_t(a) + uint64_t(b); }
int64_t subtractIntegers(int64_t a, int64_t b) { return uint64_t(a) - uint64_t(b); }
int64_t multiplyIntegers(int64_t a, int64_t b) { return uint64_t(a) * uint64_t(b); }
int64_t divideIntegers(int64_t a, int64_t b) { return b == -1 ? negateInteger(a) : a / b; }
int64_t remainderIntegers(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
int64_t maximumIntegers(int64_t a, int64_t b) { return std::max(a, b); }
int64_t minimumIntegers(int64_t a, int64_t b) { return std::min(a, b); }
int64_t bitAnd(int64_t a, int64_t b) { return a & b; }
int64_t bitOr(int64_t a, int64_t b) { return a | b; }
int64_t bitXor(int64_t a, int64_t b) { return a ^ b; }
int64_t noInteger(int64_t, int64_t) { return 0; }

template <class Number> bool holds(vs::ComparePredicate predicate, Number a, Number b) {
  switch (predicate) {
  case vs::ComparePredicate::Eq:
    return a == b;
  case vs::ComparePredicate::Ne:
    return a != b;
  case vs::ComparePredicate::Lt:
    return a < b;
  case vs::ComparePredicate::Le:
    return a <= b;
  case vs::ComparePredicate::Gt:
    return a > b;
  case vs::ComparePredicate::Ge:
    return a >= b;
  }
  return false;
}

Results compare(vs::CompareOp op, Operands operands) {
  const Tensor &a = *operands[0], &b = *operands[1];
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i)
    result.setInteger(i, a.isReal() ? holds(op.getPredicate(), a.real(i), b.real(i))
                                    : holds(op.getPredicate(), a.integer(i), b.integer(i)));
  return one(std::move(result));
}

Results select(vs::SelectOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i)
    result.copyElement(i, operands[0]->integer(i) ? *operands[1] : *operands[2], i);
  return one(std::move(result));
}

Results clamp(vs::ClampOp op, Operands operands) {
  const Tensor &x = *operands[0], &low = *operands[1], &high = *operands[2];
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i) {
    if (result.isReal())
      result.setReal(i, minimum(maximum(x.real(i), low.real(i)), high.real(i)));
    else
      result.setInteger(i, std::min(std::max(x.integer(i), low.integer(i)), high.integer(i)));
  }
  return one(std::move(result));
}

template <class Op, Real1 real, Integer1 integer = nullptr> void addUnary(EvaluationTable &table) {
  table.add<Op, unary<Op, real, integer>>();
}
template <class Op, Real2 real, Integer2 integer> void addBinary(EvaluationTable &table) {
  table.add<Op, binary<Op, real, integer>>();
}

} // namespace

void addElementwise(EvaluationTable &table) {
  addUnary<vs::AbsOp, absolute, absoluteInteger>(table);
  addUnary<vs::NegOp, negate, negateInteger>(table);
  addUnary<vs::SignOp, sign, signInteger>(table);
  addUnary<vs::ExpOp, exponential>(table);
  addUnary<vs::Expm1Op, exponentialLess1>(table);
  addUnary<vs::LogOp, logarithm>(table);
  addUnary<vs::Log1pOp, logarithm1>(table);
  addUnary<vs::SqrtOp, squareRoot>(table);
  addUnary<vs::RsqrtOp, rsqrt>(table);
  addUnary<vs::ReciprocalOp, reciprocal>(table);
  addUnary<vs::SinOp, sine>(table);
  addUnary<vs::CosOp, cosine>(table);
  addUnary<vs::TanhOp, hyperbolicTangent>(table);
  addUnary<vs::ErfOp, errorFunction>(table);
  addUnary<vs::SigmoidOp, sigmoid>(table);
  addUnary<vs::ReluOp, relu, reluInteger>(table);
  addUnary<vs::SiluOp, silu>(table);
  addUnary<vs::FloorOp, floorOf>(table);
  addUnary<vs::CeilOp, ceilOf>(table);
  addUnary<vs::RoundOp, roundOf>(table);
  table.add<vs::NotOp, complement>();
  table.add<vs::GeluOp, gelu>();
  table.add<vs::IsFiniteOp, isFinite>();
  table.add<vs::CastOp, convert>();
  table.add(vs::TagOp::getOperationName(), passOn);

  addBinary<vs::AddOp, add, addIntegers>(table);
  addBinary<vs::SubOp, subtract, subtractIntegers>(table);
  addBinary<vs::MulOp, multiply, multiplyIntegers>(table);
  table.add<vs::DivOp, quotient<vs::DivOp, divide, divideIntegers>>();
  table.add<vs::RemainderOp, quotient<vs::RemainderOp, remainder, remainderIntegers>>();
  addBinary<vs::PowOp, power, noInteger>(table);
  addBinary<vs::MaximumOp, maximum, maximumIntegers>(table);
  addBinary<vs::MinimumOp, minimum, minimumIntegers>(table);
  addBinary<vs::AndOp, noReal, bitAnd>(table);
  addBinary<vs::OrOp, noReal, bitOr>(table);
  addBinary<vs::XorOp, noReal, bitXor>(table);
  table.add<vs::CompareOp, compare>();
  table.add<vs::SelectOp, select>();
  table.add<vs::ClampOp, clamp>();
}

} // namespace vescale::analysis
