//===- Search.cpp - The shortest path through layouts ----------------------------------------===//
//
// A* with the bytes that are still missing as the bound. The permutations of a layout are a clique,
// all at one price, so they go through a hub: a node that stands for every layout with the same
// partial axes and the same sizes in the same dims. Going to the hub costs the permutation,
// leaving it nothing. With different links there is one hub for each of the links that a launch can
// have; atoms on slower links keep their places in it.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Search.h"

#include "layout/redistribution/Bounds.h"
#include "layout/redistribution/Moves.h"

#include <algorithm>
#include <queue>

namespace vescale::layout::redistribution {

namespace {

struct Node {
  State state;
  Cost cost;
  Cost bound;
  int64_t amount = 0;
  Cost stepCost;
  int parent = -1;
  StepKind kind = StepKind::slice;
  bool expanded = false;
  /// What leads to layouts that are nested with the target has been followed.
  bool nestedReached = false;
  /// There is a permutation on the path here.
  bool permuted = false;
};

/// Maps states to node numbers; open addressing, at most half full.
class StateIndex {
public:
  StateIndex() : slots(1 << 10) {}

  /// The place of the state's number; holds -1 if it is new.
  int &at(const State &state, const std::vector<Node> &nodes) {
    if (2 * nodes.size() >= slots.size())
      grow(nodes);
    return slots[probe(state, nodes)].node;
  }

private:
  /// The hash spares a look at most nodes that are not meant.
  struct Slot {
    uint32_t hash = 0;
    int node = -1;
  };

  size_t probe(const State &state, const std::vector<Node> &nodes) {
    uint64_t hash = state.hash();
    auto tag = static_cast<uint32_t>(hash >> 32);
    size_t at = hash & (slots.size() - 1);
    while (slots[at].node >= 0 &&
           (slots[at].hash != tag || !(nodes[slots[at].node].state == state)))
      at = (at + 1) & (slots.size() - 1);
    slots[at].hash = tag;
    return at;
  }

  void grow(const std::vector<Node> &nodes) {
    slots.assign(slots.size() * 4, Slot());
    for (size_t i = 0; i < nodes.size(); ++i)
      slots[probe(nodes[i].state, nodes)].node = static_cast<int>(i);
  }

  std::vector<Slot> slots;
};

struct Waiting {
  Cost estimate;
  /// Of equal estimates the path that is further along comes first.
  Cost cost;
  int node;

  bool operator<(const Waiting &other) const {
    if (estimate < other.estimate || other.estimate < estimate)
      return other.estimate < estimate;
    return cost < other.cost;
  }
};

class Search {
public:
  Search(const Space &space, const Pricing &pricing, const Bounds &bounds,
         const SearchRequest &request)
      : space(space), pricing(pricing), bounds(bounds), request(request), best(request.beat) {
    for (const Link &link : pricing.linkClasses())
      within.push_back(pricing.atomsWithin(link));
    if (space.goal()) {
      exchangedEarly = *space.goal();
      exchangedEarly.partial = 0;
      exchangedEarly.reduction = 0;
      goalAxes = space.blocked(exchangedEarly);
    }
  }

  SearchResult run() {
    SearchResult result;
    reach(-1, space.start(), StepKind::slice, 0, Cost());
    int target = -1;
    while (!queue.empty()) {
      Waiting next = queue.top();
      queue.pop();
      Node &node = nodes[next.node];
      if (node.expanded || node.cost < next.cost)
        continue;
      if (isTarget(node)) {
        target = next.node;
        break;
      }
      if (exhausted()) {
        result.cutShort = true;
        result.bound = next.estimate;
        break;
      }
      expand(next.node);
    }
    if (target < 0)
      target = targetNode;
    if (target < 0)
      return result;
    result.cost = nodes[target].cost;
    result.path = path(target);
    return result;
  }

