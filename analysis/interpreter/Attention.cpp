//===- Attention.cpp - Scaled dot-product attention and its adjoint -------------------------===//

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/Random.h"

#include "dialects/vs/LayerOps.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace vescale::analysis {
namespace {

/// Sizes, masks and scores that attention and its adjoint share.
template <class Op> struct Scores {
  /// `positions` are the last four operands where the op has them.
  Scores(Op op, const Tensor &q, const Tensor &k, const Tensor &v, const Tensor *bias,
         const Tensor *rng, Operands operands)
      : q(q), k(k), bias(bias), scale(op.getScoreScale()), causal(op.getCausal()),
        rate(op.getDropout()), batches(q.size(0)), heads(q.size(1)), queries(q.size(2)),
        width(q.size(3)), keyHeads(k.size(1)), keys(k.size(2)), valueWidth(v.size(3)) {
    if (rng)
      draw = {static_cast<uint64_t>(rng->integer(0)), static_cast<uint32_t>(rng->integer(1)),
              static_cast<uint32_t>(op.getDrawId().value_or(0))};
    globalHeads = heads;
    globalQueries = queries;
    globalKeys = keys;
    if (op.getPositions().empty())
      return;
    for (auto [value, position] : llvm::zip_equal(start, operands.take_back(4)))
      value = position->integer(0);
    globalHeads = (*op.getGlobalSizes())[0];
    globalQueries = (*op.getGlobalSizes())[1];
    globalKeys = (*op.getGlobalSizes())[2];
  }

  int64_t keyHead(int64_t h) const { return h / (heads / keyHeads); }
  bool sees(int64_t i, int64_t j) const { return !causal || start[3] + j <= start[2] + i; }
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
    sum *= scale;
    return bias ? sum + bias->real(biasAt(b, h, i, j)) : sum;
  }

  /// What dropout multiplies a probability by.
  double kept(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (rate == 0)
      return 1;
    int64_t element =
        (((start[0] + b) * globalHeads + start[1] + h) * globalQueries + start[2] + i) *
            globalKeys +
        start[3] + j;
    return uniformNumber(draw, element) < rate ? 0 : 1 / (1 - rate);
  }

  const Tensor &q, &k;
  const Tensor *bias;
  double scale;
  bool causal;
  double rate;
  Draw draw;
  int64_t batches, heads, queries, width, keyHeads, keys, valueWidth;
  /// Where batch, heads, queries and keys start in the global tensors, and the sizes there.
  int64_t start[4] = {0, 0, 0, 0};
  int64_t globalHeads, globalQueries, globalKeys;
};

template <class Op> LogicalResult checkDraw(Op op) {
  if (op.getDropout() > 0 && !op.getDrawId())
    return op.emitOpError("has no draw_id, so its numbers are not known");
  return success();
}

Results attention(vs::AttentionOp op, Operands operands) {
  if (failed(checkDraw(op)))
    return failure();
  const Tensor &v = *operands[2];
  size_t next = 3;
  const Tensor *bias = op.getBias() ? operands[next++] : nullptr;
  const Tensor *rng = op.getRng() ? operands[next++] : nullptr;
  Scores<vs::AttentionOp> s(op, *operands[0], *operands[1], v, bias, rng, operands);
  SmallVector<Tensor> results{zerosOf(op.getOutput()), zerosOf(op.getLogSumExp())};
  std::vector<double> scores(s.keys);
  forEachIndex({s.batches, s.heads, s.queries}, [&](const std::vector<int64_t> &at, int64_t row) {
    int64_t b = at[0], h = at[1], i = at[2];
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < s.keys; ++j)
      largest = std::max(largest, scores[j] = s.score(b, h, i, j));
    // A query that sees no key has nothing to attend to.
    if (largest == -std::numeric_limits<double>::infinity()) {
      results[1].setReal(row, largest);
      return;
    }
    for (int64_t j = 0; j < s.keys; ++j)
      sum += scores[j] = std::exp(scores[j] - largest);
    results[1].setReal(row, std::log(sum) + largest);
    for (int64_t d = 0; d < s.valueWidth; ++d) {
      double output = 0;
      for (int64_t j = 0; j < s.keys; ++j)
        if (scores[j] != 0)
          output +=
              scores[j] / sum * s.kept(b, h, i, j) * v.real(s.keyRow(b, h, j) * s.valueWidth + d);
      results[0].setReal(row * s.valueWidth + d, output);
    }
  });
  return results;
}

Results attentionGradient(vs::AttentionGradientOp op, Operands operands) {
  if (failed(checkDraw(op)))
    return failure();
  const Tensor &q = *operands[0], &k = *operands[1], &v = *operands[2];
  size_t next = 3;
  const Tensor *bias = op.getBias() ? operands[next++] : nullptr;
  const Tensor *rng = op.getRng() ? operands[next++] : nullptr;
  const Tensor &output = *operands[next], &logSumExp = *operands[next + 1],
               &gradient = *operands[next + 2];
  Scores<vs::AttentionGradientOp> s(op, q, k, v, bias, rng, operands);
  SmallVector<Tensor> results;
  for (Value result : op->getResults())
    results.push_back(zerosOf(result));
  auto accumulate = [&](int result, int64_t at, double x) {
    results[result].setReal(at, results[result].real(at) + x);
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
        accumulate(0, row * s.width + d, s.scale * score * k.real(key * s.width + d));
        accumulate(1, key * s.width + d, s.scale * score * q.real(row * s.width + d));
      }
      if (op.getBiasGradient())
        accumulate(3, s.biasAt(b, h, i, j), score);
    }
  });
  return results;
}

} // namespace

void addAttention(EvaluationTable &table) {
  table.add<vs::AttentionOp, attention>();
  table.add<vs::AttentionGradientOp, attentionGradient>();
}

} // namespace vescale::analysis
