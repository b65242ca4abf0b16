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
    return Status::error(
        fmt::format("attention: {} heads cannot share {} key heads evenly", d.heads, d.keyHeads));
  if (!(d.dropout >= 0 && d.dropout < 1))
    return Status::error(fmt::format("attention: dropout rate {} is not in [0, 1)", d.dropout));
  if (!std::isfinite(d.scale))
    return Status::error(fmt::format("attention: scale {} is not finite", d.scale));
  const std::pair<const char *, std::pair<AttentionStrides, int64_t>> tensors[] = {
      {"q", {d.q, d.queryLength}},
      {"k", {d.k, d.keyLength}},
      {"v", {d.v, d.keyLength}},
      {"output", {d.output, d.queryLength}}};
  for (auto &[name, tensor] : tensors)
    if (tensor.second > 1 &&
        (tensor.first.sequence < d.headSize || tensor.first.sequence >= largest))
      return Status::error(
          fmt::format("attention: the sequence stride {} of {} does not hold a head of {}",
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
    p.scoreGradient[last] =
        SmallProduct<Real>(keys, width, size, strideV, width, width, false, false);
    p.keyGradient[last] = SmallProduct<Real>(keys, size, width, width, size, strideK, false, true);
    p.valueGradient[last] =
        SmallProduct<Real>(keys, size, width, width, size, strideV, false, true);
    p.queryGradient[last] = SmallProduct<Real>(width, size, keys, width, strideK, size, true, true);
  }
}

template <> const AttentionKernel::Products<float> &AttentionKernel::products<float>() const {
  return productsFloat;
}
template <> const AttentionKernel::Products<double> &AttentionKernel::products<double>() const {
  return productsDouble;
}

/// Forward, a unit is a block of queries of one head. Backward, it is a key head, whose gradients
/// sum over all queries of all its heads.
int64_t AttentionKernel::units() const {
  return shape.backward ? shape.batch * shape.keyHeads : shape.batch * shape.heads * queryBlocks();
}

double AttentionKernel::operations() const {
  double pairs = static_cast<double>(shape.batch * shape.heads) *
                 static_cast<double>(shape.queryLength) * static_cast<double>(shape.keyLength);
  return (shape.backward ? 10.0 : 4.0) * pairs * static_cast<double>(shape.headSize);
}

/// Several parts per worker, since a causal mask makes parts unequal.
void AttentionKernel::divide(int workers) {
  int64_t count = units();
  int64_t wanted = workers == 1 ? 1 : 4 * workers;
  int64_t parts = std::min(
      count, std::clamp<int64_t>(static_cast<int64_t>(operations() / smallestPart), 1, wanted));
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
// Running
//===----------------------------------------------------------------------===//

template <typename Real>
void AttentionKernel::scoreBlock(Real *scores, const Real *keys, const Real *packedQuery,
                                 const Real *biasRows, int64_t query, int64_t queries, int64_t key,
                                 int64_t count, const AttentionPosition &position) const {
  if (shape.headSize > 0)
    products<Real>().scores[count < keyBlock](keys + key * shape.k.sequence, packedQuery, scores);
  else
    std::fill_n(scores, count * queryBlock, Real(0));
  if (biasRows)
    addBias(scores, biasRows + key, shape.keyLength, count, queries, queryBlock);
  if (shape.causal && visibleKeys(query, position) < key + count)
    maskCausal(scores, position.query + query - position.key - key, count, queryBlock);
}

int64_t AttentionKernel::scoreIndex(const AttentionPosition &position, int64_t batch, int64_t head,
                                    int64_t query, int64_t key) const {
  return (((position.batch + batch) * shape.globalHeads + position.head + head) *
              shape.globalQueryLength +
          position.query + query) *
             shape.globalKeyLength +
         position.key + key;
}

template void AttentionKernel::scoreBlock(float *, const float *, const float *, const float *,
                                          int64_t, int64_t, int64_t, int64_t,
                                          const AttentionPosition &) const;
template void AttentionKernel::scoreBlock(double *, const double *, const double *, const double *,
                                          int64_t, int64_t, int64_t, int64_t,
                                          const AttentionPosition &) const;

template <typename Real>
void AttentionKernel::runUnits(int64_t begin, int64_t end, void *const *operands,
                               const AttentionPosition &position) const {
  for (int64_t unit = begin; unit < end; ++unit) {
    if (shape.backward)
      backwardUnit<Real>(unit, operands, position);
    else
      forwardUnit<Real>(unit, operands, position);
  }
}

void AttentionKernel::run(int64_t begin, int64_t end, void *const *operands,
                          const AttentionPosition &position) const {
  if (shape.element == ElementType::F32)
    runUnits<float>(firstUnit[begin], firstUnit[end], operands, position);
  else
    runUnits<double>(firstUnit[begin], firstUnit[end], operands, position);
}