  /// Goes on from the most promising of the layouts just reached, and goes back only where there is
  /// none.
  SearchResult runGreedily() {
    SearchResult result;
    mismatchUnit = bounds.remaining(space.start()).primary / 4;
    reach(-1, space.start(), StepKind::slice, 0, Cost());
    while (!(fresh.empty() && queue.empty()) && !exhausted() && targetNode < 0) {
      int number;
      if (!fresh.empty()) {
        auto first = std::max_element(fresh.begin(), fresh.end());
        number = first->node;
        fresh.erase(first);
        for (const Waiting &other : fresh)
          queue.push(other);
        fresh.clear();
      } else {
        number = queue.top().node;
        queue.pop();
      }
      if (!nodes[number].expanded)
        expand(number);
    }
    if (targetNode < 0)
      return result;
    result.cost = nodes[targetNode].cost;
    result.path = path(targetNode);
    return result;
  }

private:
  /// States that are met again and again count too, at a lower rate.
  bool exhausted() const {
    int64_t looks = static_cast<int64_t>(nodes.size()) + reached / 4;
    // Writing a state in all its ways takes its time too.
    return (space.hasSeveralWritings() ? 2 * looks : looks) > request.limit;
  }

  Cost hinted(const Node &node) const {
    const State &state = node.state;
    Cost cost;
    cost.launches = bounds.mismatches(state);
    if (request.hint == Hint::straight) {
      cost.primary = state.hub ? 2 * maxCuts : cost.launches;
      return cost;
    }
    if (request.hint == Hint::mismatches) {
      cost.primary = node.cost.primary + 2 * node.bound.primary + cost.launches * mismatchUnit;
      return cost;
    }
    // A permutation comes as late as it can, so that what follows it needs no names. A cut that
    // becomes partial is none of the patterns' ways.
    cost.primary = node.cost.primary + bounds.waysHint(state, node.permuted);
    if (state.partial & ~(space.start().partial | space.goal()->partial))
      cost.primary += node.cost.primary + 1000 * mismatchUnit;
    if (state.hub)
      cost.launches = maxCuts;
    return cost;
  }

  bool isTarget(const Node &node) const {
    return space.goal() ? node.state == *space.goal() : node.state.hub == elsewhere;
  }

  void reach(int parent, const State &state, StepKind kind, int64_t amount, const Cost &step) {
    ++reached;
    Cost cost = parent < 0 ? step : nodes[parent].cost + step;
    if (best && !cost.isCheaper(*best))
      return;
    int &slot = index.at(state, nodes);
    if (slot >= 0) {
      Node &known = nodes[slot];
      if (!(cost < known.cost))
        return;
      known.cost = cost;
      known.amount = amount;
      known.stepCost = step;
      known.parent = parent;
      known.kind = kind;
      known.expanded = false;
      known.nestedReached = false;
      known.permuted = kind == StepKind::permute || nodes[parent].permuted;
    } else {
      Node fresh;
      fresh.state = state;
      fresh.cost = cost;
      fresh.amount = amount;
      fresh.stepCost = step;
      fresh.parent = parent;
      fresh.kind = kind;
      fresh.permuted = kind == StepKind::permute || (parent >= 0 && nodes[parent].permuted);
      // From a hub, every way on starts with a layout in it, so it is as far as those are at least;
      // nothing is a bound that holds.
      if (state.hub == 0)
        fresh.bound = bounds.remaining(state);
      slot = static_cast<int>(nodes.size());
      nodes.push_back(fresh);
    }
    Node &node = nodes[slot];
    Cost estimate = node.cost + node.bound;
    if (parent >= 0)
      estimate =
          std::max(estimate, estimates[parent], [](const Cost &a, const Cost &b) { return a < b; });
    if (best && !estimate.isCheaper(*best))
      return;
    if (estimates.size() < nodes.size())
      estimates.resize(nodes.size());
    estimates[slot] = estimate;
    if (isTarget(node)) {
      targetNode = slot;
      best = cost;
    }
    await(slot, estimate);
  }

