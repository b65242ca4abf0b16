//===- Realization.cpp - A path of layouts that follows a way of patterns --------------------===//
#include "layout/redistribution/Realization.h"

#include <algorithm>
#include <queue>

namespace vescale::layout::redistribution {

namespace {

/// How many more atoms of each kind a place has after a step than before; the place behind the last
/// dim is the partial set.
using Change = std::vector<std::array<int, maxDims + 1>>;

class Realization {
public:
  Realization(const Space &space, const Pricing &pricing, const Patterns &patterns)
      : space(space), pricing(pricing), patterns(patterns), rank(space.rank()) {}

  SearchResult run(Patterns::Phase phase) {
    SearchResult result;
    add({space.start(), phase, patterns.of(space.start()), Cost(), -1, {}, 0, {}});
    for (int left = mostTries; left > 0 && !waiting.empty() && !result.path; --left) {
      int number = waiting.top().node;
      size_t edge = waiting.top().edge;
      waiting.pop();
      if (nodes[number].phase == Patterns::after && nodes[number].pattern == patterns.goal())
        result.path = finished(number);
      else
        follow(number, edge);
      result.cost = nodes[number].cost;
    }
    return result;
  }

private:
  struct Node {
    State state;
    Patterns::Phase phase;
    int pattern;
    Cost cost;
    int parent;
    PathStep step;
    /// Behind the permutation: what it moves.
    AtomSet movable;
    std::vector<Patterns::Edge> edges;
  };
  /// An edge out of a node that is still to be followed.
  struct Waiting {
    Cost total, cost;
    int node;
    size_t edge;
    bool operator<(const Waiting &other) const {
      if (total < other.total || other.total < total)
        return other.total < total;
      return cost < other.cost;
    }
  };

  void add(Node node) {
    for (const Node &known : nodes)
      if (known.phase == node.phase && known.state == node.state && known.movable == node.movable &&
          !(node.cost < known.cost))
        return;
    node.edges = patterns.edges(node.phase, node.pattern);
    nodes.push_back(std::move(node));
    await(static_cast<int>(nodes.size()) - 1, 0);
  }

  void await(int number, size_t edge) {
    const Node &node = nodes[number];
    if (node.phase == Patterns::after && node.pattern == patterns.goal())
      waiting.push({node.cost, node.cost, number, 0});
    else if (edge < node.edges.size())
      waiting.push({node.cost + node.edges[edge].cost, node.cost, number, edge});
  }

  void follow(int number, size_t edgeNumber) {
    await(number, edgeNumber + 1);
    // Nodes move when new ones are added.
    const State state = nodes[number].state;
    const Patterns::Edge edge = nodes[number].edges[edgeNumber];
    const Cost cost = nodes[number].cost;
    AtomSet movable = nodes[number].movable;
    auto go = [&](const State &after, int64_t amount, const Link &link) {
      Cost step = pricing.cost(edge.kind, amount, link);
      add({after,
           edge.phase,
           edge.pattern,
           cost + step,
           number,
           {edge.kind, after, amount, step},
           movable,
           {}});
    };
    if (edge.kind == StepKind::permute) {
      const Link &link = pricing.linkClasses()[edge.link];
      movable = pricing.atomsWithin(link);
      go(state, pricing.amount(StepKind::permute, state, state, 0), link);
      return;
    }
    Change change = changeOf(nodes[number].pattern, edge.pattern);
    for (bool order : {false, true}) {
      reversed = order;
      State after = state;
      AtomSet moved = 0;
      if (apply(edge.kind, change, after, moved))
        go(after, pricing.evenAmount(edge.kind, space.localElements(state), moved),
           pricing.link(moved));
    }
  }

