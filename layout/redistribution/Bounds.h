//===- Bounds.h - What the way to the target costs at least ----------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_BOUNDS_H
#define VESCALE_LAYOUT_REDISTRIBUTION_BOUNDS_H

#include "layout/redistribution/Patterns.h"

namespace vescale::layout::redistribution {

/// Lower bounds for A*. None falls by more than the price of a step, but for ties in launches and
/// steps.
class Bounds {
public:
  /// Bounds that follow from what the layouts have in common alone, quickly made.
  Bounds(const Space &space, const Pricing &pricing, bool collectivesOnly);
  /// Looks for the cheapest ways by pattern too, as far as they are cheaper than `beat`.
  void followPatterns(const std::optional<Cost> &beat);

  /// No way from the state to the target costs less.
  Cost remaining(const State &state) const;
  /// The price of the cheapest way of the state's pattern, once permuted of one that permutes no
  /// more: a hint.
  int64_t waysHint(const State &state, bool permuted) const;
  /// Null before followPatterns, and where there are none.
  const Patterns *knownPatterns() const { return patterns.get(); }
  /// How many atoms do not stand where the target wants them: a hint, not a bound.
  int mismatches(const State &state) const;

private:
  /// The least price without permutation or exchange; none costs less than `missing`.
  Cost leaving(const State &state, const Cost &missing) const;
  int64_t price(int64_t amount, const Link &link) const;

  const Space &space;
  const Pricing &pricing;
  bool collectivesOnly;
  std::unique_ptr<const Patterns> patterns;
  /// The fewest elements, scaled, that a device can hold.
  int64_t leastLocal = 0;
  Link best;
};

} // namespace vescale::layout::redistribution

#endif