  /// Where there are many ways on, first those to layouts that are nested with the target. In all
  /// others some device holds nothing of its target, so that they can wait until that is the least
  /// that is left.
  void expand(int number) {
    // Nodes move when new ones are added.
    const State state = nodes[number].state;
    bool again = nodes[number].nestedReached;
    bool inTwo = space.isEven() && (state.hub || __builtin_popcountll(state.partial) > 2);
    Wanted wanted = !inTwo ? Wanted::all : again ? Wanted::apart : Wanted::nested;
    nodes[number].nestedReached = inTwo;
    nodes[number].expanded = !inTwo || again;
    if (state.hub)
      leaveHub(number, state, wanted);
    else
      moves(number, state, wanted);
    if (!inTwo || again)
      return;
    int64_t received = state.hub ? 0 : pricing.leastReduceScatter(state);
    Cost apart = nodes[number].cost + pricing.boundCost(received + pricing.boundApart(state));
    Cost estimate = estimates[number] < apart ? apart : estimates[number];
    if (!best || estimate.isCheaper(*best))
      await(number, estimate);
  }

  void await(int number, const Cost &estimate) {
    if (request.hint == Hint::none)
      queue.push({estimate, nodes[number].cost, number});
    else
      fresh.push_back({hinted(nodes[number]), nodes[number].cost, number});
  }

  void moves(int number, const State &state, Wanted wanted) {
    for (const State &writing : space.writings(state)) {
      int64_t local = space.isEven() ? space.localElements(writing) : 0;
      visitMoves(space, writing, wanted, [&](const Move &move) {
        State after = move.after;
        // The source's reduction is over once nothing is partial.
        if (!after.partial)
          after.reduction = 0;
        space.canonicalize(after);
        int64_t amount = space.isEven() ? pricing.evenAmount(move.kind, local, move.atoms)
                                        : pricing.amount(move.kind, writing, after, move.atoms);
        reach(number, after, move.kind, amount,
              pricing.cost(move.kind, amount, pricing.link(move.atoms)));
        return !exhausted();
      });
      if (wanted != Wanted::apart)
        permutations(number, writing);
    }
    if (!request.collectivesOnly && wanted != Wanted::apart)
      exchanges(number, state);
  }

  void leaveHub(int number, const State &state, Wanted wanted) {
    visitArrangements(space, state, within[state.hub - 1], wanted, [&](const State &after) {
      State canonical = after;
      canonical.hub = 0;
      space.canonicalize(canonical);
      reach(number, canonical, StepKind::permute, 0, Cost());
      return !exhausted();
    });
  }

  void permutations(int number, const State &writing) {
    if (!writing.total || writing.ragged)
      return;
    // A reduction leaves less to permute, and where its atoms go, a permutation after it can undo:
    // by bytes, permuting first is never cheaper.
    if (pricing.countsBytes() && space.isEven() && writing.partial && !space.goal()->partial)
      return;
    for (size_t link = 0; link < within.size(); ++link) {
      State pattern = writing;
      for (int i = 0; i < pattern.total; ++i)
        if (within[link] & bit(space.atom(pattern.cuts[i]).plain))
          pattern.cuts[i] = placeLike(pattern.cuts[i]) | freePlace;
      if (space.isEven()) {
        sortFreePlaces(space, pattern);
        pattern.hub = static_cast<uint8_t>(link + 1);
        int64_t amount = pricing.amount(StepKind::permute, writing, writing, 0);
        reach(number, pattern, StepKind::permute, amount,
              pricing.cost(StepKind::permute, amount, pricing.linkClasses()[link]));
        continue;
      }
      visitArrangements(space, pattern, within[link], Wanted::all, [&](const State &found) {
        State after = found;
        space.canonicalize(after);
        if (after == writing || !space.isLegal(after))
          return !exhausted();
        int64_t amount = pricing.amount(StepKind::permute, writing, after, 0);
        reach(number, after, StepKind::permute, amount,
              pricing.cost(StepKind::permute, amount, pricing.linkClasses()[link]));
        return !exhausted();
      });
    }
  }

  /// The first atom that cuts as this one does, whatever its axis.
  uint8_t placeLike(uint8_t atom) const {
    const Atom &like = space.atom(atom);
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      const Atom &other = space.atom(i);
      if (other.size() == like.size() && other.cut.interleave == like.cut.interleave &&
          other.cut.block == like.cut.block && other.even == like.even)
        return static_cast<uint8_t>(i);
    }
    return atom;
  }

