//===- LayerOps.cpp - Named layers and their gradients --------------------------------===//

#include "dialects/vs/LayerOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/RandomEffects.h"

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

void DropoutOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  reportDrawEffects(*this, effects);
}
