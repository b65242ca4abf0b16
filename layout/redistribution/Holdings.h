//===- Holdings.h - Which elements each device holds, counted exactly ------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_HOLDINGS_H
#define VESCALE_LAYOUT_REDISTRIBUTION_HOLDINGS_H

#include "layout/redistribution/Space.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace vescale::layout::redistribution {

/// The regions of all devices of a mesh, by position.
class Holdings {
public:
  Holdings(const Layout &layout, const Shape &shape);

  int64_t devices() const { return static_cast<int64_t>(first.size()) - 1; }
  int64_t elements(int64_t position) const { return counts[position]; }
  int64_t most() const { return largest; }
  /// Elements that both the device here and the other device there hold.
  int64_t overlap(int64_t position, const Holdings &other, int64_t otherPosition) const;

private:
  int rank;
  /// Offset and end of each dim of each box, one device after the other.
  std::vector<int64_t> corners;
  std::vector<size_t> first;
  std::vector<int64_t> counts;
  int64_t largest = 0;
};

/// The most elements that a device holds after and does not hold before.
int64_t mostMissing(const Holdings &before, const Holdings &after);

/// Holdings of the states of a search, each worked out once.
class HoldingsCache {
public:
  explicit HoldingsCache(const Space &space) : space(space) {}

  const Holdings &of(const State &state);
  const Holdings &target();

private:
  struct Hash {
    size_t operator()(const State &state) const { return state.hash(); }
  };

  const Space &space;
  std::unordered_map<State, std::unique_ptr<Holdings>, Hash> known;
  std::unique_ptr<Holdings> targetHoldings;
};

} // namespace vescale::layout::redistribution

#endif
