//===- Patterns.cpp - Layouts of a search without the names of their axes --------------------===//
//
// Patterns also forget in which order a dim is cut and whether its size divides, so that more ways
// lead to the target than between layouts.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Patterns.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace vescale::layout::redistribution {

namespace {
constexpr int mostNumbers = 1 << 14;
/// Steps between patterns that are looked at: about a millisecond.
constexpr int mostSteps = 12000;
// Prices are added to it.
const Cost unreached{std::numeric_limits<int64_t>::max() / 4, 0, 0, 0};
} // namespace

/// Works out the prices, backwards from the target: each visit finds what leads to one pattern.
class PatternSearch {
public:
  PatternSearch(Patterns &patterns, const Space &space, const Pricing &pricing,
                const std::optional<Cost> &beat)
      : result(patterns), space(space), pricing(pricing), beat(beat.value_or(unreached)),
        kinds(patterns.kinds), rank(patterns.rank), here(kinds.size()) {}

  bool collectKinds();
  void run();

private:
  using Phase = Patterns::Phase;
  /// How many atoms of a kind cut each dim; at [rank] those that are partial.
  using Counts = std::array<uint8_t, maxDims + 1>;

  struct Waiting {
    Cost cost;
    Phase phase;
    int pattern;
    bool operator<(const Waiting &other) const { return other.cost < cost; }
  };

  void reach(Phase phase, int pattern, const Cost &cost, StepKind kind, size_t link = 0) {
    ++steps;
    if (!(cost < beat))
      return;
    Phase next = kind == StepKind::permute ? Patterns::after : phase;
    int &first = result.firstEdge[phase][pattern];
    result.chained.push_back({{next, patternHere, kind, static_cast<uint8_t>(link), cost}, first});
    first = static_cast<int>(result.chained.size()) - 1;
    Cost &known = result.costs[phase][pattern];
    if (cost < known) {
      known = cost;
      queue.push({cost, phase, pattern});
    }
  }
  /// Whether a step that receives so much leads here from too far away; so do steps that receive
  /// more.
  bool isTooFar(int64_t amount, AtomSet moved) const {
    return amount > 0 &&
           !(costHere + pricing.cost(StepKind::allToAll, amount, pricing.link(moved)) < beat);
  }
  /// A step from `pattern`, of whose `local` elements it receives `amount`, leads here.
  void reach(StepKind kind, int pattern, int64_t amount, AtomSet moved) {
    reach(phase, pattern, costHere + pricing.cost(kind, amount, pricing.link(moved)), kind);
  }

  void leave(Phase from, int pattern);
  void localSteps();
  void gathers(size_t kind, int dim, int left, int pattern, int64_t moved, AtomSet examples);
  void reduceScatters(size_t kind, int dim, int room, int pattern, int64_t moved, AtomSet examples);
  void allReduces(size_t kind, int pattern, int64_t moved, AtomSet examples);
  void allToAlls(int first, uint32_t busy, int pattern, int64_t moved, AtomSet examples);
  void move(size_t kind, int source, int target, uint32_t busy, int pattern, int64_t moved,
            AtomSet examples, bool any);
  void permutations(int pattern);
  void groupPermuted();
  void read(int pattern);

  Patterns &result;
  const Space &space;
  const Pricing &pricing;
  Cost beat;
  std::vector<Patterns::Kind> &kinds;
  int rank;
  bool cutsBecomePartial = false;
  std::priority_queue<Waiting> queue;
  int steps = 0;

  /// The pattern that is visited.
  std::vector<Counts> here;
  std::array<int, maxAtoms> unused{};
  Phase phase = Patterns::after;
  int patternHere = 0;
  Cost costHere;
  int64_t local = 0;

  /// The patterns that a permutation over one class of links makes of one another: those with equal
  /// sums of weights.
  struct Permuted {
    bool changesPatterns = false;
    std::vector<std::array<int, maxDims + 1>> weights;
    std::vector<std::vector<int>> members;

    int keyOf(const std::vector<Counts> &counts) const {
      int key = 0;
      for (size_t k = 0; k < counts.size(); ++k)
        for (int place = 0; place <= maxDims; ++place)
          key += weights[k][place] * counts[k][place];
      return key;
    }
  };
  std::vector<Permuted> permuted;
};

