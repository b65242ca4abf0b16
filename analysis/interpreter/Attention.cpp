//===- Attention.cpp - Scaled dot-product attention and its adjoint -------------------------===//

#include "dialects/vs/AttentionOps.h"
#include "analysis/interpreter/Attention.h"
#include "analysis/interpreter/Evaluation.h"


#include <cmath>
#include <limits>

using namespace mlir;

namespace vescale::analysis {
namespace {

/// Sizes, masks and scores that attention and its adjoint share.
struct Scores {
  Scores(const AttentionInputs &inputs, const AttentionOptions &options)
      : q(inputs.q), k(inputs.k), bias(inputs.bias), options(options), batches(q.size(0)),
        heads(q.size(1)), queries(q.size(2)), width(q.size(3)), keyHeads(k.size(1)),
        keys(k.size(2)), valueWidth(inputs.v.size(3)) {}

  int64_t keyHead(int64_t h) const { return h / (heads / keyHeads); }
  bool sees(int64_t i, int64_t j) const {
    return !options.causal || options.start[3] + j <= options.start[2] + i;
  }
  int64_t keyRow(int64_t b, int64_t h, int64_t j) const {
    return (b * keyHeads + keyHead(h)) * keys + j;
  }
  int64_t queryRow(int64_t b, int64_t h, int64_t i) const { return (b * heads + h) * queries + i; }
  int64_t biasAt(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return position(bias->shape(), {bias->size(0) == 1 ? 0 : b, bias->size(1) == 1 ? 0 : h, i, j});
  }

  double score(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (!sees(i, j))
      return -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (int64_t d = 0; d < width; ++d)
      sum += q.real(queryRow(b, h, i) * width + d) * k.real(keyRow(b, h, j) * width + d);
    sum *= options.scale;
    return bias ? sum + bias->real(biasAt(b, h, i, j)) : sum;
  }

  /// What dropout multiplies a probability by.
  double kept(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (options.dropout == 0)
      return 1;
    int64_t element = options.start[0] + b;
    element = element * options.globalSizes[0] + options.start[1] + h;
    element = element * options.globalSizes[1] + options.start[2] + i;
    element = element * options.globalSizes[2] + options.start[3] + j;
    return uniformNumber(options.draw, element) < options.dropout ? 0 : 1 / (1 - options.dropout);
  }

