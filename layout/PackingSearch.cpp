#include "layout/PackingSearch.h"

#include <algorithm>

namespace vescale::layout {

std::optional<std::vector<int64_t>> placeInOrder(const PackingProblem &problem,
                                                 const std::vector<int> &order, ShardTrial &trial,
                                                 int64_t &placements) {
  std::vector<int64_t> starts(order.size());
  BufferPoint position;
  for (int index : order) {
    const PackedTensor &tensor = problem.tensors[index];
    ++placements;
    std::optional<BufferPoint> start = earliestStart(tensor, position, trial);
    if (!start)
      return std::nullopt;
    starts[index] = start->at(trial.shard);
    if (tensor.elements == 0)
      continue;
    position = *start;
    position.offset += tensor.elements;
  }
  return starts;
}

FreeOrderSearch::FreeOrderSearch(const PackingProblem &problem) {
  for (int i = 0, e = problem.tensors.size(); i < e; ++i) {
    const PackedTensor &tensor = problem.tensors[i];
    // Tensors without elements lie anywhere.
    if (tensor.elements == 0) {
      empty.push_back(i);
      continue;
    }
    auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Kind &kind) {
      return kind.tensor.elements == tensor.elements &&
             kind.tensor.granularity == tensor.granularity &&
             kind.tensor.alignment == tensor.alignment;
    });
    if (same == kinds.end())
      same = kinds.insert(same, Kind{tensor, {}, 1});
    same->members.push_back(i);
    ++count;
    elements += tensor.elements;
  }
  uint64_t sets = 1;
  for (Kind &kind : kinds) {
    kind.radix = sets;
    countable &= !__builtin_mul_overflow(sets, kind.members.size() + 1, &sets);
  }
}

FreeOrderSearch::Answer FreeOrderSearch::search(ShardTrial &trial, size_t width,
                                                int64_t placementLimit, int64_t &placements) {
  bool dropped = false;
  // layers[i]: partial packings of i tensors.
  std::vector<Layer> layers = {{{0, 0, {}, -1, -1}}};
  while (layers.size() <= count) {
    Layer next;
    for (int i = 0, e = layers.back().size(); i < e; ++i) {
      const Partial &partial = layers.back()[i];
      for (int k = 0, kindCount = kinds.size(); k < kindCount; ++k) {
        const Kind &kind = kinds[k];
        if (partial.tensors / kind.radix % (kind.members.size() + 1) == kind.members.size())
          continue;
        if (++placements > placementLimit)
          return Answer::unknown;
        std::optional<BufferPoint> end = earliestStart(kind.tensor, partial.end, trial);
        if (!end)
          continue;
        end->offset += kind.tensor.elements;
        int64_t placed = partial.elements + kind.tensor.elements;
        if (trial.fitsInBuffer(*end, elements - placed))
          next.push_back({partial.tensors + kind.radix, placed, *end, i, k});
      }
    }
    dropped |= reduce(next, width, trial);
    if (next.empty())
      return dropped ? Answer::unknown : Answer::infeasible;
    layers.push_back(std::move(next));
  }
  readOrder(layers);
  return Answer::feasible;
}

bool FreeOrderSearch::reduce(Layer &layer, size_t width, ShardTrial &trial) const {
  int64_t shard = trial.shard;
  std::sort(layer.begin(), layer.end(), [&](const Partial &a, const Partial &b) {
    return std::pair(a.tensors, a.end.at(shard)) < std::pair(b.tensors, b.end.at(shard));
  });
  size_t kept = 0;
  for (const Partial &partial : layer) {
    if (kept && layer[kept - 1].tensors == partial.tensors) {
      // The other ends later, but with a larger S it may move less.
      BufferPoint first = layer[kept - 1].end, other = partial.end;
      if (other.borders < first.borders)
        trial.mayChangeAt((other.offset - first.offset) / (first.borders - other.borders) + 1);
      continue;
    }
    layer[kept++] = partial;
  }
  layer.resize(kept);
  if (layer.size() <= width)
    return false;
  auto padding = [&](const Partial &partial) { return partial.end.at(shard) - partial.elements; };
  std::nth_element(layer.begin(), layer.begin() + width, layer.end(),
                   [&](const Partial &a, const Partial &b) { return padding(a) < padding(b); });
  layer.resize(width);
  return true;
}

void FreeOrderSearch::readOrder(const std::vector<Layer> &layers) {
  std::vector<int> kindOrder;
  int index = 0;
  for (size_t layer = layers.size() - 1; layer > 0; --layer) {
    kindOrder.push_back(layers[layer][index].kind);
    index = layers[layer][index].parent;
  }
  found = empty;
  std::vector<size_t> used(kinds.size());
  for (auto kind = kindOrder.rbegin(); kind != kindOrder.rend(); ++kind)
    found.push_back(kinds[*kind].members[used[*kind]++]);
}

} // namespace vescale::layout
