//===- Attention.cpp - Decompositions of attention and its gradient -------------------------===//
//
// The fallback for what the library of the runtime does not compute: values of another size than
// the keys, a bias that batches or heads share, the gradient of a bias. Here the scores exist as a
// tensor. Query heads are seen as (key heads, query heads of one key head), so that no key is
// repeated.
//
//===----------------------------------------------------------------------===//

#include "dialects/vs/AttentionOps.h"
#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/formulas/RandomFormulas.h"

#include <limits>

using namespace mlir;

namespace vescale::vs {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What forward and backward have in common. Letters: b batch, h heads, k key heads, g query heads of
/// one key head, q queries, t keys, d head size, e value size.
template <class Op> class AttentionFormula {
public:
  AttentionFormula(Formula &f, Op op)
      : f(f), op(op), wide(statisticsType(Formula::elementType(op.getQ()))),
        q(grouped(f.cast(op.getQ(), wide))), k(f.cast(op.getK(), wide)),
        v(f.cast(op.getV(), wide)) {}

  /// (b, h, ...) as (b, k, g, ...).
  Value grouped(Value x) {
    SmallVector<int64_t> shape(Formula::type(x).getShape());
    int64_t keyHeads = Formula::size(op.getK(), 1);
    shape[1] = keyHeads == 0 ? 0 : shape[1] / keyHeads;
    shape.insert(shape.begin() + 1, keyHeads);
    return f.op<ReshapeOp>(x, shape);
  }

  /// (b, k, g, ...) as (b, h, ...).
  Value ungrouped(Value x) {
    SmallVector<int64_t> shape(Formula::type(x).getShape());
    shape[1] *= shape[2];
    shape.erase(shape.begin() + 2);
    return f.op<ReshapeOp>(x, shape);
  }

  Value contract(StringRef spec, Value a, Value b) { return f.op<EinsumOp>(spec, a, b); }

  /// scale * q k^T + bias, -infinity where a query does not see a key: (b, k, g, q, t).
  Value scores() {
    Value result = f.mul(contract("bkgqd,bktd->bkgqt", q, k), op.getScoreScale());
    if (op.getBias())
      result = f.add(result, grouped(spreadBias(f.cast(op.getBias(), wide))));
    if (!op.getCausal())
      return result;
    ArrayRef<int64_t> shape = Formula::type(result).getShape();
    auto indices = RankedTensorType::get(shape, IntegerType::get(result.getContext(), 64));
    Value sees = f.compare(ComparePredicate::Ge, f.op<IotaOp>(indices, int64_t(3)),
                           f.op<IotaOp>(indices, int64_t(4)));
    return f.select(sees, result, f.constant(result, -infinity));
  }

  /// What dropout does to probabilities, which lie at their positions in (b, h, q, t).
  Value dropped(Value probabilities) {
    if (op.getDropout() == 0)
      return probabilities;
    Value x = ungrouped(probabilities);
    auto random = UniformAttr::get(x.getContext(), 0.0, 1.0);
    auto type = RankedTensorType::get(Formula::type(x).getShape(),
                                      Float32Type::get(x.getContext()));
    Value uniform = f.op<RandomOp>(type, op.getRng(), random, op.getDrawIdAttr());
    Value kept = f.compare(ComparePredicate::Ge, uniform, f.constant(uniform, op.getDropout()));
    return grouped(f.mul(x, f.select(kept, f.constant(x, 1 / (1 - op.getDropout())), f.zeros(x))));
  }

  /// The dims of size 1 in which the bias is the same for all batches or heads.
  SmallVector<int64_t> sharedDims() {
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < 2; ++dim)
      if (Formula::size(op.getBias(), dim) != Formula::size(op.getQ(), dim))
        dims.push_back(dim);
    return dims;
  }

  /// The bias with the batch and the heads of q.
  Value spreadBias(Value bias) {
    SmallVector<int64_t> shared = sharedDims(), shape(Formula::type(bias).getShape());
    if (shared.empty())
      return bias;
    SmallVector<int64_t> kept = Formula::otherDims(bias, shared);
    for (int64_t dim : shared)
      shape[dim] = Formula::size(op.getQ(), dim);
    return f.op<BroadcastOp>(f.sum(bias, shared), shape, kept);
  }