  /// To the target; and, while a reduction is pending, to the target's cuts without all of it or
  /// with more cuts.
  void exchanges(int number, const State &state) {
    // In a large space only the way out of the source is worth a comparison of devices.
    if (number != 0 && !space.isSmall() && !pricing.knowsExchange(state))
      return;
    int64_t amount = pricing.amountToTarget(state);
    State last = space.goal() ? *space.goal() : State();
    if (!space.goal())
      last.hub = elsewhere;
    reach(number, last, StepKind::exchange, amount,
          pricing.cost(StepKind::exchange, amount, pricing.linkToTarget(state)));
    if (!space.goal())
      return;
    // Where parts of an axis could be told apart in several orders, all stay or none.
    AtomSet mayStay = state.partial & ~goalAxes;
    visitSubsets(space, mayStay, [&](AtomSet kept) {
      if (kept == state.partial || !space.hasSeveralWritings())
        exchangeEarly(number, state, kept);
      return !exhausted();
    });
    if (space.pending(state) && !exchangedEarly.ragged && !space.goal()->partial &&
        (number == 0 || space.isSmall()))
      exchangeFiner(number, state, 0, exchangedEarly);
  }

  /// To the target's cuts with some of the reductions still pending: each of them is then over
  /// fewer elements.
  void exchangeEarly(int number, const State &state, AtomSet kept) {
    State early = exchangedEarly;
    early.partial = kept;
    exchangeTo(number, state, early);
  }

  /// To the target cut further: what devices that hold alike in the end reduce apart, they gather.
  void exchangeFiner(int number, const State &state, int dim, const State &finer) {
    for (int d = dim; d < space.rank() && !exhausted(); ++d)
      for (size_t i = 0; i < space.atoms().size(); ++i) {
        const Atom &atom = space.atom(i);
        AtomSet used = space.blocked(finer);
        int64_t length = space.evenLength(finer, d);
        bool fits = !atom.even || (length >= 0 && length % atom.size() == 0);
        if (atom.plain != i || (used & bit(i)) || finer.total == maxCuts || !fits ||
            space.isTriedByAnother(static_cast<int>(i), ~used))
          continue;
        State next = finer;
        next.append(d, static_cast<uint8_t>(i));
        exchangeTo(number, state, next);
        exchangeFiner(number, state, d, next);
      }
  }

  void exchangeTo(int number, const State &state, State after) {
    after.reduction = after.partial ? state.reduction : 0;
    space.canonicalize(after);
    if (after == state || after == *space.goal() || !space.isLegal(after))
      return;
    int64_t amount = pricing.exchangeAmount(state, after);
    reach(number, after, StepKind::exchange, amount,
          pricing.cost(StepKind::exchange, amount, pricing.exchangeLink(state, after)));
  }

  std::vector<PathStep> path(int number) const {
    std::vector<PathStep> steps;
    for (; nodes[number].parent >= 0; number = nodes[number].parent) {
      const Node &node = nodes[number];
      PathStep step{node.kind, node.state, node.amount, node.stepCost};
      if (node.state.hub == elsewhere)
        step.after = std::nullopt;
      const Node &parent = nodes[node.parent];
      if (parent.state.hub) {
        step.amount = parent.amount;
        step.cost = parent.stepCost;
        number = node.parent;
      }
      steps.push_back(step);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  static constexpr uint8_t elsewhere = 0xff;

  const Space &space;
  const Pricing &pricing;
  const Bounds &bounds;
  const SearchRequest &request;
  int64_t reached = 0;
  int64_t mismatchUnit = 0;
  /// With a hint: what the last expansion reached.
  std::vector<Waiting> fresh;
  std::optional<Cost> best;
  std::vector<AtomSet> within;
  State exchangedEarly;
  AtomSet goalAxes = 0;
  std::vector<Node> nodes;
  std::vector<Cost> estimates;
  StateIndex index;
  std::priority_queue<Waiting> queue;
  int targetNode = -1;
};

} // namespace

SearchResult search(const Space &space, const Pricing &pricing, const Bounds &bounds,
                    const SearchRequest &request) {
  Search search(space, pricing, bounds, request);
  return request.hint == Hint::none ? search.run() : search.runGreedily();
}

} // namespace vescale::layout::redistribution
