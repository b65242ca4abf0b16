//===- Pricing.h - What the steps of a search cost -------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_PRICING_H
#define VESCALE_LAYOUT_REDISTRIBUTION_PRICING_H

#include "layout/LinkCost.h"
#include "layout/StepKind.h"
#include "layout/redistribution/Space.h"

#include <tuple>
#include <unordered_map>
#include <vector>

namespace vescale::layout::redistribution {

/// The price of a path. Compared from left to right, so that equal prices prefer fewer launches,
/// then collectives, then fewer local steps.
struct Cost {
  /// Scaled elements that the busiest devices receive, or picoseconds.
  int64_t primary = 0;
  int32_t launches = 0;
  int16_t exchanges = 0;
  int16_t steps = 0;

  bool operator<(const Cost &other) const {
    if (primary != other.primary)
      return primary < other.primary;
    return std::tie(launches, exchanges, steps) <
           std::tie(other.launches, other.exchanges, other.steps);
  }
  /// Whether it is cheaper by more than local steps, which cost nothing that is worth a search.
  bool isCheaper(const Cost &other) const {
    return std::tie(primary, launches, exchanges) <
           std::tie(other.primary, other.launches, other.exchanges);
  }
  Cost operator+(const Cost &other) const {
    return {primary + other.primary, launches + other.launches,
            static_cast<int16_t>(exchanges + other.exchanges),
            static_cast<int16_t>(steps + other.steps)};
  }
};

/// Amounts are in elements times `scale`, so that the shares of an all-reduce are whole numbers.
class Pricing {
public:
  /// `links` has one link for each axis of the space's mesh, or is empty to count bytes.
  Pricing(const Space &space, std::vector<Link> links, Link acrossMeshes, int64_t elementBytes);

  /// What the busiest device receives in a step that is not an exchange; `atoms` move in it.
  int64_t amount(StepKind kind, const State &before, const State &after, AtomSet atoms) const;
  /// The same in an even space, where all devices hold `local` elements before the step.
  int64_t evenAmount(StepKind kind, int64_t local, AtomSet atoms) const;
  /// The same for an exchange within the mesh.
  int64_t exchangeAmount(const State &before, const State &after) const;
  /// True where a formula gives the amount of an exchange to the target.
  bool knowsExchange(const State &before) const;
  /// The same for an exchange to the target layout, wherever it is.
  int64_t amountToTarget(const State &before) const;
  /// The most, over devices, of a target region that the device does not hold; with a pending
  /// reduction it holds nothing of it.
  int64_t missing(const State &state) const;
  /// No path from here to the target has a smaller amount. Consistent: it falls by at most what a
  /// step receives. Mostly at least `missing`; less where the target is partial, since devices
  /// along its partial axes may share what each of them would miss alone.
  int64_t bound(const State &state) const;
  /// The bound of a state, whatever of its pending atoms is reduced, where some device holds
  /// nothing of its target.
  int64_t boundApart(const State &state) const;
  /// In an even space: what a reduce-scatter of any pending atoms receives at least.
  int64_t leastReduceScatter(const State &state) const;

  Cost cost(StepKind kind, int64_t amount, const Link &link) const;
  Cost boundCost(int64_t amount) const;
  /// No path from here to the target costs less: `bound`, where what has to come from behind slow
  /// links comes at their pace.
  Cost boundCost(const State &state) const;
  /// The link of a launch over these atoms.
  Link link(AtomSet atoms) const;
  /// The link of an exchange between two states: over all atoms that do not stand in both at one
  /// place behind the same others.
  Link exchangeLink(const State &before, const State &after) const;
  Link linkToTarget(const State &before) const;
  /// The different links that sets of atoms can have; one where bytes are counted.
  const std::vector<Link> &linkClasses() const { return classes; }
  /// The plain atoms whose launches never cost more than `link` says.
  AtomSet atomsWithin(const Link &link) const;

  int64_t scaling() const { return scale; }
  bool countsBytes() const { return links.empty(); }
  double seconds(const Cost &cost) const { return countsBytes() ? 0 : cost.primary * 1e-12; }

private:
  AtomSet reducedBetween(const State &before, const State &after) const;
  int64_t transferAmount(const Layout &before, const Layout &after) const;
  const Layout &layoutOf(const State &state) const;
  int64_t boundToPartial(const State &state) const;
  void findSlowLinks();
  int64_t crossing(const State &state, AtomSet slow) const;
  int64_t evenOverlap(const State &state, const State &goal, AtomSet ignored, bool &certain) const;

  const Space &space;
  std::vector<Link> links;
  Link acrossMeshes;
  std::vector<Link> classes;
  /// The slow links, slowest first: their pace, and the atoms on links that are no faster.
  std::vector<std::pair<double, AtomSet>> slowLinks;
  int64_t elementBytes;
  int64_t scale = 1;
  int64_t totalElements = 1;
  int64_t targetShare = 0;

  struct StateHash {
    size_t operator()(const State &state) const { return state.hash(); }
  };
  /// Layouts of states without what is partial, each written once.
  mutable std::unordered_map<State, Layout, StateHash> layouts;
};

} // namespace vescale::layout::redistribution

#endif
