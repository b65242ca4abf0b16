/// The two questions that ragged packing asks about one shard size: where may a tensor start, and
/// which shard sizes can arithmetic alone rule out?
#ifndef VESCALE_LAYOUT_PACKINGPLACEMENT_H
#define VESCALE_LAYOUT_PACKINGPLACEMENT_H

#include "layout/RaggedPacking.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace vescale::layout {

/// Larger than every buffer that may be planned; sums of two stay inside 63 bits.
constexpr int64_t bufferLimit = int64_t(1) << 62;

/// The first multiple of `step` that is not below `value` (both not negative, step > 0).
inline int64_t roundUp(int64_t value, int64_t step) {
  int64_t rest = value % step;
  return rest ? value + (step - rest) : value;
}

/// The smallest whole number that is not below dividend / divisor (dividend >= 0, divisor > 0).
inline int64_t divideUp(int64_t dividend, int64_t divisor) {
  return dividend / divisor + (dividend % divisor != 0);
}

/// A place in the buffer that moves with a border: `borders` * S + `offset`.
struct BufferPoint {
  int64_t borders = 0;
  int64_t offset = 0;

  int64_t at(int64_t shard) const { return borders * shard + offset; }
};

/// One shard size on trial.
///
/// Every decision of a search compares terms that are linear in S (or asks whether a granularity
/// divides S). So a decision holds for all larger S up to a value that follows from the terms, and
/// a failed search fails alike for every S below `change`, the smallest of these values. That is
/// what lets a proof skip most shard sizes.
struct ShardTrial {
  int64_t shard;
  int64_t devices;
  /// The smallest S above `shard` for which a decision so far may turn out differently.
  int64_t change = bufferLimit;

  int64_t bufferEnd() const { return shard * devices; }
  void mayChangeAt(int64_t later) { change = std::min(change, std::max(later, shard + 1)); }
  /// Whether `elements` more fit between `point` and the end of the buffer.
  bool fitsInBuffer(BufferPoint point, int64_t elements) {
    if (point.at(shard) + elements <= bufferEnd())
      return true;
    if (devices > point.borders)
      mayChangeAt(divideUp(point.offset + elements, devices - point.borders));
    return false;
  }
};

/// The earliest legal start, not below `position`, of a tensor in a buffer that has a border at
/// each multiple of S; none if there is no legal start.
///
/// Shards of 8, 12 elements in blocks of 4, from position 5: blocks must meet the border at 8, so
/// the start is 8 (4 lies before the position), and the border at 16 is 2 blocks further: legal.
std::optional<BufferPoint> earliestStart(const PackedTensor &tensor, BufferPoint position,
                                         ShardTrial &trial);

/// The shard sizes that no argument about a single tensor excludes.
///
///  * m shards hold all elements, and S is a multiple of the collective's alignment.
///  * A block lies inside one shard: S is at least the longest block.
///  * A tensor of more than 2 S elements holds a whole shard, so its granularity divides S.
///  * A tensor of more than S elements is cut at one border at least. If at one only, the part
///    before it is at most floor(S / g) blocks and the part after it at most S elements.
class ShardCandidates {
public:
  explicit ShardCandidates(const PackingProblem &problem);

  /// The smallest candidate that is not below `atLeast`; `bufferLimit` if there is none.
  int64_t next(int64_t atLeast) const;

  /// The smallest candidate: a bound that every packing obeys.
  int64_t bound() const { return next(0); }

  /// Entry i: S is a multiple of this in the packings whose i longest tensors (equal ones once)
  /// hold whole shards, as the prefix candidates of arXiv 2602.22437 want; `bufferLimit` if it is
  /// out of range.
  const std::vector<int64_t> &prefixSteps() const { return steps; }

private:
  /// Where the search goes on if `shard` is excluded; `shard` itself if it is not.
  int64_t advance(int64_t shard) const;

  int64_t smallest = 0;
  /// (elements, granularity), longest first, equal ones once.
  std::vector<std::pair<int64_t, int64_t>> sizes;
  /// steps[i]: least common multiple of the alignment and the granularities of the i longest.
  std::vector<int64_t> steps;
};

} // namespace vescale::layout

#endif // VESCALE_LAYOUT_PACKINGPLACEMENT_H
