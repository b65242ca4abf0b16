//===- Softmax.cpp - Decompositions of softmax and its adjoints ------------------------------===//

#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/LayerOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

/// x minus its maximum along dim: the exponentials cannot overflow then.
Value shifted(Formula &f, Value x, int64_t dim) {
  Value maximum = f.reduce(ReduceKind::Max, x, {dim});
  return f.sub(x, f.repeat(maximum, x, {dim}));
}

SmallVector<Value> softmax(Formula &f, SoftmaxOp op) {
  int64_t dim = op.getDim();
  Value e = f.exp(shifted(f, op.getX(), dim));
  return {f.div(e, f.repeat(f.sum(e, {dim}), e, {dim}))};
}

SmallVector<Value> logSoftmax(Formula &f, LogSoftmaxOp op) {
  int64_t dim = op.getDim();
  Value x = shifted(f, op.getX(), dim);
  return {f.sub(x, f.repeat(f.log(f.sum(f.exp(x), {dim})), x, {dim}))};
}

SmallVector<Value> softmaxGradient(Formula &f, SoftmaxGradientOp op) {
  int64_t dim = op.getDim();
  Value y = op.getY(), dy = op.getGradient();
  Value inner = f.sum(f.mul(y, dy), {dim});
  return {f.mul(y, f.sub(dy, f.repeat(inner, y, {dim})))};
}

SmallVector<Value> logSoftmaxGradient(Formula &f, LogSoftmaxGradientOp op) {
  int64_t dim = op.getDim();
  Value y = op.getY(), dy = op.getGradient();
  return {f.sub(dy, f.mul(f.exp(y), f.repeat(f.sum(dy, {dim}), y, {dim})))};
}

} // namespace

void registerSoftmaxDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    SoftmaxOp::attachInterface<DecompositionModel<SoftmaxOp, softmax>>(*context);
    LogSoftmaxOp::attachInterface<DecompositionModel<LogSoftmaxOp, logSoftmax>>(*context);
    SoftmaxGradientOp::attachInterface<DecompositionModel<SoftmaxGradientOp, softmaxGradient>>(
        *context);
    LogSoftmaxGradientOp::attachInterface<
        DecompositionModel<LogSoftmaxGradientOp, logSoftmaxGradient>>(*context);
  });
}

} // namespace vescale::vs
