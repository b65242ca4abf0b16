//===- Bounds.cpp - What the way to the target costs at least --------------------------------===//
#include "layout/redistribution/Bounds.h"

#include "layout/redistribution/Moves.h"

#include <algorithm>

namespace vescale::layout::redistribution {

static const Cost &larger(const Cost &a, const Cost &b) { return a < b ? b : a; }
static const Cost &smaller(const Cost &a, const Cost &b) { return b < a ? b : a; }

Bounds::Bounds(const Space &space, const Pricing &pricing, bool collectivesOnly)
    : space(space), pricing(pricing), collectivesOnly(collectivesOnly) {}

void Bounds::followPatterns(const std::optional<Cost> &beat) {
  patterns = Patterns::get(space, pricing, beat);
  if (!patterns)
    return;
  leastLocal = pricing.scaling();
  for (int64_t size : space.shape())
    leastLocal *= size;
  // Of several orders of one axis any has the same product.
  AtomSet counted = 0;
  for (size_t i = 0; i < space.atoms().size(); ++i)
    if (!(counted & space.atom(i).conflicts)) {
      counted |= bit(i);
      leastLocal /= space.atom(i).size();
    }
  best = pricing.linkClasses().front();
  for (const Link &link : pricing.linkClasses())
    best = {std::min(best.latency, link.latency), std::max(best.bandwidth, link.bandwidth)};
}

/// What moves without a permutation. In each dim the cuts after those that agree with the target
/// leave it: in an all-to-all, a gather, or as partial and then in a reduction, which receives no
/// less than an all-to-all of the fewest elements. An all-to-all empties at most half of the dims.
/// A gather or a reduction can serve all of them in one launch, but then receives more. Reductions
/// that are pending come on top: their partial atoms do not cut, which makes for as many more
/// elements.
Cost Bounds::leaving(const State &state, const Cost &missing) const {
  const State &goal = *space.goal();
  int dims = 0, pending = 0, at = 0, goalAt = 0;
  int64_t apart = 0, amounts = 0, slowest = 0;
  auto add = [&](int64_t amount, AtomSet moved, int64_t together) {
    amounts += amount;
    int64_t own = price(amount, best);
    // A launch that moves an atom is no faster than the atom's own link.
    for (AtomSet rest = pricing.countsBytes() ? 0 : moved; rest; rest &= rest - 1) {
      int64_t least = leastLocal - leastLocal / space.product(rest & -rest);
      own = std::max(own, price(least, pricing.link(rest & -rest)));
    }
    slowest = std::max(slowest, own);
    apart += own / together;
  };
  int inOneLaunch = std::max(space.rank() / 2, 1);
  for (int d = 0; d < space.rank(); at += state.count[d], goalAt += goal.count[d], ++d) {
    int same = 0, most = std::min(state.count[d], goal.count[d]);
    while (same < most && state.cuts[at + same] == goal.cuts[goalAt + same])
      ++same;
    // Parts of an axis in another order may agree in the end.
    if (same < most &&
        (space.atom(state.cuts[at + same]).conflicts & bit(goal.cuts[goalAt + same])))
      continue;
    AtomSet moved = 0;
    for (int i = same; i < state.count[d]; ++i)
      moved |= bit(state.cuts[at + i]);
    moved &= ~goal.partial;
    if (!moved)
      continue;
    ++dims;
    add(leastLocal - leastLocal / space.product(moved), moved, inOneLaunch);
  }
  if (AtomSet reduced = space.pending(state)) {
    ++pending;
    add(leastLocal * (space.product(reduced) - 1), reduced, 1);
  }
  Cost least = missing;
  least.primary = std::max(missing.primary, apart);
  least.launches = std::max(missing.launches, (dims + inOneLaunch - 1) / inOneLaunch + pending);
  if (dims + pending > 1) {
    // Two atoms of two elements at least.
    int64_t joint = price(std::max(amounts / inOneLaunch, 3 * leastLocal), best);
    Cost together = missing;
    together.primary = std::max({missing.primary, slowest, joint});
    together.launches = 1;
    least = smaller(least, together);
  }
  return least;
}

int64_t Bounds::price(int64_t amount, const Link &link) const {
  return pricing.cost(StepKind::allToAll, amount, link).primary;
}

Cost Bounds::remaining(const State &state) const {
  Cost missing = pricing.boundCost(state);
  if (!patterns)
    return missing;
  int pattern = patterns->of(state);
  Cost ways = smaller(larger(patterns->withoutPermutation(pattern), leaving(state, missing)),
                      patterns->withPermutation(pattern));
  if (!collectivesOnly) {
    Cost exchanged = missing;
    exchanged.launches = std::max(exchanged.launches, 1);
    exchanged.exchanges = 1;
    exchanged.steps = 1;
    ways = smaller(ways, exchanged);
  }
  return larger(missing, ways);
}

int64_t Bounds::waysHint(const State &state, bool permuted) const {
  if (!patterns)
    return state.hub ? 0 : pricing.bound(state);
  if (!state.hub) {
    int pattern = patterns->of(state);
    return permuted ? larger(patterns->withoutPermutation(pattern), leaving(state, Cost())).primary
                    : patterns->withPermutation(pattern).primary;
  }
  // One layout stands for all.
  State any = state;
  for (int i = 0; i < any.total; ++i)
    any.cuts[i] &= ~freePlace;
  return patterns->withoutPermutation(patterns->of(any)).primary;
}

int Bounds::mismatches(const State &state) const {
  if (!space.goal() || state.hub)
    return 0;
  const State &goal = *space.goal();
  int count = __builtin_popcountll(state.partial ^ goal.partial) + (state.ragged != goal.ragged);
  int at = 0, goalAt = 0;
  for (int d = 0; d < space.rank(); at += state.count[d], goalAt += goal.count[d], ++d) {
    int same = 0, most = std::min(state.count[d], goal.count[d]);
    while (same < most && state.cuts[at + same] == goal.cuts[goalAt + same])
      ++same;
    count += state.count[d] + goal.count[d] - 2 * same;
  }
  return count;
}

} // namespace vescale::layout::redistribution
