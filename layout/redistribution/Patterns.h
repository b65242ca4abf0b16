//===- Patterns.h - Layouts of a search without the names of their axes ----------------------===//
//
// In an even space, atoms of one size on one kind of link cost alike, whatever their names. A
// pattern says only how many atoms of each kind cut each dim and how many are partial. There are
// few patterns, so the cheapest way from each of them to the target's is worked out by Dijkstra's
// algorithm, backwards from the target. No path between layouts is cheaper than the one between
// their patterns, which has every step of it.
//
// Where no permutation changes the names, they matter, and a permutation has its price: so two
// prices are known, that of the ways without a permutation and that of the others.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_PATTERNS_H
#define VESCALE_LAYOUT_REDISTRIBUTION_PATTERNS_H

#include "layout/redistribution/Pricing.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace vescale::layout::redistribution {

class Patterns {
public:
  /// Null where the space is not even, the reduction changes, or there are too many patterns. Ways
  /// that are not cheaper than `beat` are not followed; they count as costing that much.
  static std::unique_ptr<const Patterns> get(const Space &space, const Pricing &pricing,
                                             const std::optional<Cost> &beat);

  /// The number of the state's pattern. A cut that became partial only to cut elsewhere counts as
  /// unused, which costs no more.
  int of(const State &state) const;
  /// No way to the target that needs neither a permutation nor an exchange is cheaper.
  const Cost &withoutPermutation(int pattern) const { return least(after, pattern); }
  /// No way to the target with a permutation and without an exchange is cheaper.
  const Cost &withPermutation(int pattern) const { return least(before, pattern); }

  /// Whether the permutation is still to come.
  enum Phase { before, after };

  /// A step between patterns on a way to the target.
  struct Edge {
    /// The phase and the pattern that it leads to.
    Phase phase;
    int pattern;
    StepKind kind;
    /// Of a permutation: the number of its link class in Pricing::linkClasses.
    uint8_t link;
    /// Of the cheapest way that begins with it.
    Cost cost;
  };
  /// The steps out of a pattern, the cheapest way first.
  std::vector<Edge> edges(Phase phase, int pattern) const;
  int goal() const { return goalPattern; }

  int kindOfAtom(int atom) const { return kindOf[atom]; }
  int kindCount() const { return static_cast<int>(kinds.size()); }
  /// How many atoms of a kind cut a dim in the pattern, or are partial where `place` is the number
  /// of dims.
  int count(int pattern, int kind, int place) const;

private:
  friend class PatternSearch;

  struct Kind {
    int64_t size = 1;
    Link link;
    /// The target has these atoms partial.
    bool staysPartial = false;
    /// One of the atoms, for its link.
    AtomSet example = 0;
    int total = 0;
    /// The most atoms of this kind that are partial at once.
    int mostPartial = 0;
    /// What one more atom adds to the number of a pattern: by dim, then partial.
    std::array<int, maxDims + 1> radix{};
  };

  const Cost &least(Phase phase, int pattern) const {
    const Cost &found = costs[phase][pattern];
    return found < radius ? found : radius;
  }

  /// Edges out of one pattern are chained by their numbers.
  struct Chained {
    Edge edge;
    int next;
  };

  std::vector<Kind> kinds;
  std::array<uint8_t, maxAtoms> kindOf{};
  int rank = 0;
  int goalPattern = 0;
  std::vector<Cost> costs[2];
  std::vector<Chained> chained;
  std::vector<int> firstEdge[2];
  /// What was not reached costs at least so much.
  Cost radius;
};

} // namespace vescale::layout::redistribution

#endif