  /// Gives the axes that the permutation moves the names that they have in the target, from the
  /// permutation on; where the others fit, that is a path.
  std::optional<std::vector<PathStep>> finished(int number) const {
    const State &goal = *space.goal(), &last = nodes[number].state;
    AtomSet movable = nodes[number].movable;
    if (last.count != goal.count)
      return std::nullopt;
    std::vector<PathStep> path;
    for (int at = number; nodes[at].parent >= 0; at = nodes[at].parent)
      path.insert(path.begin(), nodes[at].step);
    size_t permutation = 0;
    while (permutation < path.size() && path[permutation].kind != StepKind::permute)
      ++permutation;
    if (permutation == path.size()) {
      State end = last;
      space.canonicalize(end);
      return end == goal ? std::optional(path) : std::nullopt;
    }
    std::array<int, maxAtoms> name;
    name.fill(-1);
    AtomSet given = 0;
    auto rename = [&](int atom, int as) {
      bool fits = atom == as || ((movable & bit(atom)) && (movable & bit(as)) &&
                                 space.atom(atom).size() == space.atom(as).size());
      if (!fits || name[atom] >= 0 || (space.atom(as).conflicts & given))
        return false;
      name[atom] = as;
      given |= bit(as);
      return true;
    };
    // What is partial while the others change their names keeps its own.
    for (AtomSet rest = path[permutation].after->partial; rest; rest &= rest - 1)
      if (!rename(__builtin_ctzll(rest), __builtin_ctzll(rest)))
        return std::nullopt;
    for (int i = 0; i < last.total; ++i)
      if (name[last.cuts[i]] != goal.cuts[i] && !rename(last.cuts[i], goal.cuts[i]))
        return std::nullopt;
    AtomSet wanted = goal.partial & ~given;
    for (AtomSet rest = last.partial; rest; rest &= rest - 1) {
      int atom = __builtin_ctzll(rest);
      if (name[atom] >= 0)
        continue;
      int as = (wanted & bit(atom)) ? atom : firstLike(wanted, atom);
      if (as < 0 || !rename(atom, as))
        return std::nullopt;
      wanted &= ~bit(as);
    }
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      if (name[i] >= 0)
        continue;
      bool stays = !(movable & bit(i)) || !(space.atom(i).conflicts & given);
      int as = stays ? static_cast<int>(i) : firstLike(movable & ~blockedBy(given), i);
      if (as >= 0)
        rename(static_cast<int>(i), as);
    }
    for (size_t i = permutation; i < path.size(); ++i) {
      State &state = *path[i].after;
      for (int j = 0; j < state.total; ++j) {
        if (name[state.cuts[j]] < 0)
          return std::nullopt;
        state.cuts[j] = static_cast<uint8_t>(name[state.cuts[j]]);
      }
      AtomSet partial = 0;
      for (AtomSet rest = state.partial; rest; rest &= rest - 1) {
        int as = name[__builtin_ctzll(rest)];
        if (as < 0)
          return std::nullopt;
        partial |= bit(as);
      }
      state.partial = partial;
    }
    State end = *path.back().after;
    space.canonicalize(end);
    if (!(end == goal))
      return std::nullopt;
    path.back().after = goal;
    return path;
  }

  AtomSet blockedBy(AtomSet given) const {
    AtomSet set = 0;
    for (; given; given &= given - 1)
      set |= space.atom(__builtin_ctzll(given)).conflicts;
    return set;
  }

  int firstLike(AtomSet set, size_t atom) const {
    for (; set; set &= set - 1)
      if (space.atom(__builtin_ctzll(set)).size() == space.atom(atom).size())
        return __builtin_ctzll(set);
    return -1;
  }

  Change changeOf(int from, int to) const {
    Change change(patterns.kindCount());
    for (int k = 0; k < patterns.kindCount(); ++k)
      for (int place = 0; place <= rank; ++place)
        change[k][place] = patterns.count(to, k, place) - patterns.count(from, k, place);
    return change;
  }

