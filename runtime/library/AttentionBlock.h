//===- AttentionBlock.h - What one block of keys and queries does with scores --===//
//
// A block of scores is an array scores[key * width + query]; columns past the last query hold
// finite numbers that nobody reads. Loops run over queries innermost and vectorise.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_LIBRARY_ATTENTIONBLOCK_H
#define VESCALE_RUNTIME_LIBRARY_ATTENTIONBLOCK_H

#include "runtime/format/Schedule.h"
#include "runtime/library/AttentionKernel.h"

#include <cstdint>
#include <memory>

namespace vescale::runtime {

/// The longest block of queries or keys.
constexpr int64_t attentionBlock = 64;

/// The calling thread's scratch memory; grows once and is kept.
template <typename Real> Real *attentionScratch(int64_t count) {
  thread_local std::unique_ptr<Real[]> memory;
  thread_local int64_t capacity = 0;
  if (capacity < count) {
    memory.reset(new Real[count]);
    capacity = count;
  }
  return memory.get();
}

/// out[column * width + row] = factor * in[row * stride + column]; columns of `out` from `rows` to
/// `width` become 0.
template <typename Real>
void packTransposed(Real *out, const Real *in, int64_t stride, int64_t rows, int64_t columns,
                    int64_t width, Real factor);

/// out[row * columns + column] = in[row * stride + column]; rows from `rows` to `height` become 0.
template <typename Real>
void packRows(Real *out, const Real *in, int64_t stride, int64_t rows, int64_t columns,
              int64_t height);

/// scores[key][query] += bias[query * stride + key].
template <typename Real>
void addBias(Real *scores, const Real *bias, int64_t stride, int64_t keys, int64_t queries,
             int64_t width);

/// Makes scores minus infinity where key > query + `diagonal`.
template <typename Real>
void maskCausal(Real *scores, int64_t diagonal, int64_t keys, int64_t width);

/// One step of the running softmax: updates the maxima and sums of each query, replaces scores by
/// their exponentials relative to the new maximum, and sets `correction` to the factor of what was
/// summed before.
template <typename Real>
void softmaxBlock(Real *scores, Real *maximum, Real *sum, Real *correction, int64_t keys,
                  int64_t width);

/// Replaces scores by exp(score - logSumExp[query]).
template <typename Real>
void exponentialBlock(Real *scores, const Real *logSumExp, int64_t keys, int64_t width);

/// gradient = scale * probability * (gradient - delta[query]).
template <typename Real>
void scoreGradientBlock(Real *gradient, const Real *probability, const Real *delta, Real scale,
                        int64_t keys, int64_t width);

/// out[i] *= factor[i], for a whole block.
template <typename Real> void multiplyBlock(Real *out, const Real *factor, int64_t count);

/// rows[query * columns + c] *= factor[query].
template <typename Real>
void scaleRows(Real *rows, const Real *factor, int64_t height, int64_t columns);

/// delta[query] = sum over c of a[query * columns + c] * b[query * stride + c].
template <typename Real>
void rowProducts(Real *delta, const Real *a, const Real *b, int64_t stride, int64_t rows,
                 int64_t columns);

/// factors[key][query] = 0 or 1 / (1 - rate), as the dropout of the global scores says.
/// `firstIndex` is the global index of the score of the block's first query and key, `rowStride`
/// the global key length.
template <typename Real>
void dropoutBlock(Real *factors, int64_t firstIndex, int64_t rowStride, double rate,
                  const RandomDraw &draw, int64_t keys, int64_t queries, int64_t width);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_ATTENTIONBLOCK_H
