//===- AttentionKernel.h - Attention of a schedule ---------------------------===//
//
// output = dropout(softmax(scale * q k^T + bias, causal)) v, per batch element and head, and its
// gradient, without the matrix of scores in memory: blocks of queries meet blocks of keys, with the
// running maximum and sum of Milakov and Gimelshein (2018) and the block-wise gradient of Dao et
// al. (FlashAttention, 2022).
//
// Scores are kept transposed, keys by queries, so that a softmax is element-wise over vectors of
// queries.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_LIBRARY_ATTENTIONKERNEL_H
#define VESCALE_RUNTIME_LIBRARY_ATTENTIONKERNEL_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"
#include "runtime/library/SmallProduct.h"
#include "runtime/random/Philox.h"

#include <cstdint>
#include <vector>

namespace vescale::runtime {

/// Where a rank's part of an attention lies in the global one, and the draw of its dropout.
struct AttentionPosition {
  int64_t batch = 0, head = 0, query = 0, key = 0; ///< Global index of the first local element.
  RandomDraw draw;
};

/// An Attention instruction, prepared once when the schedule is loaded and then run part by part.
///
/// - Query head h reads key head h / (heads / keyHeads), of the local heads.
/// - causal: key j is seen by query i where position.key + j <= position.query + i.
/// - dropout: score (b, h, i, j) is kept where the uniform number of its row-major global index in
/// (batch, heads,
///   query length, key length) is at least the rate; kept ones are multiplied by 1 / (1 - rate).
/// - log-sum-exp: of the scaled, biased and masked scores, before dropout. A query that sees no key
/// has output 0 and
///   log-sum-exp of minus infinity, and gradients of 0.
/// - The gradient of the bias is not computed.
class AttentionKernel {
public:
  /// Errors: types other than f32 and f64, sizes or strides that are negative or do not fit, heads
  /// that key heads do not divide, a dropout rate outside [0, 1).
  static layout::StatusOr<AttentionKernel> prepare(const Attention &description, int workers);

  /// Number of parts; parts write disjoint memory and may run concurrently.
  int64_t parts() const { return static_cast<int64_t>(firstUnit.size()) - 1; }

  /// Runs parts [begin, end). `operands` are those of the instruction, in its order:
  /// forward q, k, v, [bias,] output, log-sum-exp; backward q, k, v, [bias,] output, log-sum-exp,
  /// output gradient, q gradient, k gradient, v gradient. A gradient has the strides of its tensor.
  void run(int64_t begin, int64_t end, void *const *operands,
           const AttentionPosition &position) const;

  /// Floating-point operations, without those that a causal mask saves.
  double operations() const;

private:
  /// Products of one block of queries with a full or the last block of keys.
  template <typename Real> struct Products {
    SmallProduct<Real> scores[2];        ///< keys x queries = k * q^T
    SmallProduct<Real> scoreGradient[2]; ///< keys x queries = v * (output gradient)^T
    SmallProduct<Real> sums[2];          ///< queries x size += scores^T * v
    SmallProduct<Real> keyGradient[2];   ///< keys x size += score gradient * q
    SmallProduct<Real> valueGradient[2]; ///< keys x size += scores * (output gradient)
    SmallProduct<Real> queryGradient[2]; ///< queries x size += (score gradient)^T * k
  };
  template <typename Real> struct Forward;
  template <typename Real> struct Backward;

  explicit AttentionKernel(const Attention &description) : shape(description) {}
  void divide(int workers);
  template <typename Real> void prepareProducts(Products<Real> &products) const;
  template <typename Real> const Products<Real> &products() const;
  template <typename Real>
  void runUnits(int64_t begin, int64_t end, void *const *operands,
                const AttentionPosition &position) const;

  template <typename Real>
  void forwardUnit(int64_t unit, void *const *operands, const AttentionPosition &position) const;
  template <typename Real>
  void backwardUnit(int64_t unit, void *const *operands, const AttentionPosition &position) const;

  /// Scaled, biased and masked scores of `count` keys from `key` on and `queries` queries from
  /// `query` on. \param biasRows the bias of the first of these queries, or nullptr.
  template <typename Real>
  void scoreBlock(Real *scores, const Real *keys, const Real *packedQuery, const Real *biasRows,
                  int64_t query, int64_t queries, int64_t key, int64_t count,
                  const AttentionPosition &position) const;
  /// Row-major global index of the score of a local query and key.
  int64_t scoreIndex(const AttentionPosition &position, int64_t batch, int64_t head, int64_t query,
                     int64_t key) const;

  int64_t queryBlocks() const { return (shape.queryLength + queryBlock - 1) / queryBlock; }
  int64_t units() const;
  /// Number of leading keys that a query at local index `query` may see.
  int64_t visibleKeys(int64_t query, const AttentionPosition &position) const;

  Attention shape;
  int64_t queryBlock = 64, keyBlock = 64;
  std::vector<int64_t> firstUnit; ///< Part p is units [firstUnit[p], firstUnit[p + 1]).
  Products<float> productsFloat;
  Products<double> productsDouble;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_ATTENTIONKERNEL_H