  /// Changes the state as said. What leaves a dim is at its minor end; what comes to one stands
  /// behind all others: in an all-to-all the atoms that left another, else any that is free.
  bool apply(StepKind kind, const Change &change, State &state, AtomSet &moved) const {
    std::vector<std::vector<uint8_t>> left(rank);
    AtomSet fresh = 0, freed = 0;
    for (int d = 0; d < rank; ++d) {
      int leaving = 0;
      for (const auto &places : change)
        leaving -= std::min(places[d], 0);
      std::vector<int> kinds(change.size());
      for (; leaving > 0; --leaving) {
        uint8_t atom = state.pop(d);
        ++kinds[patterns.kindOfAtom(atom)];
        left[d].insert(left[d].begin(), atom);
        moved |= bit(atom);
        freed |= bit(atom);
      }
      for (size_t k = 0; k < change.size(); ++k)
        if (kinds[k] != -std::min(change[k][d], 0))
          return false;
    }
    for (size_t k = 0; k < change.size(); ++k) {
      // Atoms that left dims become partial, or partial ones are taken away.
      for (int n = change[k][rank]; n > 0; --n) {
        AtomSet from = freed ? freed & ~state.partial : ~space.blocked(state);
        int atom = firstOf(from, static_cast<int>(k));
        if (atom < 0)
          return false;
        state.partial |= bit(atom);
        moved |= bit(atom);
      }
      for (int n = change[k][rank]; n < 0; ++n) {
        // What the target keeps partial leaves only where it is the one kind that can.
        AtomSet from = state.partial & ~space.goal()->partial;
        int atom = firstOf(from, static_cast<int>(k));
        if (atom < 0)
          atom = firstOf(state.partial, static_cast<int>(k));
        if (atom < 0)
          return false;
        state.partial &= ~bit(atom);
        fresh |= bit(atom);
        moved |= bit(atom);
      }
    }
    for (int d = 0; d < rank; ++d)
      if (!append(kind, change, d, left, fresh, state, moved))
        return false;
    return true;
  }

  bool append(StepKind kind, const Change &change, int dim, std::vector<std::vector<uint8_t>> &left,
              AtomSet &fresh, State &state, AtomSet &moved) const {
    auto put = [&](int atom) {
      int64_t length = space.evenLength(state, dim);
      if (state.total == maxCuts || length < 0 || length % space.atom(atom).size() != 0)
        return false;
      state.append(dim, static_cast<uint8_t>(atom));
      moved |= bit(atom);
      return true;
    };
    bool gains = std::any_of(change.begin(), change.end(),
                             [&](const auto &places) { return places[dim] > 0; });
    if (!gains)
      return true;
    if (kind == StepKind::allToAll) {
      for (int source = 0; source < rank; ++source) {
        bool opposite = std::all_of(change.begin(), change.end(), [&](const auto &places) {
          return places[source] == -places[dim];
        });
        if (!opposite || left[source].empty())
          continue;
        std::vector<uint8_t> atoms = std::move(left[source]);
        left[source].clear();
        return std::all_of(atoms.begin(), atoms.end(), put);
      }
      return false;
    }
    for (size_t i = 0; i < change.size(); ++i) {
      size_t k = reversed ? change.size() - 1 - i : i;
      for (int n = change[k][dim]; n > 0; --n) {
        bool wasPartial = std::any_of(change.begin(), change.end(),
                                      [&](const auto &places) { return places[rank] < 0; });
        int atom = firstOf(wasPartial ? fresh : ~space.blocked(state), static_cast<int>(k));
        if (atom < 0 || !put(atom))
          return false;
        fresh &= ~bit(atom);
      }
    }
    return true;
  }

  int firstOf(AtomSet set, int kind) const {
    for (size_t i = 0; i < space.atoms().size(); ++i)
      if ((set & bit(i)) && patterns.kindOfAtom(static_cast<int>(i)) == kind)
        return static_cast<int>(i);
    return -1;
  }

  const Space &space;
  const Pricing &pricing;
  const Patterns &patterns;
  int rank;
  static constexpr int mostTries = 300;
  /// Kinds of atoms in descending order where several come to one place.
  bool reversed = false;
  std::vector<Node> nodes;
  std::priority_queue<Waiting> waiting;
};

} // namespace

SearchResult realizePatterns(const Space &space, const Pricing &pricing, const Patterns &patterns) {
  SearchResult permuted = Realization(space, pricing, patterns).run(Patterns::before);
  int start = patterns.of(space.start());
  if (permuted.path && !patterns.withoutPermutation(start).isCheaper(permuted.cost))
    return permuted;
  SearchResult named = Realization(space, pricing, patterns).run(Patterns::after);
  return named.path && !(permuted.path && permuted.cost < named.cost) ? named : permuted;
}

} // namespace vescale::layout::redistribution
