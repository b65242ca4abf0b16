//===- Normalization.cpp - Decompositions of normalisations and their adjoints ----------------===//

#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/LayerOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

/// Arithmetic of the normalisations: in the statistics type, over fixed dims of x.
struct Normalization {
  Normalization(Formula &f, Value x, ArrayRef<int64_t> dims)
      : f(f), input(x), element(Formula::elementType(x)), wide(statisticsType(element)),
        x(f.cast(x, wide)), dims(dims) {}

  /// Sums divided by the global count: a partial sum stays linear, a mean of means would not be right.
  Value mean(Value a) { return f.reduce(ReduceKind::Mean, a, dims); }
  Value repeat(Value statistic) { return f.repeat(statistic, x, dims); }
  /// A 1-D tensor over the only dim `along`, repeated along the others.
  Value spread(Value vector, int64_t along) { return f.broadcast(f.cast(vector, wide), x, {along}); }
  Value narrow(Value a) { return f.cast(a, element); }
  int64_t last() { return Formula::rank(x) - 1; }

  /// rstd * (h - mean(h) - n * mean(h * n)), the adjoint of centring and scaling.
  Value centredAdjoint(Value n, Value h, Value rstd) {
    Value inner = f.mul(n, repeat(mean(f.mul(h, n))));
    return f.mul(repeat(rstd), f.sub(f.sub(h, repeat(mean(h))), inner));
  }

  Formula &f;
  Value input;
  Type element, wide;
  Value x;
  SmallVector<int64_t> dims;
};

SmallVector<Value> layerNorm(Formula &f, LayerNormOp op) {
  int64_t last = Formula::rank(op.getX()) - 1;
  Normalization norm(f, op.getX(), {last});
  Value mean = norm.mean(norm.x);
  Value centred = f.sub(norm.x, norm.repeat(mean));
  Value rstd = f.rsqrt(f.add(norm.mean(f.square(centred)), op.getEpsilon()));
  Value n = f.mul(centred, norm.repeat(rstd));
  Value y = f.add(f.mul(n, norm.spread(op.getWeight(), last)), norm.spread(op.getBias(), last));
  return {norm.narrow(y), mean, rstd};
}

SmallVector<Value> layerNormGradient(Formula &f, LayerNormGradientOp op) {
  int64_t last = Formula::rank(op.getX()) - 1;
  Normalization norm(f, op.getX(), {last});
  Value n = f.mul(f.sub(norm.x, norm.repeat(op.getMean())), norm.repeat(op.getRstd()));
  Value dy = f.cast(op.getGradient(), norm.wide);
  Value h = f.mul(dy, norm.spread(op.getWeight(), last));
  Value dx = norm.centredAdjoint(n, h, op.getRstd());
  SmallVector<int64_t> outer = Formula::otherDims(norm.x, {last});
  return {norm.narrow(dx), norm.narrow(f.sum(f.mul(dy, n), outer)), norm.narrow(f.sum(dy, outer))};
}

SmallVector<Value> rmsNorm(Formula &f, RmsNormOp op) {
  int64_t last = Formula::rank(op.getX()) - 1;
  Normalization norm(f, op.getX(), {last});
  Value rrms = f.rsqrt(f.add(norm.mean(f.square(norm.x)), op.getEpsilon()));
  Value y = f.mul(f.mul(norm.x, norm.repeat(rrms)), norm.spread(op.getWeight(), last));
  return {norm.narrow(y), rrms};
}

SmallVector<Value> rmsNormGradient(Formula &f, RmsNormGradientOp op) {
  int64_t last = Formula::rank(op.getX()) - 1;
  Normalization norm(f, op.getX(), {last});
  Value n = f.mul(norm.x, norm.repeat(op.getRrms()));
  Value dy = f.cast(op.getGradient(), norm.wide);
  Value h = f.mul(dy, norm.spread(op.getWeight(), last));
  Value inner = f.mul(n, norm.repeat(norm.mean(f.mul(h, n))));
  Value dx = f.mul(norm.repeat(op.getRrms()), f.sub(h, inner));
  return {norm.narrow(dx), norm.narrow(f.sum(f.mul(dy, n), Formula::otherDims(norm.x, {last})))};
}

/// Mean and reciprocal standard deviation of each channel.
struct ChannelStatistics {
  Value mean, variance, rstd, n;
};

ChannelStatistics channelStatistics(Formula &f, Normalization &norm, double epsilon) {
  ChannelStatistics s;
  s.mean = norm.mean(norm.x);
  Value centred = f.sub(norm.x, norm.repeat(s.mean));
  s.variance = norm.mean(f.square(centred));
  s.rstd = f.rsqrt(f.add(s.variance, epsilon));
  s.n = f.mul(centred, norm.repeat(s.rstd));
  return s;
}

SmallVector<Value> batchNorm(Formula &f, BatchNormOp op) {
  Normalization norm(f, op.getX(), Formula::otherDims(op.getX(), {1}));
  ChannelStatistics s = channelStatistics(f, norm, op.getEpsilon());
  Value y = f.add(f.mul(s.n, norm.spread(op.getWeight(), 1)), norm.spread(op.getBias(), 1));
  double count = 1;
  for (int64_t dim : norm.dims)
    count *= Formula::size(norm.x, dim);
  double momentum = op.getMomentum();
  auto running = [&](Value old, Value now) {
    return f.add(f.mul(old, 1 - momentum), f.mul(now, momentum));
  };
  // With a single element the unbiased variance is 0 / 0, as in PyTorch.
  Value unbiased = f.mul(s.variance, count / (count - 1));
  return {norm.narrow(y), running(op.getRunningMean(), s.mean),
          running(op.getRunningVariance(), unbiased)};
}

SmallVector<Value> batchNormGradient(Formula &f, BatchNormGradientOp op) {
  Normalization norm(f, op.getX(), Formula::otherDims(op.getX(), {1}));
  ChannelStatistics s = channelStatistics(f, norm, op.getEpsilon());
  Value dy = f.cast(op.getGradient(), norm.wide);
  Value h = f.mul(dy, norm.spread(op.getWeight(), 1));
  Value dx = norm.centredAdjoint(s.n, h, s.rstd);
  return {norm.narrow(dx), norm.narrow(f.sum(f.mul(dy, s.n), norm.dims)),
          norm.narrow(f.sum(dy, norm.dims))};
}

} // namespace

void registerNormalizationDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    LayerNormOp::attachInterface<DecompositionModel<LayerNormOp, layerNorm>>(*context);
    LayerNormGradientOp::attachInterface<
        DecompositionModel<LayerNormGradientOp, layerNormGradient>>(*context);
    RmsNormOp::attachInterface<DecompositionModel<RmsNormOp, rmsNorm>>(*context);
    RmsNormGradientOp::attachInterface<DecompositionModel<RmsNormGradientOp, rmsNormGradient>>(
        *context);
    BatchNormOp::attachInterface<DecompositionModel<BatchNormOp, batchNorm>>(*context);
    BatchNormGradientOp::attachInterface<
        DecompositionModel<BatchNormGradientOp, batchNormGradient>>(*context);
  });
}

} // namespace vescale::vs
