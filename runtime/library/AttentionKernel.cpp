#include "runtime/library/AttentionKernel.h"

#include "runtime/library/AttentionBlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// A part with less work than this costs more to hand to a worker than to compute.
constexpr double smallestPart = 2e5;

/// The calling thread's scratch memory; grows once and is kept.
template <typename Real> Real *threadScratch(int64_t count) {
  thread_local std::unique_ptr<Real[]> memory;
  thread_local int64_t capacity = 0;
  if (capacity < count) {
    memory.reset(new Real[count]);
    capacity = count;
  }
  return memory.get();
}

} // namespace

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

StatusOr<AttentionKernel> AttentionKernel::prepare(const Attention &d, int workers) {
  if (d.element != ElementType::F32 && d.element != ElementType::F64)
    return Status::error(fmt::format("attention: no kernel for {}", elementName(d.element)));
  constexpr int64_t largest = int64_t(1) << 31;
  for (int64_t size : {d.batch, d.heads, d.keyHeads, d.queryLength, d.keyLength, d.headSize})
    if (size < 0 || size >= largest)
      return Status::error(fmt::format("attention: size {} is out of range", size));
  if (d.keyHeads == 0 ? d.heads != 0 : d.heads % d.keyHeads != 0)
    return Status::error(fmt::format("attention: {} heads cannot share {} key heads evenly", d.heads, d.keyHeads));
  if (!(d.dropout >= 0 && d.dropout < 1))
    return Status::error(fmt::format("attention: dropout rate {} is not in [0, 1)", d.dropout));
  if (!std::isfinite(d.scale))
    return Status::error(fmt::format("attention: scale {} is not finite", d.scale));
  const std::pair<const char *, std::pair<AttentionStrides, int64_t>> tensors[] = {
      {"q", {d.q, d.queryLength}}, {"k", {d.k, d.keyLength}}, {"v", {d.v, d.keyLength}}, {"output", {d.output, d.queryLength}}};
  for (auto &[name, tensor] : tensors)
    if (tensor.second > 1 && (tensor.first.sequence < d.headSize || tensor.first.sequence >= largest))
      return Status::error(fmt::format("attention: the sequence stride {} of {} does not hold a head of {}",
                                       tensor.first.sequence, name, d.headSize));
  AttentionKernel kernel(d);
  kernel.queryBlock = std::clamp<int64_t>((d.queryLength + 7) / 8 * 8, 8, attentionBlock);
  kernel.keyBlock = std::clamp<int64_t>(d.keyLength, 1, attentionBlock);
  if (d.element == ElementType::F32)
    kernel.prepareProducts(kernel.productsFloat);
  else
    kernel.prepareProducts(kernel.productsDouble);
  kernel.divide(std::max(workers, 1));
  return kernel;
}

template <typename Real> void AttentionKernel::prepareProducts(Products<Real> &p) const {
  int64_t size = shape.headSize, width = queryBlock;
  int64_t strideK = std::max(shape.k.sequence, size), strideV = std::max(shape.v.sequence, size);
  for (int last = 0; last < 2; ++last) {
    int64_t keys = last ? shape.keyLength % keyBlock : keyBlock;
    if (keys == 0 || size == 0)
      continue;
    p.scores[last] = SmallProduct<Real>(keys, width, size, strideK, width, width, false, false);
    if (!shape.backward) {
      p.sums[last] = SmallProduct<Real>(width, size, keys, width, strideV, size, true, true);
      continue;
    }
    p.scoreGradient[last] = SmallProduct<Real>(keys, width, size, strideV, width, width, false, false);
    p.keyGradient[last] = SmallProduct<Real>(keys, size, width, width, size, strideK, false, true);
    p.valueGradient[last] = SmallProduct<Real>(keys, size, width, width, size, strideV, false, true);
    p.queryGradient[last] = SmallProduct<Real>(width, size, keys, width, strideK, size, true, true);
  }
}

template <> const AttentionKernel::Products<float> &AttentionKernel::products<float>() const { return productsFloat; }
template <> const AttentionKernel::Products<double> &AttentionKernel::products<double>() const {
  return productsDouble;
}

/// Forward, a unit is a block of queries of one head. Backward, it is a key head, whose gradients sum over all queries of
/// all its heads.
int64_t AttentionKernel::units() const {
  return shape.backward ? shape.batch * shape.keyHeads : shape.batch * shape.heads * queryBlocks();
}

double AttentionKernel::operations() const {
  double pairs = static_cast<double>(shape.batch * shape.heads) * static_cast<double>(shape.queryLength) *
                 static_cast<double>(shape.keyLength);
  return (shape.backward ? 10.0 : 4.0) * pairs * static_cast<double>(shape.headSize);
}

/// Several parts per worker, since a causal mask makes parts unequal.
void AttentionKernel::divide(int workers) {
  int64_t count = units();
  int64_t wanted = workers == 1 ? 1 : 4 * workers;
  int64_t parts = std::min(count, std::clamp<int64_t>(static_cast<int64_t>(operations() / smallestPart), 1, wanted));
  firstUnit.assign(1, 0);
  for (int64_t part = 1; part <= parts; ++part)
    firstUnit.push_back(count * part / parts);
}

