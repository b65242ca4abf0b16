//===- Search.h - The shortest path through layouts ------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_SEARCH_H
#define VESCALE_LAYOUT_REDISTRIBUTION_SEARCH_H

#include "layout/redistribution/Bounds.h"

#include <optional>
#include <vector>

namespace vescale::layout::redistribution {

/// One step of a path. Its `after` is the layout that it leads to; a step without one is the
/// exchange that leads to a target on another mesh.
struct PathStep {
  StepKind kind;
  std::optional<State> after;
  int64_t amount = 0;
  Cost cost;
};

struct SearchResult {
  /// Nothing where the search reached its limit before the target, or found nothing cheaper than
  /// what it was to beat.
  std::optional<std::vector<PathStep>> path;
  Cost cost;
  bool cutShort = false;
  /// Where it was cut short: no path is cheaper.
  Cost bound;
};

/// What a search follows.
enum class Hint {
  none,       ///< What could be cheapest.
  patterns,   ///< The cheapest way of the patterns.
  mismatches, ///< Layouts with few atoms that the target does not have in their places.
  straight,   ///< Only that, whatever it costs: gathers what is wrong and slices.
};

struct SearchRequest {
  bool collectivesOnly = false;
  /// The most states to look at; those that are met again count a quarter.
  int limit = 0;
  /// With a hint the search soon ends with some path, without one with the cheapest.
  Hint hint = Hint::none;
  /// Paths that are not cheaper are not followed.
  std::optional<Cost> beat;
};

SearchResult search(const Space &space, const Pricing &pricing, const Bounds &bounds,
                    const SearchRequest &request);

} // namespace vescale::layout::redistribution

#endif
