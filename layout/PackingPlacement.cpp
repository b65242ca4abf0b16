#include "layout/PackingPlacement.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vescale::layout {

namespace {

/// The inverse of `value` modulo `modulus`, which are coprime (extended Euclid).
int64_t inverse(int64_t value, int64_t modulus) {
  int64_t r0 = modulus, r1 = value % modulus, t0 = 0, t1 = 1;
  while (r1) {
    int64_t quotient = r0 / r1;
    std::tie(r0, r1) = std::pair(r1, r0 - quotient * r1);
    std::tie(t0, t1) = std::pair(t1, t0 - quotient * t1);
  }
  return t0 < 0 ? t0 + modulus : t0;
}

/// The smallest start in [from, border) from which the border is a whole number of blocks away and
/// which is aligned; `border` if there is none. By the Chinese remainder theorem.
int64_t firstCrossingStart(const PackedTensor &tensor, int64_t from, int64_t border) {
  int64_t granularity = tensor.granularity;
  int64_t start = from + (border - from) % granularity;
  if (tensor.alignment == 1 || start >= border)
    return std::min(start, border);
  int64_t alignment = tensor.alignment;
  int64_t divisor = std::gcd(granularity, alignment);
  if (start % divisor)
    return border;
  // start + k * granularity = 0 (mod alignment), solved for the smallest k.
  int64_t modulus = alignment / divisor;
  int64_t wanted = (alignment - start % alignment) % alignment / divisor;
  __int128 blocks = static_cast<__int128>(wanted) * inverse(granularity / divisor, modulus);
  __int128 aligned = start + (modulus == 1 ? 0 : blocks % modulus) * granularity;
  return aligned < border ? static_cast<int64_t>(aligned) : border;
}

/// The least common multiple, or `bufferLimit` if it is not below that.
int64_t boundedLcm(int64_t a, int64_t b) {
  if (a >= bufferLimit || b >= bufferLimit)
    return bufferLimit;
  __int128 product = static_cast<__int128>(a / std::gcd(a, b)) * b;
  return product < bufferLimit ? static_cast<int64_t>(product) : bufferLimit;
}

} // namespace

std::optional<BufferPoint> earliestStart(const PackedTensor &tensor, BufferPoint position,
                                         ShardTrial &trial) {
  int64_t elements = tensor.elements, granularity = tensor.granularity, shard = trial.shard;
  bool aligned = tensor.alignment > 1;
  auto align = [&](BufferPoint point) {
    // An aligned start does not move with S.
    return aligned ? BufferPoint{0, roundUp(point.at(shard), tensor.alignment)} : point;
  };
  if (aligned)
    trial.mayChangeAt(shard + 1);
  if (elements == 0) {
    int64_t place = position.at(shard);
    return aligned ? BufferPoint{0, place - place % tensor.alignment} : position;
  }
  BufferPoint from = align(position);
  // Every empty shard offers the same starts if the alignment divides S: one is enough then.
  bool shardsDiffer = shard % tensor.alignment != 0;
  for (bool inEmptyShard = false; trial.fitsInBuffer(from, elements); inEmptyShard = true) {
    int64_t place = from.at(shard);
    int64_t index = place / shard + 1, border = index * shard;
    // With a larger S the border before `from` may have passed it. That needs no `mayChangeAt`:
    // a start that the earlier shard then offers is not before `from`, and if the tensor does not
    // fit behind `from` now, it fits the earlier shard only with an S beyond the two below.
    if (place + elements <= border)
      return from;
    trial.mayChangeAt(divideUp(from.offset + elements, index - from.borders));

    // The most blocks before the border; fewer only leave more for the shards after it.
    int64_t blocks = (border - firstCrossingStart(tensor, place, border)) / granularity;
    trial.mayChangeAt(divideUp(from.offset + (blocks + 1) * granularity, index - from.borders));
    if (blocks > 0) {
      int64_t tail = elements - blocks * granularity;
      bool coversShard = tail > shard;
      if (!coversShard || shard % granularity == 0) {
        if (coversShard)
          trial.mayChangeAt(shard + 1);
        if (!trial.fitsInBuffer({index, 0}, tail))
          return std::nullopt;
        return BufferPoint{index, -blocks * granularity};
      }
      trial.mayChangeAt(tail);
      trial.mayChangeAt(roundUp(shard + 1, granularity));
    }
    if (inEmptyShard && !shardsDiffer)
      return std::nullopt;
    from = align({index, 0});
  }
  return std::nullopt;
}

ShardCandidates::ShardCandidates(const PackingProblem &problem) {
  int64_t elements = 0, longestBlock = 0;
  for (const PackedTensor &tensor : problem.tensors) {
    elements += tensor.elements;
    longestBlock = std::max(longestBlock, std::min(tensor.elements, tensor.granularity));
    if (tensor.elements > 0)
      sizes.emplace_back(tensor.elements, tensor.granularity);
  }
  int64_t devices = problem.devices;
  smallest = std::max(elements / devices + (elements % devices != 0), longestBlock);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  steps.push_back(problem.alignment);
  for (auto [size, granularity] : sizes)
    steps.push_back(boundedLcm(steps.back(), granularity));
}

int64_t ShardCandidates::advance(int64_t shard) const {
  size_t covering = 0;
  while (covering < sizes.size() && sizes[covering].first > 2 * shard)
    ++covering;
  int64_t step = steps[covering];
  if (shard % step) {
    // The next multiple, unless the shard before it is long enough to free the shortest of these
    // tensors from holding a whole shard.
    int64_t multiple = step < bufferLimit ? roundUp(shard, step) : bufferLimit;
    return covering ? std::min(multiple, (sizes[covering - 1].first + 1) / 2) : multiple;
  }
  for (size_t i = covering; i < sizes.size() && sizes[i].first > shard; ++i) {
    auto [elements, granularity] = sizes[i];
    int64_t blocks = shard / granularity;
    if (blocks * granularity + shard < elements)
      return std::min(elements - blocks * granularity, (blocks + 1) * granularity);
  }
  return shard;
}

int64_t ShardCandidates::next(int64_t atLeast) const {
  int64_t shard = std::max(atLeast, smallest);
  while (shard < bufferLimit) {
    int64_t later = advance(shard);
    if (later == shard)
      return shard;
    shard = later;
  }
  return bufferLimit;
}

} // namespace vescale::layout
