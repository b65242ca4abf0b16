//===- NormalizationVerification.cpp - Verifiers of normalisations -------------------------===//

#include "dialects/vs/LayerOps.h"
#include "dialects/vs/Verification.h"

using namespace mlir;
using namespace vescale::vs;

/// Checks tensors of shape (size of the normalised dim `dim` of `x`).
static LogicalResult checkPerFeature(Operation *op, NamedValue x, int64_t dim,
                                     ArrayRef<NamedValue> tensors) {
  std::string reason = "one per element of dim " + std::to_string(dim) + " of x";
  for (NamedValue tensor : tensors)
    if (failed(checkShape(op, tensor, x.shape()[dim], reason)))
      return failure();
  return success();
}

/// Checks that all have the element type of `x`.
static LogicalResult checkElementTypes(Operation *op, NamedValue x, ArrayRef<NamedValue> tensors) {
  for (NamedValue tensor : tensors)
    if (failed(checkSameElementType(op, tensor, x)))
      return failure();
  return success();
}

/// Checks statistics over the last dim of `x`.
static LogicalResult checkRowStatistics(Operation *op, NamedValue x, ArrayRef<NamedValue> tensors) {
  for (NamedValue tensor : tensors)
    if (failed(checkShape(op, tensor, x.shape().drop_back(),
                          "the shape of x without the last dim")) ||
        failed(checkElementType(op, tensor, statisticsType(x.elementType()),
                                "the statistics type of x")))
      return failure();
  return success();
}

LogicalResult LayerNormOp::verify() {
  NamedValue x{"x", getX()}, weight{"weight", getWeight()}, bias{"bias", getBias()}, y{"y", getY()};
  return failure(failed(checkRankAtLeast(*this, x, 1)) ||
                 failed(checkPerFeature(*this, x, x.rank() - 1, {weight, bias})) ||
                 failed(checkElementTypes(*this, x, {weight, bias, y})) ||
                 failed(checkSameShape(*this, y, x)) ||
                 failed(checkRowStatistics(*this, x, {{"mean", getMean()}, {"rstd", getRstd()}})) ||
                 failed(checkNotNegative(*this, "epsilon", getEpsilon())));
}

LogicalResult LayerNormGradientOp::verify() {
  NamedValue x{"x", getX()}, weight{"weight", getWeight()}, gradient{"gradient", getGradient()};
  NamedValue xGradient{"x_gradient", getXGradient()};
  NamedValue weightGradient{"weight_gradient", getWeightGradient()};
  NamedValue biasGradient{"bias_gradient", getBiasGradient()};
  return failure(
      failed(checkRankAtLeast(*this, x, 1)) ||
      failed(checkPerFeature(*this, x, x.rank() - 1, {weight, weightGradient, biasGradient})) ||
      failed(checkElementTypes(*this, x,
                               {weight, gradient, xGradient, weightGradient, biasGradient})) ||
      failed(checkSameShape(*this, gradient, x)) || failed(checkSameShape(*this, xGradient, x)) ||
      failed(checkRowStatistics(*this, x, {{"mean", getMean()}, {"rstd", getRstd()}})));
}

LogicalResult RmsNormOp::verify() {
  NamedValue x{"x", getX()}, weight{"weight", getWeight()}, y{"y", getY()};
  return failure(failed(checkRankAtLeast(*this, x, 1)) ||
                 failed(checkPerFeature(*this, x, x.rank() - 1, {weight})) ||
                 failed(checkElementTypes(*this, x, {weight, y})) ||
                 failed(checkSameShape(*this, y, x)) ||
                 failed(checkRowStatistics(*this, x, {{"rrms", getRrms()}})) ||
                 failed(checkNotNegative(*this, "epsilon", getEpsilon())));
}

LogicalResult RmsNormGradientOp::verify() {
  NamedValue x{"x", getX()}, weight{"weight", getWeight()}, gradient{"gradient", getGradient()};
  NamedValue xGradient{"x_gradient", getXGradient()};
  NamedValue weightGradient{"weight_gradient", getWeightGradient()};
  return failure(
      failed(checkRankAtLeast(*this, x, 1)) ||
      failed(checkPerFeature(*this, x, x.rank() - 1, {weight, weightGradient})) ||
      failed(checkElementTypes(*this, x, {weight, gradient, xGradient, weightGradient})) ||
      failed(checkSameShape(*this, gradient, x)) || failed(checkSameShape(*this, xGradient, x)) ||
      failed(checkRowStatistics(*this, x, {{"rrms", getRrms()}})));
}

LogicalResult BatchNormOp::verify() {
  NamedValue x{"x", getX()}, weight{"weight", getWeight()}, bias{"bias", getBias()}, y{"y", getY()};
  NamedValue running[] = {{"running_mean", getRunningMean()},
                          {"running_variance", getRunningVariance()},
                          {"new_running_mean", getNewRunningMean()},
                          {"new_running_variance", getNewRunningVariance()}};
  if (failed(checkRankAtLeast(*this, x, 2)) ||
      failed(checkPerFeature(*this, x, 1, {weight, bias})) ||
      failed(checkPerFeature(*this, x, 1, running)) ||
      failed(checkElementTypes(*this, x, {weight, bias, y})) || failed(checkSameShape(*this, y, x)))
    return failure();
  for (NamedValue value : running)
    if (failed(checkElementType(*this, value, statisticsType(x.elementType()),
                                "the statistics type of x")))
      return failure();
  if (getMomentum() > 1)
    return emitOpError() << "momentum is above 1; it is the weight of the batch in the new value";
  return failure(failed(checkNotNegative(*this, "momentum", getMomentum())) ||
                 failed(checkNotNegative(*this, "epsilon", getEpsilon())));
}

LogicalResult BatchNormGradientOp::verify() {
  NamedValue x{"x", getX()}, weight{"weight", getWeight()}, gradient{"gradient", getGradient()};
  NamedValue xGradient{"x_gradient", getXGradient()};
  NamedValue weightGradient{"weight_gradient", getWeightGradient()};
  NamedValue biasGradient{"bias_gradient", getBiasGradient()};
  return failure(
      failed(checkRankAtLeast(*this, x, 2)) ||
      failed(checkPerFeature(*this, x, 1, {weight, weightGradient, biasGradient})) ||
      failed(checkElementTypes(*this, x,
                               {weight, gradient, xGradient, weightGradient, biasGradient})) ||
      failed(checkSameShape(*this, gradient, x)) || failed(checkSameShape(*this, xGradient, x)) ||
      failed(checkNotNegative(*this, "epsilon", getEpsilon())));
}
