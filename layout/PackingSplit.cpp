#include "layout/PackingSplit.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

namespace vescale::layout {

namespace {

/// Placements for each packing that the local search compares.
constexpr int64_t comparedPlacements = 1000;

PackingProblem partOf(const PackingProblem &problem, const std::vector<int> &tensors) {
  PackingProblem part = problem;
  part.tensors.clear();
  for (int tensor : tensors)
    part.tensors.push_back(problem.tensors[tensor]);
  return part;
}

int64_t elementsOf(const PackingProblem &problem) {
  int64_t elements = 0;
  for (const PackedTensor &tensor : problem.tensors)
    elements += tensor.elements;
  return elements;
}

SplitPacking wholeBuffer(const PackingProblem &problem, const PackingResult &packing) {
  std::vector<int> all(problem.tensors.size());
  std::iota(all.begin(), all.end(), 0);
  return {{{all, problem, packing}}, packing.paddingElements, packing.padding};
}

/// The local search: which tensors lie in which buffer.
class Splitter {
public:
  Splitter(const PackingProblem &problem, size_t maxBuffers)
      : problem(problem), buffers(maxBuffers), shards(maxBuffers) {
    for (size_t i = 0; i < problem.tensors.size(); ++i)
      buffers[0].push_back(i);
    shards[0] = shardOf(buffers[0]);
  }

  /// Makes the best move; false if none saves anything.
  bool improve();
  std::vector<std::vector<int>> result() const { return buffers; }

private:
  struct Move {
    std::vector<int> tensors;
    size_t from, to;
  };

  std::vector<Move> moves() const;
  /// S of a buffer with these tensors; a value that no move accepts if they cannot be packed.
  int64_t shardOf(const std::vector<int> &tensors) const;

  const PackingProblem &problem;
  std::vector<std::vector<int>> buffers;
  std::vector<int64_t> shards;
};

int64_t Splitter::shardOf(const std::vector<int> &tensors) const {
  PackingProblem part = partOf(problem, tensors);
  part.placementLimit = comparedPlacements;
  StatusOr<PackingResult> result = packTensors(part);
  return result.ok() ? result->shardElements : std::numeric_limits<int64_t>::max() / 4;
}

std::vector<Splitter::Move> Splitter::moves() const {
  std::vector<Move> all;
  for (size_t from = 0; from < buffers.size(); ++from) {
    std::set<std::vector<int>> movable;
    for (int tensor : buffers[from]) {
      movable.insert({tensor});
      std::vector<int> alike;
      for (int other : buffers[from])
        if (problem.tensors[other].granularity == problem.tensors[tensor].granularity)
          alike.push_back(other);
      movable.insert(alike);
    }
    bool triedEmpty = false;
    for (size_t to = 0; to < buffers.size(); ++to) {
      // All empty buffers are alike.
      bool skip = to == from || (buffers[to].empty() && triedEmpty);
      triedEmpty |= buffers[to].empty();
      if (!skip)
        for (const std::vector<int> &tensors : movable)
          all.push_back({tensors, from, to});
    }
  }
  return all;
}

bool Splitter::improve() {
  int64_t bestSaving = 0;
  std::vector<std::vector<int>> bestBuffers;
  std::vector<int64_t> bestShards;
  for (const Move &move : moves()) {
    std::vector<int> left, joined;
    std::set_difference(buffers[move.from].begin(), buffers[move.from].end(), move.tensors.begin(),
                        move.tensors.end(), std::back_inserter(left));
    std::set_union(buffers[move.to].begin(), buffers[move.to].end(), move.tensors.begin(),
                   move.tensors.end(), std::back_inserter(joined));
    int64_t leftShard = shardOf(left), joinedShard = shardOf(joined);
    int64_t saving = shards[move.from] + shards[move.to] - leftShard - joinedShard;
    if (saving <= bestSaving)
      continue;
    bestSaving = saving;
    bestBuffers = buffers;
    bestBuffers[move.from] = left;
    bestBuffers[move.to] = joined;
    bestShards = shards;
    bestShards[move.from] = leftShard;
    bestShards[move.to] = joinedShard;
  }
  if (bestSaving == 0)
    return false;
  buffers = std::move(bestBuffers);
  shards = std::move(bestShards);
  return true;
}

} // namespace

StatusOr<SplitPacking> packIntoBuffers(const PackingProblem &problem, size_t maxBuffers) {
  if (maxBuffers < 1)
    return Status::error("at least one buffer is needed");
  // Refuses wrong numbers before anything is moved.
  StatusOr<PackingResult> whole = packTensors(problem);
  if (!whole.ok())
    return whole.status();

  SplitPacking split = wholeBuffer(problem, *whole);
  if (maxBuffers == 1)
    return split;
  Splitter splitter(problem, maxBuffers);
  while (splitter.improve())
    continue;
  SplitPacking apart;
  for (const std::vector<int> &tensors : splitter.result()) {
    if (tensors.empty())
      continue;
    PackingProblem part = partOf(problem, tensors);
    StatusOr<PackingResult> packing = packTensors(part);
    if (!packing.ok())
      return packing.status();
    apart.paddingElements += packing->paddingElements;
    apart.buffers.push_back({tensors, std::move(part), *std::move(packing)});
  }
  // What the full search finds for one buffer may beat what the short ones promised for several.
  if (apart.paddingElements < split.paddingElements) {
    split = std::move(apart);
    split.padding = static_cast<double>(split.paddingElements) / elementsOf(problem);
  }
  return split;
}

} // namespace vescale::layout
