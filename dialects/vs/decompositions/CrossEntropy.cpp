//===- CrossEntropy.cpp - Decompositions of the loss and its adjoint --------------------------===//

#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/IndexingOps.h"
#include "dialects/vs/LayerOps.h"

#include <limits>

using namespace mlir;

namespace vescale::vs {
namespace {

/// What loss and adjoint share, in the statistics type.
struct Classes {
  Classes(Formula &f, Value logits, Value targets, int64_t ignoreIndex)
      : f(f), wide(statisticsType(Formula::elementType(logits))), x(f.cast(logits, wide)),
        last(Formula::rank(logits) - 1) {
    Value maximum = f.reduce(ReduceKind::Max, x, {last});
    shifted = f.sub(x, f.repeat(maximum, x, {last}));
    e = f.exp(shifted);
    sum = f.sum(e, {last});
    oneHot = f.op<OneHotOp>(targets, Formula::size(logits, last), wide);
    ignored = f.compare(ComparePredicate::Eq, targets, f.constant(targets, ignoreIndex));
    Value negative = f.compare(ComparePredicate::Lt, targets, f.constant(targets, 0));
    Value tooLarge = f.compare(ComparePredicate::Ge, targets,
                               f.constant(targets, Formula::size(logits, last)));
    invalid = f.op<OrOp>(negative, tooLarge);
  }

  /// `perTarget`, but NaN where the target is no class, and 0 where it is ignored.
  Value masked(Value perTarget) {
    Value nan = f.constant(perTarget, std::numeric_limits<double>::quiet_NaN());
    return f.select(ignored, f.zeros(perTarget), f.select(invalid, nan, perTarget));
  }

  Formula &f;
  Type wide;
  Value x;
  int64_t last;
  Value shifted, e, sum, oneHot, ignored, invalid;
};

SmallVector<Value> crossEntropy(Formula &f, CrossEntropyOp op) {
  Classes c(f, op.getLogits(), op.getTargets(), op.getIgnoreIndex());
  // A select instead of a product: an infinite logit of another class must not become NaN.
  Value hot = f.compare(ComparePredicate::Ne, c.oneHot, f.zeros(c.oneHot));
  Value picked = f.sum(f.select(hot, c.shifted, f.zeros(c.shifted)), {c.last});
  return {c.masked(f.sub(f.log(c.sum), picked))};
}

SmallVector<Value> crossEntropyGradient(Formula &f, CrossEntropyGradientOp op) {
  Classes c(f, op.getLogits(), op.getTargets(), op.getIgnoreIndex());
  Value probability = f.div(c.e, f.repeat(c.sum, c.e, {c.last}));
  // A product is linear in the gradient, so that a partial one passes; a choice is not.
  Value mask = c.masked(f.constant(op.getGradient(), 1));
  Value gradient = f.repeat(f.mul(op.getGradient(), mask), c.e, {c.last});
  return {f.cast(f.mul(f.sub(probability, c.oneHot), gradient),
                 Formula::elementType(op.getLogits()))};
}

} // namespace

void registerCrossEntropyDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    CrossEntropyOp::attachInterface<DecompositionModel<CrossEntropyOp, crossEntropy>>(*context);
    CrossEntropyGradientOp::attachInterface<
        DecompositionModel<CrossEntropyGradientOp, crossEntropyGradient>>(*context);
  });
}

} // namespace vescale::vs
