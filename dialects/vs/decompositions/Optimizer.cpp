//===- Optimizer.cpp - Decompositions of optimizer steps and clipping -------------------------===//

#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/StateOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

SmallVector<Value> sgd(Formula &f, SgdOp op) {
  Value p = op.getParameter();
  Type element = Formula::elementType(p);
  Value g = f.cast(op.getGradient(), element);
  if (op.getWeightDecay() != 0)
    g = f.add(g, f.mul(p, op.getWeightDecay()));
  Value rate = f.broadcast(f.cast(op.getLearningRate(), element), p, {});
  if (!op.getMomentum())
    return {f.sub(p, f.mul(rate, g))};
  Value m = f.add(f.mul(f.cast(op.getMomentum(), element), op.getMomentumFactor()), g);
  Value step = op.getNesterov() ? f.add(g, f.mul(m, op.getMomentumFactor())) : m;
  return {f.sub(p, f.mul(rate, step)), f.cast(m, Formula::elementType(op.getMomentum()))};
}

SmallVector<Value> adamw(Formula &f, AdamwOp op) {
  Value p = op.getParameter();
  Type stored = Formula::elementType(p), wide = statisticsType(stored);
  p = f.cast(p, wide);
  Value g = f.cast(op.getGradient(), wide);
  Value m = f.add(f.mul(f.cast(op.getFirstMoment(), wide), op.getBeta1()), f.mul(g, 1 - op.getBeta1()));
  Value v = f.add(f.mul(f.cast(op.getSecondMoment(), wide), op.getBeta2()),
                  f.mul(f.square(g), 1 - op.getBeta2()));
  // Scalars: rates and bias corrections of the whole tensor.
  Value rate = f.cast(op.getLearningRate(), wide);
  Value t = f.cast(op.getStep(), wide);
  auto correction = [&](double beta) {
    Value power = f.op<PowOp>(f.constant(t, beta), t);
    return f.sub(f.constant(t, 1), power);
  };
  Value firstScale = f.div(rate, correction(op.getBeta1()));
  Value secondScale = f.rsqrt(correction(op.getBeta2()));
  auto spread = [&](Value scalar) { return f.broadcast(scalar, p, {}); };
  Value denominator = f.add(f.mul(f.sqrt(v), spread(secondScale)), op.getEpsilon());
  Value next = f.sub(p, f.div(f.mul(m, spread(firstScale)), denominator));
  if (op.getWeightDecay() != 0)
    next = f.sub(next, f.mul(p, spread(f.mul(rate, op.getWeightDecay()))));
  return {f.cast(next, stored), f.cast(m, Formula::elementType(op.getFirstMoment())),
          f.cast(v, Formula::elementType(op.getSecondMoment()))};
}

SmallVector<Value> clipByGlobalNorm(Formula &f, ClipByGlobalNormOp op) {
  Type wide = Formula::elementType(op.getNorm());
  Value total;
  for (Value gradient : op.getGradients()) {
    Value squares = f.square(f.cast(gradient, wide));
    Value sum = f.sum(squares, Formula::allDims(squares));
    total = total ? f.add(total, sum) : sum;
  }
  Value norm = f.sqrt(total);
  Value limit = f.div(f.constant(norm, op.getMaxNorm()), f.add(norm, 1e-6));
  Value factor = f.op<MinimumOp>(limit, f.constant(norm, 1));
  SmallVector<Value> results;
  for (Value gradient : op.getGradients()) {
    Value scaled = f.mul(f.cast(gradient, wide), f.broadcast(factor, gradient, {}));
    results.push_back(f.cast(scaled, Formula::elementType(gradient)));
  }
  results.push_back(norm);
  return results;
}

} // namespace

void registerOptimizerDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    SgdOp::attachInterface<DecompositionModel<SgdOp, sgd>>(*context);
    AdamwOp::attachInterface<DecompositionModel<AdamwOp, adamw>>(*context);
    ClipByGlobalNormOp::attachInterface<
        DecompositionModel<ClipByGlobalNormOp, clipByGlobalNorm>>(*context);
  });
}

} // namespace vescale::vs
