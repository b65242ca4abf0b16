//===- Search.h - The shortest path through layouts ------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_SEARCH_H
#define VESCALE_LAYOUT_REDISTRIBUTION_SEARCH_H

#include "layout/redistribution/Pricing.h"

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
};

/// Looks at no more than `limit` states. If `beat` is given, paths that are not cheaper are not
/// followed.
SearchResult search(const Space &space, const Pricing &pricing, bool collectivesOnly, int limit,
                    const std::optional<Cost> &beat);

} // namespace vescale::layout::redistribution

#endif