bool PatternSearch::collectKinds() {
  const State &start = space.start(), &goal = *space.goal();
  // Parts of an axis in another order are other atoms; one order has as many of each size.
  if (space.hasSeveralWritings() && goal.partial)
    return false;
  cutsBecomePartial = start.partial ? space.cutsJoinReductions() : goal.partial;
  AtomSet counted = 0;
  for (size_t i = 0; i < space.atoms().size(); ++i) {
    const Atom &atom = space.atom(i);
    Patterns::Kind kind;
    kind.size = atom.size();
    kind.link = pricing.link(bit(i));
    kind.staysPartial = goal.partial & bit(i);
    auto known = std::find_if(kinds.begin(), kinds.end(), [&](const Patterns::Kind &other) {
      return other.size == kind.size && other.link == kind.link &&
             other.staysPartial == kind.staysPartial;
    });
    if (known == kinds.end()) {
      kind.example = bit(i);
      known = kinds.insert(kinds.end(), kind);
    }
    result.kindOf[i] = static_cast<uint8_t>(known - kinds.begin());
    if (!(counted & atom.conflicts)) {
      counted |= bit(i);
      ++known->total;
    }
    known->mostPartial += (start.partial | goal.partial) >> i & 1;
  }
  int64_t numbers = 1;
  for (Patterns::Kind &kind : kinds) {
    if (cutsBecomePartial)
      kind.mostPartial = kind.total;
    for (int place = 0; place <= rank; ++place) {
      kind.radix[place] = static_cast<int>(numbers);
      numbers *= (place < rank ? kind.total : kind.mostPartial) + 1;
      if (numbers > mostNumbers)
        return false;
    }
  }
  for (auto &costs : result.costs)
    costs.assign(numbers, unreached);
  result.chained.reserve(mostSteps);
  for (auto &first : result.firstEdge)
    first.assign(numbers, -1);
  here.resize(kinds.size());
  return true;
}

void PatternSearch::read(int pattern) {
  local = pricing.scaling();
  for (int64_t size : space.shape())
    local *= size;
  for (size_t k = kinds.size(); k-- > 0;) {
    unused[k] = kinds[k].total;
    for (int place = rank; place >= 0; --place) {
      int count = pattern / kinds[k].radix[place];
      pattern %= kinds[k].radix[place];
      here[k][place] = static_cast<uint8_t>(count);
      unused[k] -= count;
      for (int i = 0; place < rank && i < count; ++i)
        local /= kinds[k].size;
    }
  }
}

void PatternSearch::localSteps() {
  bool startsPartial = space.start().partial;
  for (size_t k = 0; k < kinds.size(); ++k) {
    const Patterns::Kind &kind = kinds[k];
    for (int d = 0; d < rank; ++d)
      if (here[k][d])
        reach(StepKind::slice, patternHere - kind.radix[d], 0, 0);
    if (!here[k][rank])
      continue;
    if (kind.staysPartial)
      reach(StepKind::toPartial, patternHere - kind.radix[rank], 0, 0);
    for (int d = 0; d < rank && (cutsBecomePartial || (kind.staysPartial && startsPartial)); ++d)
      reach(StepKind::toPartial, patternHere - kind.radix[rank] + kind.radix[d], 0, 0);
  }
}

/// Before a gather, atoms that are unused now cut dims.
void PatternSearch::gathers(size_t kind, int dim, int left, int pattern, int64_t moved,
                            AtomSet examples) {
  if (kind == kinds.size()) {
    if (moved > 1)
      reach(StepKind::allGather, pattern, local / moved * (moved - 1), examples);
    return;
  }
  if (dim == rank) {
    gathers(kind + 1, 0, kind + 1 < kinds.size() ? unused[kind + 1] : 0, pattern, moved, examples);
    return;
  }
  for (int n = 0; n <= left; ++n) {
    if (isTooFar(local / moved * (moved - 1), examples))
      return;
    gathers(kind, dim + 1, left - n, pattern, moved, examples);
    pattern += kinds[kind].radix[dim];
    moved *= kinds[kind].size;
    examples |= kinds[kind].example;
  }
}