  /// The adjoint of spreadBias.
  Value sumToBias(Value gradient) {
    SmallVector<int64_t> shared = sharedDims();
    if (shared.empty())
      return gradient;
    return f.op<BroadcastOp>(f.sum(gradient, shared), Formula::type(op.getBias()).getShape(),
                             Formula::otherDims(gradient, shared));
  }

  Formula &f;
  Op op;
  Type wide;
  Value q, k, v;
};

SmallVector<Value> attention(Formula &f, AttentionOp op) {
  AttentionFormula<AttentionOp> a(f, op);
  Type element = Formula::elementType(op.getQ());
  Value scores = a.scores();
  // A query that sees no key has the maximum -infinity, which cannot be subtracted, and the sum 0.
  Value largest = f.reduce(ReduceKind::Max, scores, {4});
  Value none = f.compare(ComparePredicate::Eq, largest, f.constant(largest, -infinity));
  Value shift = f.select(none, f.zeros(largest), largest);
  Value e = f.exp(f.sub(scores, f.repeat(shift, scores, {4})));
  Value sum = f.sum(e, {4});
  Value divisor = f.select(none, f.constant(sum, 1), sum);
  Value probabilities = f.div(e, f.repeat(divisor, e, {4}));
  Value output = a.contract("bkgqt,bkte->bkgqe", a.dropped(probabilities), a.v);
  Value logSumExp = f.cast(f.add(f.log(sum), shift), Formula::elementType(op.getLogSumExp()));
  return {f.cast(a.ungrouped(output), element), a.ungrouped(logSumExp)};
}

SmallVector<Value> attentionGradient(Formula &f, AttentionGradientOp op) {
  AttentionFormula<AttentionGradientOp> a(f, op);
  Type element = Formula::elementType(op.getQ());
  Value output = a.grouped(f.cast(op.getOutput(), a.wide));
  Value gradient = a.grouped(f.cast(op.getGradient(), a.wide));
  Value logSumExp = a.grouped(f.cast(op.getLogSumExp(), a.wide));
  // Where a query sees no key, all probabilities are exp(-infinity - infinity).
  Value none = f.compare(ComparePredicate::Eq, logSumExp, f.constant(logSumExp, -infinity));
  logSumExp = f.select(none, f.constant(logSumExp, infinity), logSumExp);
  Value scores = a.scores();
  Value probabilities = f.exp(f.sub(scores, f.repeat(logSumExp, scores, {4})));
  Value vGradient = a.contract("bkgqt,bkgqe->bkte", a.dropped(probabilities), gradient);
  Value delta = f.sum(f.mul(gradient, output), {4});
  Value pGradient = a.dropped(a.contract("bkgqe,bkte->bkgqt", gradient, a.v));
  Value sGradient = f.mul(probabilities, f.sub(pGradient, f.repeat(delta, pGradient, {4})));
  Value scaled = f.mul(sGradient, op.getScoreScale());
  Value qGradient = a.ungrouped(a.contract("bkgqt,bktd->bkgqd", scaled, a.k));
  Value kGradient = a.contract("bkgqt,bkgqd->bktd", scaled, a.q);
  SmallVector<Value> results = {f.cast(qGradient, element), f.cast(kGradient, element),
                                f.cast(vGradient, element)};
  if (op.getBiasGradient())
    results.push_back(f.cast(a.sumToBias(a.ungrouped(sGradient)),
                             Formula::elementType(op.getBiasGradient())));
  return results;
}

/// Positions stand in local forms only, which are not decomposed.
template <class Op, SmallVector<Value> (*build)(Formula &, Op)>
struct WholeModel : DecomposableOpInterface::ExternalModel<WholeModel<Op, build>, Op> {
  FailureOr<SmallVector<Value>> decompose(Operation *op, OpBuilder &builder) const {
    auto attention = cast<Op>(op);
    if (!attention.getPositions().empty())
      return op->emitOpError("with positions has no decomposition"), failure();
    if (attention.drawsRandomNumbers() && !attention.getDrawId())
      return op->emitOpError("has no draw_id, so its numbers are not known"), failure();
    Formula formula(builder, op->getLoc());
    return build(formula, attention);
  }
};

} // namespace

void registerAttentionDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    AttentionOp::attachInterface<WholeModel<AttentionOp, attention>>(*context);
    AttentionGradientOp::attachInterface<WholeModel<AttentionGradientOp, attentionGradient>>(
        *context);
  });
}

} // namespace vescale::vs
