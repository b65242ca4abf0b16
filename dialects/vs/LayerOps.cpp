//===- LayerOps.cpp - Named layers and their gradients --------------------------------===//

#include "dialects/vs/LayerOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/RandomEffects.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/LayerOps.cpp.inc"

void VsDialect::registerLayerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/LayerOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Builders that infer the results' types
//===----------------------------------------------------------------------===//

/// The type of statistics of `x` over its last dim.
static RankedTensorType rowStatistics(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  return RankedTensorType::get(type.getShape().drop_back(), statisticsType(type.getElementType()));
}

void LayerNormOp::build(OpBuilder &builder, OperationState &state, Value x, Value weight,
                        Value bias, double epsilon) {
  RankedTensorType statistics = rowStatistics(x);
  build(builder, state, withoutLayout(x.getType()), statistics, statistics, x, weight, bias,
        builder.getF64FloatAttr(epsilon));
}

void LayerNormGradientOp::build(OpBuilder &builder, OperationState &state, Value x, Value weight,
                                Value mean, Value rstd, Value gradient) {
  RankedTensorType weightType = withoutLayout(weight.getType());
  build(builder, state, withoutLayout(x.getType()), weightType, weightType, x, weight, mean, rstd,
        gradient);
}

void RmsNormOp::build(OpBuilder &builder, OperationState &state, Value x, Value weight,
                      double epsilon) {
  build(builder, state, withoutLayout(x.getType()), rowStatistics(x), x, weight,
        builder.getF64FloatAttr(epsilon));
}

void RmsNormGradientOp::build(OpBuilder &builder, OperationState &state, Value x, Value weight,
                              Value rrms, Value gradient) {
  build(builder, state, withoutLayout(x.getType()), withoutLayout(weight.getType()), x, weight,
        rrms, gradient);
}

void CrossEntropyOp::build(OpBuilder &builder, OperationState &state, Value logits, Value targets,
                           int64_t ignoreIndex) {
  build(builder, state, rowStatistics(logits), logits, targets,
        builder.getI64IntegerAttr(ignoreIndex));
}

//===----------------------------------------------------------------------===//
// DropoutOp
//===----------------------------------------------------------------------===//

bool DropoutOp::drawsRandomNumbers() { return getRate() > 0; }

void DropoutOp::disableDraws() { setRate(0); }

OpFoldResult DropoutOp::fold(FoldAdaptor) {
  return !drawsRandomNumbers() && getX().getType() == getType() ? OpFoldResult(getX())
                                                                : OpFoldResult();
}

void DropoutOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  reportDrawEffects(*this, effects);
}

LogicalResult DropoutOp::verify() {
  return failure(failed(checkFraction(*this, "rate", getRate())) ||
                 failed(checkDrawId(*this, getDrawId())));
}

//===----------------------------------------------------------------------===//
// Softmax and cross-entropy
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::verify() { return checkDim(*this, "dim", getDim(), {"x", getX()}); }

LogicalResult LogSoftmaxOp::verify() { return checkDim(*this, "dim", getDim(), {"x", getX()}); }

LogicalResult SoftmaxGradientOp::verify() {
  return checkDim(*this, "dim", getDim(), {"y", getY()});
}

LogicalResult LogSoftmaxGradientOp::verify() {
  return checkDim(*this, "dim", getDim(), {"y", getY()});
}

/// Checks logits, targets and a loss or its gradient.
static LogicalResult checkLoss(Operation *op, NamedValue logits, NamedValue targets,
                               NamedValue loss) {
  if (failed(checkRankAtLeast(op, logits, 1)))
    return failure();
  StringRef reason = "the shape of logits without the last dim";
  return failure(failed(checkShape(op, targets, logits.shape().drop_back(), reason)) ||
                 failed(checkShape(op, loss, logits.shape().drop_back(), reason)) ||
                 failed(checkElementType(op, loss, statisticsType(logits.elementType()),
                                         "the statistics type of logits")));
}

LogicalResult CrossEntropyOp::verify() {
  return checkLoss(*this, {"logits", getLogits()}, {"targets", getTargets()}, {"loss", getLoss()});
}

LogicalResult CrossEntropyGradientOp::verify() {
  NamedValue logits{"logits", getLogits()};
  return failure(
      failed(checkLoss(*this, logits, {"targets", getTargets()}, {"gradient", getGradient()})) ||
      failed(checkSameAs(*this, {"logits_gradient", getLogitsGradient()}, logits)));
}