/// Before a reduce-scatter, atoms that cut dims now are partial.
void PatternSearch::reduceScatters(size_t kind, int dim, int room, int pattern, int64_t moved,
                                   AtomSet examples) {
  if (kind == kinds.size()) {
    if (moved > 1)
      reach(StepKind::reduceScatter, pattern, local * (moved - 1), examples);
    return;
  }
  if (dim == rank) {
    size_t next = kind + 1;
    int nextRoom = next < kinds.size() ? kinds[next].mostPartial - here[next][rank] : 0;
    reduceScatters(next, 0, nextRoom, pattern, moved, examples);
    return;
  }
  for (int n = 0; n <= std::min<int>(room, here[kind][dim]); ++n) {
    if (isTooFar(local * (moved - 1), examples))
      return;
    reduceScatters(kind, dim + 1, room - n, pattern, moved, examples);
    pattern += kinds[kind].radix[rank] - kinds[kind].radix[dim];
    moved *= kinds[kind].size;
    examples |= kinds[kind].example;
  }
}

/// Before an all-reduce, atoms that are unused now are partial.
void PatternSearch::allReduces(size_t kind, int pattern, int64_t moved, AtomSet examples) {
  if (kind == kinds.size()) {
    if (moved > 1)
      reach(StepKind::allReduce, pattern, 2 * (local - local / moved), examples);
    return;
  }
  for (int n = 0; n <= std::min(unused[kind], kinds[kind].mostPartial - here[kind][rank]); ++n) {
    if (isTooFar(2 * (local - local / moved), examples))
      return;
    allReduces(kind + 1, pattern, moved, examples);
    pattern += kinds[kind].radix[rank];
    moved *= kinds[kind].size;
    examples |= kinds[kind].example;
  }
}

/// Before an all-to-all, atoms of some dims cut other dims.
void PatternSearch::allToAlls(int first, uint32_t busy, int pattern, int64_t moved,
                              AtomSet examples) {
  for (int target = first; target < rank; ++target)
    for (int source = 0; source < rank && !(busy >> target & 1); ++source)
      if (source != target && !(busy >> source & 1))
        move(0, source, target, busy | 1u << source | 1u << target, pattern, moved, examples,
             false);
}

void PatternSearch::move(size_t kind, int source, int target, uint32_t busy, int pattern,
                         int64_t moved, AtomSet examples, bool any) {
  if (kind == kinds.size()) {
    if (!any)
      return;
    reach(StepKind::allToAll, pattern, local - local / moved, examples);
    allToAlls(target + 1, busy, pattern, moved, examples);
    return;
  }
  for (int n = 0; n <= here[kind][target]; ++n) {
    if (isTooFar(local - local / moved, examples))
      return;
    move(kind + 1, source, target, busy, pattern, moved, examples, any || n);
    pattern += kinds[kind].radix[source] - kinds[kind].radix[target];
    moved *= kinds[kind].size;
    examples |= kinds[kind].example;
  }
}

/// What counts of the atoms within a class of links is only their size, where a permutation is to
/// change their names.
void PatternSearch::groupPermuted() {
  const std::vector<Link> &classes = pricing.linkClasses();
  permuted.resize(classes.size());
  for (size_t link = 0; link < classes.size(); ++link) {
    AtomSet within = pricing.atomsWithin(classes[link]);
    auto &weights = permuted[link].weights;
    int total = 1;
    for (size_t k = 0; k < kinds.size(); ++k) {
      auto alike = [&](size_t other) {
        return kinds[other].size == kinds[k].size && (kinds[k].example & within) &&
               (kinds[other].example & within);
      };
      size_t first = 0;
      while (first < k && !alike(first))
        ++first;
      int atoms = kinds[k].total;
      for (size_t other = k + 1; first == k && other < kinds.size(); ++other)
        if (alike(other))
          atoms += kinds[other].total;
      weights.push_back(first < k ? weights[first] : std::array<int, maxDims + 1>());
      for (int d = 0; first == k && d < rank; ++d) {
        weights[k][d] = total;
        total *= atoms + 1;
      }
      weights[k][rank] = total;
      total *= kinds[k].mostPartial + 1;
      permuted[link].changesPatterns |= first < k;
    }
    if (permuted[link].changesPatterns)
      permuted[link].members.resize(total);
  }
  bool changes = std::any_of(permuted.begin(), permuted.end(),
                             [](const Permuted &link) { return link.changesPatterns; });
  for (int pattern = 0; changes && pattern < static_cast<int>(result.costs[0].size()); ++pattern) {
    read(pattern);
    if (std::any_of(unused.begin(), unused.begin() + kinds.size(),
                    [](int left) { return left < 0; }))
      continue;
    for (Permuted &link : permuted)
      if (link.changesPatterns)
        link.members[link.keyOf(here)].push_back(pattern);
  }
}

