//===- AttentionBackward.cpp - The gradients of one key head --------------------===//

#include "runtime/library/AttentionBlock.h"
#include "runtime/library/AttentionKernel.h"

#include <algorithm>

using namespace vescale::runtime;

template <typename Real> struct AttentionKernel::Backward {
  const AttentionKernel &kernel;
  const AttentionPosition &position;
  const Real *q, *k, *v, *bias, *output, *logSumExp, *outputGradient;
  Real *queryGradient, *keyGradient, *valueGradient;

  Backward(const AttentionKernel &kernel, void *const *operands, const AttentionPosition &position)
      : kernel(kernel), position(position) {
    q = static_cast<const Real *>(*operands++);
    k = static_cast<const Real *>(*operands++);
    v = static_cast<const Real *>(*operands++);
    bias = kernel.shape.bias ? static_cast<const Real *>(*operands++) : nullptr;
    output = static_cast<const Real *>(*operands++);
    logSumExp = static_cast<const Real *>(*operands++);
    outputGradient = static_cast<const Real *>(*operands++);
    queryGradient = static_cast<Real *>(*operands++);
    keyGradient = static_cast<Real *>(*operands++);
    valueGradient = static_cast<Real *>(*operands++);
  }

  void unit(int64_t index) const {
    const Attention &s = kernel.shape;
    int64_t keyHead = index % s.keyHeads, batch = index / s.keyHeads, group = s.heads / s.keyHeads;
    Real *keys = keyGradient + batch * s.k.batch + keyHead * s.k.head;
    Real *values = valueGradient + batch * s.v.batch + keyHead * s.v.head;
    for (int64_t j = 0; j < s.keyLength; ++j) {
      std::fill_n(keys + j * s.k.sequence, s.headSize, Real(0));
      std::fill_n(values + j * s.v.sequence, s.headSize, Real(0));
    }
    if (s.headSize == 0)
      return;
    for (int64_t head = keyHead * group; head < (keyHead + 1) * group; ++head)
      for (int64_t query = 0; query < s.queryLength; query += kernel.queryBlock)
        block(batch, head, keyHead, query);
  }

  /// Adds what one block of queries contributes to the gradients of keys and values, and writes its
  /// own.
  void block(int64_t batch, int64_t head, int64_t keyHead, int64_t query) const {
    const Attention &s = kernel.shape;
    const Products<Real> &products = kernel.products<Real>();
    int64_t width = kernel.queryBlock, size = s.headSize;
    int64_t queries = std::min(width, s.queryLength - query);
    int64_t keyOffset = batch * s.k.batch + keyHead * s.k.head,
            valueOffset = batch * s.v.batch + keyHead * s.v.head;
    int64_t queryOffset = batch * s.q.batch + head * s.q.head + query * s.q.sequence;
    int64_t outputOffset =
        batch * s.output.batch + head * s.output.head + query * s.output.sequence;

    Real *rowQuery = attentionScratch<Real>(5 * width * size + 3 * width * attentionBlock);
    Real *packedQuery = rowQuery + width * size;
    Real *rowGradient = packedQuery + width * size;
    Real *packedGradient = rowGradient + width * size;
    Real *sums = packedGradient + width * size;
    Real *scores = sums + width * size;
    Real *gradient = scores + width * attentionBlock;
    Real *factors = gradient + width * attentionBlock;
    packRows(rowQuery, q + queryOffset, s.q.sequence, queries, size, width);
    packTransposed(packedQuery, rowQuery, size, queries, size, width, static_cast<Real>(s.scale));
    packRows(rowGradient, outputGradient + outputOffset, s.output.sequence, queries, size, width);
    packTransposed(packedGradient, rowGradient, size, queries, size, width, Real(1));
    std::fill_n(sums, width * size, Real(0));
    Real delta[attentionBlock] = {}, reference[attentionBlock] = {};
    rowProducts(delta, rowGradient, output + outputOffset, s.output.sequence, queries, size);
    int64_t rows = (batch * s.heads + head) * s.queryLength + query;
    std::copy_n(logSumExp + rows, queries, reference);

    int64_t visible = kernel.visibleKeys(query + queries - 1, position);
    for (int64_t key = 0; key < visible; key += kernel.keyBlock) {
      int64_t count = std::min(kernel.keyBlock, s.keyLength - key);
      int last = count < kernel.keyBlock;
      kernel.scoreBlock(scores, k + keyOffset, packedQuery,
                        bias ? bias + rows * s.keyLength : nullptr, query, queries, key, count,
                        position);
      exponentialBlock(scores, reference, count, width);
      products.scoreGradient[last](v + valueOffset + key * s.v.sequence, packedGradient, gradient);
      if (s.dropout > 0) {
        dropoutBlock(factors, kernel.scoreIndex(position, batch, head, query, key),
                     s.globalKeyLength, s.dropout, position.draw, count, queries, width);
        multiplyBlock(gradient, factors, count * width);
        multiplyBlock(factors, scores, count * width);
      }
      scoreGradientBlock(gradient, scores, delta, static_cast<Real>(s.scale), count, width);
      products.valueGradient[last](s.dropout > 0 ? factors : scores, rowGradient,
                                   valueGradient + valueOffset + key * s.v.sequence);
      products.keyGradient[last](gradient, rowQuery, keyGradient + keyOffset + key * s.k.sequence);
      products.queryGradient[last](gradient, k + keyOffset + key * s.k.sequence, sums);
    }
    for (int64_t i = 0; i < queries; ++i)
      std::copy_n(sums + i * size, size, queryGradient + queryOffset + i * s.q.sequence);
  }
};

template <typename Real>
void AttentionKernel::backwardUnit(int64_t unit, void *const *operands,
                                   const AttentionPosition &position) const {
  Backward<Real>(*this, operands, position).unit(unit);
}

template void AttentionKernel::backwardUnit<float>(int64_t, void *const *,
                                                   const AttentionPosition &) const;
template void AttentionKernel::backwardUnit<double>(int64_t, void *const *,
                                                    const AttentionPosition &) const;