  const Tensor &q, &k;
  const Tensor *bias;
  const AttentionOptions &options;
  int64_t batches, heads, queries, width, keyHeads, keys, valueWidth;
};

/// What an op says; fails where it does not say which numbers it draws.
template <class Op>
FailureOr<AttentionOptions> optionsOf(Op op, Operands operands, const Tensor *rng) {
  if (op.getDropout() > 0 && !op.getDrawId())
    return op.emitOpError("has no draw_id, so its numbers are not known"), failure();
  AttentionOptions options;
  options.scale = op.getScoreScale();
  options.causal = op.getCausal();
  options.dropout = op.getDropout();
  if (rng)
    options.draw = drawOf(*rng, op.getDrawId().value_or(0));
  const Tensor &q = *operands[0], &k = *operands[1];
  options.globalSizes = {q.size(1), q.size(2), k.size(2)};
  // The positions are the last four operands where the op has them.
  if (op.getPositions().empty())
    return options;
  for (auto [value, position] : llvm::zip_equal(options.start, operands.take_back(4)))
    value = position->integer(0);
  for (auto [size, global] : llvm::zip_equal(options.globalSizes, *op.getGlobalSizes()))
    size = global;
  return options;
}

Results attention(vs::AttentionOp op, Operands operands) {
  size_t next = 3;
  const Tensor *bias = op.getBias() ? operands[next++] : nullptr;
  const Tensor *rng = op.getRng() ? operands[next++] : nullptr;
  FailureOr<AttentionOptions> options = optionsOf(op, operands, rng);
  if (failed(options))
    return failure();
  SmallVector<Tensor> results{zerosOf(op.getOutput()), zerosOf(op.getLogSumExp())};
  evaluateAttention({*operands[0], *operands[1], *operands[2], bias}, *options, results[0],
                    results[1]);
  return results;
}

Results attentionGradient(vs::AttentionGradientOp op, Operands operands) {
  size_t next = 3;
  const Tensor *bias = op.getBias() ? operands[next++] : nullptr;
  const Tensor *rng = op.getRng() ? operands[next++] : nullptr;
  FailureOr<AttentionOptions> options = optionsOf(op, operands, rng);
  if (failed(options))
    return failure();
  SmallVector<Tensor> results;
  for (Value result : op->getResults())
    results.push_back(zerosOf(result));
  evaluateAttentionGradient({*operands[0], *operands[1], *operands[2], bias}, *options,
                            *operands[next], *operands[next + 1], *operands[next + 2],
                            {&results[0], &results[1], &results[2],
                             op.getBiasGradient() ? &results[3] : nullptr});
  return results;
}

} // namespace

void evaluateAttention(const AttentionInputs &inputs, const AttentionOptions &options,
                       Tensor &output, Tensor &logSumExp) {
  Scores s(inputs, options);
  std::vector<double> scores(s.keys);
  forEachIndex({s.batches, s.heads, s.queries}, [&](const std::vector<int64_t> &at, int64_t row) {
    int64_t b = at[0], h = at[1], i = at[2];
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < s.keys; ++j)
      largest = std::max(largest, scores[j] = s.score(b, h, i, j));
    // A query that sees no key has nothing to attend to.
    if (largest == -std::numeric_limits<double>::infinity()) {
      logSumExp.setReal(row, largest);
      return;
    }
    for (int64_t j = 0; j < s.keys; ++j)
      sum += scores[j] = std::exp(scores[j] - largest);
    logSumExp.setReal(row, std::log(sum) + largest);
    for (int64_t d = 0; d < s.valueWidth; ++d) {
      double element = 0;
      for (int64_t j = 0; j < s.keys; ++j)
        if (scores[j] != 0)
          element += scores[j] / sum * s.kept(b, h, i, j) *
                     inputs.v.real(s.keyRow(b, h, j) * s.valueWidth + d);
      output.setReal(row * s.valueWidth + d, element);
    }
  });
}

void evaluateAttentionGradient(const AttentionInputs &inputs, const AttentionOptions &options,
                               const Tensor &output, const Tensor &logSumExp,
                               const Tensor &gradient, std::array<Tensor *, 4> gradients) {
  Scores s(inputs, options);
  const Tensor &q = inputs.q, &k = inputs.k, &v = inputs.v;
  auto accumulate = [&](int result, int64_t at, double x) {
    gradients[result]->setReal(at, gradients[result]->real(at) + x);
  };
  forEachIndex({s.batches, s.heads, s.queries}, [&](const std::vector<int64_t> &at, int64_t row) {
    int64_t b = at[0], h = at[1], i = at[2];
    double lse = logSumExp.real(row), delta = 0;
    if (lse == -std::numeric_limits<double>::infinity())
      return;
    for (int64_t d = 0; d < s.valueWidth; ++d)
      delta += gradient.real(row * s.valueWidth + d) * output.real(row * s.valueWidth + d);
    for (int64_t j = 0; j < s.keys; ++j) {
      if (!s.sees(i, j))
        continue;
      double probability = std::exp(s.score(b, h, i, j) - lse), kept = s.kept(b, h, i, j);
      int64_t key = s.keyRow(b, h, j);
      double inner = 0;
      for (int64_t d = 0; d < s.valueWidth; ++d) {
        inner += gradient.real(row * s.valueWidth + d) * v.real(key * s.valueWidth + d);
        accumulate(2, key * s.valueWidth + d,
                   probability * kept * gradient.real(row * s.valueWidth + d));
      }
      double score = probability * (kept * inner - delta);
      for (int64_t d = 0; d < s.width; ++d) {
        accumulate(0, row * s.width + d, options.scale * score * k.real(key * s.width + d));
        accumulate(1, key * s.width + d, options.scale * score * q.real(row * s.width + d));
      }
      if (gradients[3])
        accumulate(3, s.biasAt(b, h, i, j), score);
    }
  });
}

void addAttention(EvaluationTable &table) {
  table.add<vs::AttentionOp, attention>();
  table.add<vs::AttentionGradientOp, attentionGradient>();
}

} // namespace vescale::analysis
