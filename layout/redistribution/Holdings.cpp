//===- Holdings.cpp - Which elements each device holds, counted exactly ----------------------===//
#include "layout/redistribution/Holdings.h"

#include "layout/Region.h"

#include <algorithm>

namespace vescale::layout::redistribution {

Holdings::Holdings(const Layout &layout, const Shape &shape) : rank(layout.rank()) {
  int64_t count = layout.mesh().numDevices();
  first.reserve(count + 1);
  counts.reserve(count);
  for (int64_t position = 0; position < count; ++position) {
    first.push_back(corners.size());
    int64_t held = 0;
    for (const Box &box : region(layout, shape, layout.mesh().coordinate(position))) {
      for (int d = 0; d < rank; ++d) {
        corners.push_back(box.offset[d]);
        corners.push_back(box.offset[d] + box.size[d]);
      }
      // The one box of a scalar has no corners; it still counts.
      if (rank == 0)
        corners.push_back(0), corners.push_back(1);
      held += box.elements();
    }
    counts.push_back(held);
    largest = std::max(largest, held);
  }
  first.push_back(corners.size());
}

int64_t Holdings::overlap(int64_t position, const Holdings &other, int64_t otherPosition) const {
  int64_t sum = 0;
  size_t width = 2 * std::max(rank, 1);
  for (size_t i = first[position]; i < first[position + 1]; i += width)
    for (size_t j = other.first[otherPosition]; j < other.first[otherPosition + 1]; j += width) {
      int64_t volume = 1;
      for (size_t d = 0; d < width && volume > 0; d += 2)
        volume *= std::max<int64_t>(0, std::min(corners[i + d + 1], other.corners[j + d + 1]) -
                                           std::max(corners[i + d], other.corners[j + d]));
      sum += volume;
    }
  return sum;
}

int64_t mostMissing(const Holdings &before, const Holdings &after) {
  int64_t most = 0;
  for (int64_t position = 0; position < after.devices(); ++position)
    if (after.elements(position) > most)
      most = std::max(most, after.elements(position) - after.overlap(position, before, position));
  return most;
}

const Holdings &HoldingsCache::of(const State &state) {
  // What a device holds of its own contribution does not depend on what is partial.
  State key = state;
  key.partial = 0;
  key.reduction = 0;
  auto &entry = known[key];
  if (!entry)
    entry = std::make_unique<Holdings>(space.layout(key), space.shape());
  return *entry;
}

const Holdings &HoldingsCache::target() {
  if (!targetHoldings)
    targetHoldings = std::make_unique<Holdings>(space.target(), space.shape());
  return *targetHoldings;
}

} // namespace vescale::layout::redistribution