void PatternSearch::permutations(int pattern) {
  for (size_t link = 0; link < permuted.size(); ++link) {
    Cost cost = costHere + pricing.cost(StepKind::permute, local, pricing.linkClasses()[link]);
    reach(Patterns::before, pattern, cost, StepKind::permute, link);
    if (!permuted[link].changesPatterns)
      continue;
    // All of them cost the same to reach, and from patterns that are visited later no less.
    std::vector<int> &members = permuted[link].members[permuted[link].keyOf(here)];
    for (int other : members)
      reach(Patterns::before, other, cost, StepKind::permute, link);
    members.clear();
  }
}

void PatternSearch::leave(Phase from, int pattern) {
  phase = from;
  patternHere = pattern;
  costHere = result.costs[from][pattern];
  read(pattern);
  localSteps();
  gathers(0, 0, unused[0], pattern, 1, 0);
  reduceScatters(0, 0, kinds[0].mostPartial - here[0][rank], pattern, 1, 0);
  allReduces(0, pattern, 1, 0);
  allToAlls(0, 0, pattern, 1, 0);
  if (phase == Patterns::after)
    permutations(pattern);
}

void PatternSearch::run() {
  groupPermuted();
  int start = result.of(space.start()), goal = result.of(*space.goal());
  result.goalPattern = goal;
  result.costs[Patterns::after][goal] = Cost();
  queue.push({Cost(), Patterns::after, goal});
  result.radius = beat;
  while (!queue.empty()) {
    Waiting next = queue.top();
    queue.pop();
    if (result.costs[next.phase][next.pattern] < next.cost)
      continue;
    result.radius = next.cost;
    if ((next.phase == Patterns::before && next.pattern == start) || steps > mostSteps)
      return;
    leave(next.phase, next.pattern);
  }
  result.radius = beat;
}

std::unique_ptr<const Patterns> Patterns::get(const Space &space, const Pricing &pricing,
                                              const std::optional<Cost> &beat) {
  if (!space.isEven() || !space.goal() || space.atoms().empty() || space.goal()->reduction)
    return nullptr;
  std::unique_ptr<Patterns> patterns(new Patterns);
  patterns->rank = space.rank();
  PatternSearch search(*patterns, space, pricing, beat);
  if (!search.collectKinds())
    return nullptr;
  search.run();
  return patterns;
}

std::vector<Patterns::Edge> Patterns::edges(Phase phase, int pattern) const {
  std::vector<Edge> result;
  for (int i = firstEdge[phase][pattern]; i >= 0; i = chained[i].next)
    result.push_back(chained[i].edge);
  std::sort(result.begin(), result.end(),
            [](const Edge &a, const Edge &b) { return a.cost < b.cost; });
  return result;
}

int Patterns::count(int pattern, int kind, int place) const {
  const Kind &counted = kinds[kind];
  int radix = counted.radix[place];
  return pattern / radix % ((place < rank ? counted.total : counted.mostPartial) + 1);
}

int Patterns::of(const State &state) const {
  int number = 0, at = 0;
  for (int d = 0; d < rank; ++d)
    for (int i = 0; i < state.count[d]; ++i)
      number += kinds[kindOf[state.cuts[at++]]].radix[d];
  std::array<uint8_t, maxAtoms> partial{};
  for (AtomSet rest = state.partial; rest; rest &= rest - 1) {
    int kind = kindOf[__builtin_ctzll(rest)];
    if (partial[kind]++ < kinds[kind].mostPartial)
      number += kinds[kind].radix[rank];
  }
  return number;
}

} // namespace vescale::layout::redistribution
