//===- ElementwiseFolds.cpp - What elementwise ops fold to ---------------------------------===//
//
// A fold replaces the result by a value of the very same type, layout included, or not at all: two
// layouts of one value are two values. Floating-point arithmetic folds only where the result is the
// same for all inputs, NaN and signed zeros included.
//
//===----------------------------------------------------------------------===//

#include "dialects/vs/ElementwiseOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace vescale::vs;

/// `value` where it may stand for the result of `op`.
static OpFoldResult replacement(Operation *op, Value value) {
  return value.getType() == op->getResult(0).getType() ? OpFoldResult(value) : OpFoldResult();
}

/// Whether `elements` is one number everywhere, equal to `number` (-0.0 is not 0.0).
static bool isSplatOf(Attribute elements, double number) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(elements);
  if (!splat)
    return false;
  if (isa<FloatType>(splat.getElementType())) {
    APFloat value = splat.getSplatValue<APFloat>();
    bool losesInfo = false;
    APFloat expected(number);
    expected.convert(value.getSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return !losesInfo && value.bitwiseIsEqual(expected);
  }
  APInt value = splat.getSplatValue<APInt>();
  return value == APInt(value.getBitWidth(), uint64_t(int64_t(number)), /*isSigned=*/true);
}

/// Whether the tensor `value` holds integers.
static bool holdsIntegers(Value value) {
  return isa<IntegerType>(cast<RankedTensorType>(value.getType()).getElementType());
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + 0.0 turns -0.0 into 0.0, x + -0.0 is x.
  if (isSplatOf(adaptor.getRhs(), holdsIntegers(getRhs()) ? 0.0 : -0.0))
    return replacement(*this, getLhs());
  return {};
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0.0))
    return replacement(*this, getLhs());
  return {};
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return replacement(*this, getLhs());
  return {};
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return replacement(*this, getLhs());
  return {};
}

OpFoldResult NegOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return replacement(*this, inner.getX());
  return {};
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<NotOp>())
    return replacement(*this, inner.getX());
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) { return replacement(*this, getX()); }

OpFoldResult SelectOp::fold(FoldAdaptor) {
  if (getOnTrue() == getOnFalse())
    return replacement(*this, getOnTrue());
  return {};
}
