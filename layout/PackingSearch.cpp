#include "layout/PackingSearch.h"

#include <algorithm>

namespace vescale::layout {

std::optional<std::vector<int64_t>> placeInOrder(const PackingProblem &problem,
                                                 const std::vector<int> &order, int64_t shard,
                                                 int64_t &placements) {
  std::vector<int64_t> starts(order.size());
  int64_t bufferEnd = shard * problem.devices;
  int64_t position = 0;
  for (int index : order) {
    const PackedTensor &tensor = problem.tensors[index];
    ++placements;
    int64_t start = earliestStart(tensor, position, shard, bufferEnd);
    if (start == noStart)
      return std::nullopt;
    starts[index] = start;
    position = start + tensor.elements;
  }
  return starts;
}

FreeOrderSearch::FreeOrderSearch(const PackingProblem &problem) : problem(problem) {
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

FreeOrderSearch::Answer FreeOrderSearch::search(int64_t shard, size_t width, int64_t placementLimit,
                                                int64_t &placements) {
  int64_t bufferEnd = shard * problem.devices;
  if (elements > bufferEnd)
    return Answer::infeasible;
  bool dropped = false;
  // layers[i]: partial packings of i tensors. Their elements follow from `tensors`, so comparing
  // ends compares padding only among equal sets; across sets padding is end - elements.
  std::vector<std::vector<Partial>> layers = {{{0, 0, -1, -1}}};
  std::vector<int64_t> placedElements = {0};
  for (size_t layer = 0; layer < count; ++layer) {
    std::vector<std::pair<Partial, int64_t>> next;
    for (int i = 0, e = layers[layer].size(); i < e; ++i) {
      const Partial &partial = layers[layer][i];
      for (int k = 0, kindCount = kinds.size(); k < kindCount; ++k) {
        const Kind &kind = kinds[k];
        if (partial.tensors / kind.radix % (kind.members.size() + 1) == kind.members.size())
          continue;
        if (++placements > placementLimit)
          return Answer::unknown;
        int64_t start = earliestStart(kind.tensor, partial.end, shard, bufferEnd);
        if (start == noStart)
          continue;
        int64_t end = start + kind.tensor.elements;
        int64_t placed = placedElements[i] + kind.tensor.elements;
        if (end + (elements - placed) > bufferEnd)
          continue;
        next.push_back({{partial.tensors + kind.radix, end, i, k}, placed});
      }
    }
    std::sort(next.begin(), next.end(), [](const auto &a, const auto &b) {
      return std::tie(a.first.tensors, a.first.end) < std::tie(b.first.tensors, b.first.end);
    });
    next.erase(std::unique(
                   next.begin(), next.end(),
                   [](const auto &a, const auto &b) { return a.first.tensors == b.first.tensors; }),
               next.end());
    if (next.size() > width) {
      dropped = true;
      std::nth_element(next.begin(), next.begin() + width, next.end(),
                       [](const auto &a, const auto &b) {
                         return a.first.end - a.second < b.first.end - b.second;
                       });
      next.resize(width);
    }
    if (next.empty())
      return dropped ? Answer::unknown : Answer::infeasible;
    layers.emplace_back();
    placedElements.clear();
    for (const auto &[partial, placed] : next) {
      layers.back().push_back(partial);
      placedElements.push_back(placed);
    }
  }
  readOrder(layers);
  return Answer::feasible;
}

void FreeOrderSearch::readOrder(const std::vector<std::vector<Partial>> &layers) {
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
