//===- Propagation.cpp - The rounds in which layouts spread ------------------------------------===//

#include "passes/placement/Propagation.h"

#include "layout/Cutting.h"

#include <deque>
#include <limits>

namespace vescale {

using layout::Cut;
using layout::Dim;
using layout::SubAxis;

static constexpr int64_t lastRound = std::numeric_limits<int64_t>::max();
static constexpr int numSteps = 5;

Propagation::Propagation(PropagationGraph &graph, layout::Mesh mesh, PropagationOptions options)
    : graph(graph), mesh(std::move(mesh)), options(options), wished(graph.tensors.size()),
      versions(graph.tensors.size()) {
  for (auto &runs : lastRuns)
    runs.resize(graph.nodes.size());
}

void Propagation::changed(int tensor) { ++versions[tensor]; }

void Propagation::wish(int tensor, const layout::Wish &wish) {
  if (wished[tensor])
    return;
  wished[tensor] = true;
  TensorState &state = graph.tensors[tensor];
  const layout::Layout &asked = wish.asked();
  for (const SubAxis &axis : wish.replicated())
    state.unusable.push_back(axis);
  if (asked.partial()) {
    partials.emplace(tensor, *asked.partial());
    state.unusable.insert(state.unusable.end(), asked.partial()->axes.begin(),
                          asked.partial()->axes.end());
  }
  if (asked.ragged()) {
    raggeds.emplace(tensor, *asked.ragged());
    state.unusable.push_back(asked.ragged()->axis);
  }
  for (int dim = 0; dim < asked.rank(); ++dim) {
    const layout::DimFreedom &freedom = wish.freedom(dim);
    // A ragged cut shares out what the others leave, so that no further one may come before it.
    bool isClosed = !freedom.open || asked.ragged();
    if (asked.dim(dim).empty() && !freedom.priority) {
      state.closed[dim] = isClosed;
      continue;
    }
    state.closed[dim] = true;
    for (const Cut &cut : asked.dim(dim))
      state.unusable.push_back(cut.axis);
    pending[freedom.priority.value_or(lastRound)].push_back(
        {tensor, dim, asked.dim(dim), isClosed});
  }
}

void Propagation::restore(std::optional<int64_t> priority) {
  auto found = pending.find(priority.value_or(lastRound));
  if (found == pending.end())
    return;
  for (const Pending &wish : found->second) {
    TensorState &state = graph.tensors[wish.tensor];
    state.dims[wish.dim] = wish.cuts;
    state.closed[wish.dim] = wish.closed;
    for (const Cut &cut : wish.cuts)
      state.unusable.erase(llvm::find(state.unusable, cut.axis));
    changed(wish.tensor);
    if (!wish.cuts.empty())
      history.push_back({wish.tensor, -1, -1, priority, 0, PropagationStrategy::basic, state.dims});
  }
  pending.erase(found);
}

void Propagation::run() {
  while (!pending.empty()) {
    int64_t priority = pending.begin()->first;
    if (priority == lastRound)
      break;
    runRound(priority);
  }
  runRound(std::nullopt);
  spreadRagged();
}

void Propagation::spreadRagged() {
  std::deque<int> queue;
  for (const auto &[tensor, ragged] : raggeds)
    queue.push_back(tensor);
  while (!queue.empty()) {
    int from = queue.front();
    queue.pop_front();
    const layout::Ragged ragged = raggeds.at(from);
    for (int index : graph.nodesOf[from]) {
      const GraphNode &node = graph.nodes[index];
      if (!node.elementwise)
        continue;
      for (size_t position = 0; position < node.tensors.size(); ++position) {
        int to = node.tensors[position];
        const dist::TensorFactors &factors = node.factorsOf(static_cast<int>(position));
        auto overlaps = [&](const SubAxis &other) {
          return layout::overlaps(other, ragged.axis);
        };
        if (to < 0 || raggeds.count(to) || graph.tensors[to].isCut() ||
            llvm::any_of(graph.tensors[to].unusable, overlaps) ||
            graph.tensors[to].closed.any() || factors.dims.empty() ||
            !node.rule.raggedFactors(factors, ragged.dims))
          continue;
        raggeds.emplace(to, ragged);
        graph.tensors[to].closed.set();
        queue.push_back(to);
      }
    }
  }
}

std::optional<PropagationStep> Propagation::permitted(const GraphNode &node, int step) const {
  PropagationStep may;
  may.elementwise = node.elementwise;
  may.subAxes = options.subAxes;
  may.prices = options.prices;
  if (node.passThrough)
    return step > 0 || node.singleUse ? std::optional(may) : std::nullopt;
  if (step < 2)
    return std::nullopt;
  may.allFactors = step >= 3;
  may.forward = step >= 4 || !node.broadcasts;
  return may;
}

void Propagation::runRound(std::optional<int64_t> priority) {
  restore(priority);
  for (int step = 0; step < numSteps; ++step) {
    runToFixpoint(priority, step, PropagationStrategy::basic);
    if (options.aggressive)
      runToFixpoint(priority, step, PropagationStrategy::aggressive);
  }
}

void Propagation::runToFixpoint(std::optional<int64_t> priority, int step,
                                PropagationStrategy strategy) {
  std::vector<LastRun> &last = lastRuns[static_cast<int>(strategy)];
  std::deque<int> queue;
  std::vector<bool> queued(graph.nodes.size(), true);
  for (size_t node = 0; node < graph.nodes.size(); ++node)
    queue.push_back(static_cast<int>(node));
  while (!queue.empty()) {
    int index = queue.front();
    queue.pop_front();
    queued[index] = false;
    const GraphNode &node = graph.nodes[index];
    std::optional<PropagationStep> may = permitted(node, step);
    if (!may)
      continue;
    may->strategy = strategy;
    int64_t stamp = 0;
    for (int tensor : node.tensors)
      stamp += tensor >= 0 ? versions[tensor] : 0;
    LastRun &run = last[index];
    if (run.versions == stamp && run.forward == may->forward && run.backward == may->backward &&
        run.allFactors == may->allFactors)
      continue;
    ++visitCount;
    int64_t changes = 0;
    propagateThroughNode(node, mesh, graph.tensors, *may, [&](int position, int source) {
      int tensor = node.tensors[position];
      changed(tensor);
      ++changes;
      history.push_back({tensor, source < 0 ? -1 : node.tensors[source], index, priority, step,
                         strategy, graph.tensors[tensor].dims});
      for (int other : graph.nodesOf[tensor])
        if (!queued[other]) {
          queued[other] = true;
          queue.push_back(other);
        }
    });
    // A change that the node made itself may let it do more, so only a quiet run counts.
    run = changes == 0 ? LastRun{stamp, may->forward, may->backward, may->allFactors} : LastRun();
    if (changes && !queued[index]) {
      queued[index] = true;
      queue.push_back(index);
    }
  }
}

bool Propagation::cutFurther(int tensor, llvm::ArrayRef<int> axes) {
  TensorState &state = graph.tensors[tensor];
  bool all = true;
  for (int axisIndex : axes) {
    SubAxis axis = layout::wholeAxis(mesh, axisIndex);
    if (axis.size == 1)
      continue;
    bool used = false;
    int best = -1;
    int64_t bestLength = 0;
    bool bestEven = false;
    for (int dim = 0; dim < static_cast<int>(state.dims.size()); ++dim) {
      int64_t length = state.shape[dim];
      bool even = true;
      for (const Cut &cut : state.dims[dim]) {
        used |= layout::overlaps(cut.axis, axis);
        even &= layout::isEven(cut, length);
        length = layout::cutLength(cut, length, 0);
      }
      // A further axis is the minor one: it leaves where the others are what it was.
      bool evenHere = even && length % axis.size == 0 && length > 0;
      bool better = best < 0 ? length > 1
                             : (evenHere && !bestEven) ||
                                   (evenHere == bestEven && !evenHere && length > bestLength);
      if (!better)
        continue;
      best = dim;
      bestLength = length;
      bestEven = evenHere;
    }
    if (used)
      continue;
    if (best < 0) {
      all = false;
      continue;
    }
    state.dims[best].push_back({axis, 1, 1});
    changed(tensor);
    history.push_back(
        {tensor, -1, -1, std::nullopt, 0, PropagationStrategy::basic, state.dims, true});
  }
  state.closed.set();
  return all;
}

layout::Layout Propagation::layoutOf(int tensor) const {
  auto partial = partials.find(tensor);
  auto ragged = raggeds.find(tensor);
  return dist::canonicalLayout(
      layout::Layout::fromChecked(
          mesh, graph.tensors[tensor].dims,
          partial == partials.end() ? std::nullopt : std::optional(partial->second),
          ragged == raggeds.end() ? std::nullopt : std::optional(ragged->second)),
      graph.tensors[tensor].shape);
}

} // namespace vescale
