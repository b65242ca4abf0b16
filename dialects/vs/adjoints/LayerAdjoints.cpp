//===- LayerAdjoints.cpp - Adjoints of named layers ---------------------------------------------===//
//
// A layer's statistics (mean, log-sum-exp) are for its own adjoint; a model that differentiates through them is
// refused, since the closed gradient ops do not cover it.
//
//===----------------------------------------------------------------------===//

#include "dialects/vs/AttentionOps.h"
#include "dialects/vs/ConvolutionOps.h"
#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

#include "dialects/vs/LayerOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

Gradients softmax(Formula &f, SoftmaxOp op, Value g) {
  return {f.op<SoftmaxGradientOp>(op.getY(), g, op.getDim())};
}
Gradients logSoftmax(Formula &f, LogSoftmaxOp op, Value g) {
  return {f.op<LogSoftmaxGradientOp>(op.getY(), g, op.getDim())};
}
Gradients crossEntropy(Formula &f, CrossEntropyOp op, Value g) {
  return {f.op<CrossEntropyGradientOp>(op.getLogits(), op.getTargets(), g, op.getIgnoreIndex()), Value()};
}

/// Fails where a gradient flows into a result other than the first.
LogicalResult onlyFirst(Operation *op, ValueRange resultGradients) {
  for (auto [number, gradient] : llvm::enumerate(resultGradients))
    if (number > 0 && gradient)
      return op->emitOpError("has no adjoint with respect to its result ") << number;
  return success();
}

/// The adjoint of an op of several results in which gradients flow into the first one only.
template <typename Op, LogicalResult (*build)(OpBuilder &, Op, Value, SmallVectorImpl<Value> &)>
struct FirstResultModel
    : DifferentiableOpInterface::ExternalModel<FirstResultModel<Op, build>, Op> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder, ValueRange resultGradients,
                             SmallVectorImpl<Value> &operandGradients) const {
    if (failed(onlyFirst(op, resultGradients)))
      return failure();
    operandGradients.assign(op->getNumOperands(), Value());
    if (!resultGradients[0])
      return success();
    return build(builder, llvm::cast<Op>(op), resultGradients[0], operandGradients);
  }
};

LogicalResult layerNorm(OpBuilder &b, LayerNormOp op, Value g, SmallVectorImpl<Value> &gradients) {
  auto adjoint = b.create<LayerNormGradientOp>(op.getLoc(), op.getX(), op.getWeight(), op.getMean(),
                                               op.getRstd(), g);
  llvm::copy(adjoint.getResults(), gradients.begin());
  return success();
}

LogicalResult rmsNorm(OpBuilder &b, RmsNormOp op, Value g, SmallVectorImpl<Value> &gradients) {
  auto adjoint = b.create<RmsNormGradientOp>(op.getLoc(), op.getX(), op.getWeight(), op.getRrms(), g);
  llvm::copy(adjoint.getResults(), gradients.begin());
  return success();
}

LogicalResult batchNorm(OpBuilder &b, BatchNormOp op, Value g, SmallVectorImpl<Value> &gradients) {
  Type x = withoutLayout(op.getX().getType()), weight = withoutLayout(op.getWeight().getType());
  auto adjoint = b.create<BatchNormGradientOp>(op.getLoc(), TypeRange{x, weight, weight}, op.getX(),
                                               op.getWeight(), g, op.getEpsilonAttr());
  llvm::copy(adjoint.getResults(), gradients.begin());
  return success();
}

LogicalResult attention(OpBuilder &b, AttentionOp op, Value g, SmallVectorImpl<Value> &gradients) {
  auto adjoint = b.create<AttentionGradientOp>(op.getLoc(), op, g);
  for (unsigned k = 0; k < 3; ++k)
    gradients[k] = adjoint.getResult(k);
  if (op.getBias())
    gradients[3] = adjoint.getBiasGradient();
  return success();
}

LogicalResult maxPool(OpBuilder &b, MaxPoolOp op, Value g, SmallVectorImpl<Value> &gradients) {
  gradients[0] = b.create<MaxPoolGradientOp>(op.getLoc(), withoutLayout(op.getX().getType()), op.getX(), g,
                                             op.getWindow(), op.getStrides(), op.getPadding());
  return success();
}

LogicalResult dropout(OpBuilder &b, DropoutOp op, Value g, SmallVectorImpl<Value> &gradients) {
  if (op.drawsRandomNumbers() && !op.getDrawId())
    return op.emitOpError("has no draw id yet, so its adjoint could not drop the same elements");
  auto adjoint = b.create<DropoutOp>(op.getLoc(), g, op.getRng(), op.getRate());
  adjoint.setDrawIdAttr(op.getDrawIdAttr());
  gradients[0] = adjoint.getY();
  return success();
}

} // namespace

void registerLayerAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    SoftmaxOp::attachInterface<AdjointModel<SoftmaxOp, softmax>>(*context);
    LogSoftmaxOp::attachInterface<AdjointModel<LogSoftmaxOp, logSoftmax>>(*context);
    CrossEntropyOp::attachInterface<AdjointModel<CrossEntropyOp, crossEntropy>>(*context);
    LayerNormOp::attachInterface<FirstResultModel<LayerNormOp, layerNorm>>(*context);
    RmsNormOp::attachInterface<FirstResultModel<RmsNormOp, rmsNorm>>(*context);
    BatchNormOp::attachInterface<FirstResultModel<BatchNormOp, batchNorm>>(*context);
    AttentionOp::attachInterface<FirstResultModel<AttentionOp, attention>>(*context);
    MaxPoolOp::attachInterface<FirstResultModel<MaxPoolOp, maxPool>>(*context);
    DropoutOp::attachInterface<FirstResultModel<DropoutOp, dropout>>(*context);
  });
}

} // namespace vescale::vs