int64_t AttentionKernel::visibleKeys(int64_t query, const AttentionPosition &position) const {
  if (!shape.causal)
    return shape.keyLength;
  return std::clamp<int64_t>(position.query + query + 1 - position.key, 0, shape.keyLength);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

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
    int64_t head = index / kernel.queryBlocks() % s.heads, batch = index / kernel.queryBlocks() / s.heads;
    int64_t queries = std::min(width, s.queryLength - query);
    const Real *keys = k + batch * s.k.batch + head / (s.heads / s.keyHeads) * s.k.head;
    const Real *values = v + batch * s.v.batch + head / (s.heads / s.keyHeads) * s.v.head;

    Real *packedQuery = threadScratch<Real>(2 * width * size + 2 * width * attentionBlock);
    Real *sums = packedQuery + width * size;
    Real *scores = sums + width * size;
    Real *factors = scores + width * attentionBlock;
    Real maximum[attentionBlock], total[attentionBlock], correction[attentionBlock];
    std::fill_n(maximum, attentionBlock, -std::numeric_limits<Real>::infinity());
    std::fill_n(total, attentionBlock, Real(0));
    std::fill_n(sums, width * size, Real(0));
    packTransposed(packedQuery, q + batch * s.q.batch + head * s.q.head + query * s.q.sequence, s.q.sequence, queries,
                   size, width, static_cast<Real>(s.scale));

    int64_t rows = (batch * s.heads + head) * s.queryLength + query;
    int64_t visible = kernel.visibleKeys(query + queries - 1, position);
    for (int64_t key = 0; key < visible; key += kernel.keyBlock) {
      int64_t count = std::min(kernel.keyBlock, s.keyLength - key);
      int last = count < kernel.keyBlock;
      scoreBlock(kernel, products, scores, keys, packedQuery, bias ? bias + rows * s.keyLength : nullptr, query, queries,
                 key, count, position);
      softmaxBlock(scores, maximum, total, correction, count, width);
      if (s.dropout > 0) {
        dropoutBlock(factors, scoreIndex(s, position, batch, head, query, key), s.globalKeyLength, s.dropout,
                     position.draw, count, queries, width);
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

  /// Scaled, biased and masked scores of a block.
  static void scoreBlock(const AttentionKernel &kernel, const Products<Real> &products, Real *scores, const Real *keys,
                         const Real *packedQuery, const Real *biasRows, int64_t query, int64_t queries, int64_t key,
                         int64_t count, const AttentionPosition &position) {
    const Attention &s = kernel.shape;
    int64_t width = kernel.queryBlock;
    if (s.headSize > 0)
      products.scores[count < kernel.keyBlock](keys + key * s.k.sequence, packedQuery, scores);
    else
      std::fill_n(scores, count * width, Real(0));
    if (biasRows)
      addBias(scores, biasRows + key, s.keyLength, count, queries, width);
    if (s.causal && kernel.visibleKeys(query, position) < key + count)
      maskCausal(scores, position.query + query - position.key - key, count, width);
  }

  /// Row-major global index of the score of a local query and key.
  static int64_t scoreIndex(const Attention &s, const AttentionPosition &position, int64_t batch, int64_t head,
                            int64_t query, int64_t key) {
    return (((position.batch + batch) * s.globalHeads + position.head + head) * s.globalQueryLength + position.query +
            query) *
               s.globalKeyLength +
           position.key + key;
  }
};

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

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

  /// Adds what one block of queries contributes to the gradients of keys and values, and writes its own.
  void block(int64_t batch, int64_t head, int64_t keyHead, int64_t query) const {
    const Attention &s = kernel.shape;
    const Products<Real> &products = kernel.products<Real>();
    int64_t width = kernel.queryBlock, size = s.headSize;
    int64_t queries = std::min(width, s.queryLength - query);
    int64_t keyOffset = batch * s.k.batch + keyHead * s.k.head, valueOffset = batch * s.v.batch + keyHead * s.v.head;
    int64_t queryOffset = batch * s.q.batch + head * s.q.head + query * s.q.sequence;
    int64_t outputOffset = batch * s.output.batch + head * s.output.head + query * s.output.sequence;

    Real *rowQuery = threadScratch<Real>(5 * width * size + 3 * width * attentionBlock);
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
      Forward<Real>::scoreBlock(kernel, products, scores, k + keyOffset, packedQuery,
                                bias ? bias + rows * s.keyLength : nullptr, query, queries, key, count, position);
      exponentialBlock(scores, reference, count, width);
      products.scoreGradient[last](v + valueOffset + key * s.v.sequence, packedGradient, gradient);
      if (s.dropout > 0) {
        dropoutBlock(factors, Forward<Real>::scoreIndex(s, position, batch, head, query, key), s.globalKeyLength,
                     s.dropout, position.draw, count, queries, width);
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
void AttentionKernel::runUnits(int64_t begin, int64_t end, void *const *operands,
                               const AttentionPosition &position) const {
  if (shape.backward) {
    Backward<Real> backward(*this, operands, position);
    for (int64_t unit = begin; unit < end; ++unit)
      backward.unit(unit);
    return;
  }
  Forward<Real> forward(*this, operands, position);
  for (int64_t unit = begin; unit < end; ++unit)
    forward.unit(unit);
}

void AttentionKernel::run(int64_t begin, int64_t end, void *const *operands, const AttentionPosition &position) const {
  if (shape.element == ElementType::F32)
    runUnits<float>(firstUnit[begin], firstUnit[end], operands, position);
  else
    runUnits<double>(firstUnit[begin], firstUnit[end], operands, position);
}
