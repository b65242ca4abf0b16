//===- AttentionForward.cpp - One block of queries against all keys ---------===//

#include "runtime/library/AttentionBlock.h"
#include "runtime/library/AttentionKernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace vescale::runtime;

template <typename Real> struct AttentionKernel::Forward {
  const AttentionKernel &kernel;
  const AttentionPosition &position;
  const Real *q, *k, *v, *bias;
  Real *output, *logSumExp;

  Forward(const AttentionKernel &kernel, void *const *operands, const AttentionPosition &position)
      : kernel(kernel), position(position) {
    q = static_cast<const Real *>(*operands++);
    k = static_cast<const Real *>(*operands++);
    v = static_cast<const Real *>(*operands++);
    bias = kernel.shape.bias ? static_cast<const Real *>(*operands++) : nullptr;
    output = static_cast<Real *>(*operands++);
    logSumExp = static_cast<Real *>(*operands++);
  }

  void unit(int64_t index) const {
    const Attention &s = kernel.shape;
    const Products<Real> &products = kernel.products<Real>();
    int64_t width = kernel.queryBlock, size = s.headSize;
    int64_t query = index % kernel.queryBlocks() * width;
    int64_t head = index / kernel.queryBlocks() % s.heads,
            batch = index / kernel.queryBlocks() / s.heads;
    int64_t queries = std::min(width, s.queryLength - query);
    const Real *keys = k + batch * s.k.batch + head / (s.heads / s.keyHeads) * s.k.head;
    const Real *values = v + batch * s.v.batch + head / (s.heads / s.keyHeads) * s.v.head;

    Real *packedQuery = attentionScratch<Real>(2 * width * size + 2 * width * attentionBlock);
    Real *sums = packedQuery + width * size;
    Real *scores = sums + width * size;
    Real *factors = scores + width * attentionBlock;
    Real maximum[attentionBlock], total[attentionBlock], correction[attentionBlock];
    std::fill_n(maximum, attentionBlock, -std::numeric_limits<Real>::infinity());
    std::fill_n(total, attentionBlock, Real(0));
    std::fill_n(sums, width * size, Real(0));
    packTransposed(packedQuery, q + batch * s.q.batch + head * s.q.head + query * s.q.sequence,
                   s.q.sequence, queries, size, width, static_cast<Real>(s.scale));

    int64_t rows = (batch * s.heads + head) * s.queryLength + query;
    int64_t visible = kernel.visibleKeys(query + queries - 1, position);
    for (int64_t key = 0; key < visible; key += kernel.keyBlock) {
      int64_t count = std::min(kernel.keyBlock, s.keyLength - key);
      int last = count < kernel.keyBlock;
      kernel.scoreBlock(scores, keys, packedQuery, bias ? bias + rows * s.keyLength : nullptr,
                        query, queries, key, count, position);
      softmaxBlock(scores, maximum, total, correction, count, width);
      if (s.dropout > 0) {
        dropoutBlock(factors, kernel.scoreIndex(position, batch, head, query, key),
                     s.globalKeyLength, s.dropout, position.draw, count, queries, width);
        multiplyBlock(scores, factors, count * width);
      }
      if (key > 0)
        scaleRows(sums, correction, width, size);
      if (size > 0)
        products.sums[last](scores, values + key * s.v.sequence, sums);
    }

    Real *out = output + batch * s.output.batch + head * s.output.head + query * s.output.sequence;
    for (int64_t i = 0; i < queries; ++i) {
      // The largest score adds 1 to the sum, and a not-a-number makes the sum one.
      bool seesNone = total[i] == 0;
      Real inverse = seesNone ? Real(0) : 1 / total[i];
      for (int64_t c = 0; c < size; ++c)
        out[i * s.output.sequence + c] = sums[i * size + c] * inverse;
      logSumExp[rows + i] = seesNone ? maximum[i] : maximum[i] + std::log(total[i]);
    }
  }
};

template <typename Real>
void AttentionKernel::forwardUnit(int64_t unit, void *const *operands,
                                  const AttentionPosition &position) const {
  Forward<Real>(*this, operands, position).unit(unit);
}

template void AttentionKernel::forwardUnit<float>(int64_t, void *const *,
                                                  const AttentionPosition &) const;
template void AttentionKernel::forwardUnit<double>(int64_t, void *const *,
                                                   const AttentionPosition &) const;
