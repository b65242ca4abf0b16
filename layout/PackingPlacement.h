/// The two questions that ragged packing asks about one shard size: where may a tensor start, and
/// which shard sizes can arithmetic alone rule out?
#ifndef VESCALE_LAYOUT_PACKINGPLACEMENT_H
#define VESCALE_LAYOUT_PACKINGPLACEMENT_H

#include "layout/RaggedPacking.h"

#include <cstdint>
#include <vector>

namespace vescale::layout {

/// Larger than every buffer that may be planned; sums of two stay inside 63 bits.
constexpr int64_t bufferLimit = int64_t(1) << 62;

/// What `earliestStart` returns where there is no start.
constexpr int64_t noStart = -1;

/// The first multiple of `step` that is not below `value` (both not negative, step > 0).
inline int64_t roundUp(int64_t value, int64_t step) {
  int64_t rest = value % step;
  return rest ? value + (step - rest) : value;
}

/// The earliest legal start, not below `position`, of a tensor in a buffer of `bufferEnd` elements
/// that has a border at each multiple of `shard`; `noStart` if there is none.
///
/// Shards of 8, 12 elements in blocks of 4, from position 5: blocks must meet the border at 8, so
/// the start is 8 (4 lies before the position), and the border at 16 is 2 blocks further: legal.
int64_t earliestStart(const PackedTensor &tensor, int64_t position, int64_t shard,
                      int64_t bufferEnd);

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

  /// S is a multiple of this in the packings whose `count` longest tensors hold whole shards, as
  /// the prefix candidates of arXiv 2602.22437 want; `bufferLimit` if it is out of range.
  int64_t step(size_t count) const { return steps[count]; }

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
