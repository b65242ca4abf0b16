#include "layout/RaggedPacking.h"

#include "layout/PackingPlacement.h"
#include "layout/PackingSearch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace vescale::layout {

namespace {

/// Searches to the end if the instance has at most this many tensors and candidate shards; up to
/// `exhaustivePlacements`. Larger instances stop after `quickPlacements`, some milliseconds.
constexpr size_t smallTensorCount = 12;
constexpr int64_t smallCandidateCount = 4096;
constexpr int64_t exhaustivePlacements = int64_t(1) << 26;
constexpr int64_t quickPlacements = 80000;
/// Partial packings that a layer keeps where the search cannot be exhaustive.
constexpr size_t narrowWidth = 32;

Status checkProblem(const PackingProblem &problem) {
  if (problem.devices < 1)
    return Status::error(fmt::format("devices must be at least 1, not {}", problem.devices));
  if (problem.alignment < 1)
    return Status::error(
        fmt::format("the collective's alignment must be at least 1, not {}", problem.alignment));
  int64_t elements = 0;
  for (const PackedTensor &tensor : problem.tensors) {
    if (tensor.elements < 0)
      return Status::error(fmt::format("tensor '{}': elements must not be negative, not {}",
                                       tensor.name, tensor.elements));
    if (tensor.granularity < 1)
      return Status::error(fmt::format("tensor '{}': granularity must be at least 1, not {}",
                                       tensor.name, tensor.granularity));
    if (tensor.alignment < 1)
      return Status::error(fmt::format("tensor '{}': alignment must be at least 1, not {}",
                                       tensor.name, tensor.alignment));
    for (int64_t size : {tensor.elements, tensor.granularity, tensor.alignment})
      if (size >= bufferLimit)
        return Status::error(
            fmt::format("tensor '{}': {} is not below 2^62 elements", tensor.name, size));
    if (elements += tensor.elements; elements >= bufferLimit)
      return Status::error(fmt::format("tensor '{}': the tensors up to here have {} elements, "
                                       "which is not below 2^62",
                                       tensor.name, elements));
  }
  return Status();
}

/// The orders that the quick answer tries: as given, coarse blocks first, long tensors first, long
/// tensors last.
std::vector<std::vector<int>> quickOrders(const PackingProblem &problem) {
  std::vector<int> given(problem.tensors.size());
  std::iota(given.begin(), given.end(), 0);
  std::vector<std::vector<int>> orders = {given};
  if (problem.order == PackingOrder::given)
    return orders;
  auto sorted = [&](auto key) {
    std::vector<int> order = given;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return key(problem.tensors[a]) < key(problem.tensors[b]);
    });
    orders.push_back(order);
  };
  sorted([](const PackedTensor &tensor) { return -tensor.granularity; });
  sorted([](const PackedTensor &tensor) { return -tensor.elements; });
  sorted([](const PackedTensor &tensor) { return tensor.elements; });
  return orders;
}

/// The search for one problem: keeps the best packing so far and the proven bound.
class Packer {
public:
  explicit Packer(const PackingProblem &problem) : problem(problem), candidates(problem) {}

  StatusOr<PackingResult> run();

private:
  /// Keeps the packing with this order and shard if there is one; says whether there is.
  bool tryOrder(const std::vector<int> &order, ShardTrial &trial);
  /// A good packing fast: for each set of longest tensors that shall hold whole shards, bisects
  /// over the multiples of their step (the heuristic of arXiv 2602.22437).
  void searchQuickly();
  using Answer = FreeOrderSearch::Answer;
  /// Asks `fits` about the candidates from the bound upwards until one fits, none can be better
  /// than the best packing, or `limit` placements were tried. With `proves`, the bound rises as far
  /// as all candidates were refuted.
  template <class Fits> void ascend(int64_t limit, bool proves, Fits fits);
  /// Ascends in the given order, or in the quick orders and then in all.
  void searchExactly();
  int64_t placementLimit() const;

  const PackingProblem &problem;
  ShardCandidates candidates;
  PackingResult best;
  bool anyFound = false;
  int64_t largestShard = 0;
};

bool Packer::tryOrder(const std::vector<int> &order, ShardTrial &trial) {
  auto starts = placeInOrder(problem, order, trial, best.placementsTried);
  if (!starts)
    return false;
  if (!anyFound || trial.shard < best.shardElements) {
    anyFound = true;
    best.shardElements = trial.shard;
    best.starts = *std::move(starts);
    best.order = order;
  }
  return true;
}

void Packer::searchQuickly() {
  int64_t bound = best.provenBound;
  for (const std::vector<int> &order : quickOrders(problem)) {
    ShardTrial atBound = {bound, problem.devices};
    if (tryOrder(order, atBound))
      return;
    int64_t previousStep = 0;
    for (int64_t step : candidates.prefixSteps()) {
      if (step == previousStep || step > largestShard)
        continue;
      previousStep = step;
      // Invariant: `low` multiples do not fit (or lie below the bound), `high` do or are too many.
      int64_t low = (bound - 1) / step;
      int64_t high = (anyFound ? best.shardElements : largestShard) / step + 1;
      while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        ShardTrial atMiddle = {middle * step, problem.devices};
        (tryOrder(order, atMiddle) ? high : low) = middle;
      }
    }
  }
}

int64_t Packer::placementLimit() const {
  if (problem.placementLimit > 0)
    return problem.placementLimit;
  bool small = problem.tensors.size() <= smallTensorCount &&
               (best.shardElements - best.provenBound) / problem.alignment <= smallCandidateCount;
  return small ? exhaustivePlacements : quickPlacements;
}

template <class Fits> void Packer::ascend(int64_t limit, bool proves, Fits fits) {
  // While every candidate so far was refuted, the bound rises with the candidate.
  for (int64_t shard = best.provenBound; best.placementsTried < limit;) {
    bool beatsBest = !anyFound || shard < best.shardElements;
    if (proves)
      best.provenBound = beatsBest ? shard : best.shardElements;
    if (!beatsBest || shard > largestShard)
      return;
    ShardTrial trial = {shard, problem.devices};
    Answer answer = fits(trial);
    if (answer == Answer::feasible)
      return;
    proves &= answer == Answer::infeasible;
    shard = candidates.next(trial.change);
  }
}

void Packer::searchExactly() {
  bool isFree = problem.order == PackingOrder::free;
  int64_t limit = placementLimit();
  for (const std::vector<int> &order : quickOrders(problem))
    ascend(isFree ? std::min(limit, best.placementsTried + limit / 16) : limit, !isFree,
           [&](ShardTrial &trial) {
             return tryOrder(order, trial) ? Answer::feasible : Answer::infeasible;
           });
  FreeOrderSearch search(problem);
  if (!isFree || !search.possible())
    return;
  size_t width = limit > quickPlacements ? SIZE_MAX : narrowWidth;
  ascend(limit, true, [&](ShardTrial &trial) {
    Answer answer = search.search(trial, width, limit, best.placementsTried);
    if (answer == Answer::feasible)
      tryOrder(search.order(), trial);
    return answer;
  });
}

StatusOr<PackingResult> Packer::run() {
  int64_t elements = 0;
  for (const PackedTensor &tensor : problem.tensors)
    elements += tensor.elements;
  best.order.resize(problem.tensors.size());
  std::iota(best.order.begin(), best.order.end(), 0);
  best.starts.resize(problem.tensors.size());
  if (elements == 0)
    return best;

  largestShard = (bufferLimit - 1) / problem.devices;
  best.provenBound = candidates.bound();
  if (best.provenBound <= largestShard) {
    searchQuickly();
    searchExactly();
  }
  if (!anyFound)
    return Status::error(fmt::format(
        "no buffer below 2^62 elements holds these tensors in {} equal shards that are a multiple "
        "of {}",
        problem.devices, problem.alignment));
  best.paddingElements = best.shardElements * problem.devices - elements;
  best.padding = static_cast<double>(best.paddingElements) / elements;
  best.gap = static_cast<double>(best.shardElements - best.provenBound) / best.provenBound;
  return best;
}

} // namespace

StatusOr<PackingResult> packTensors(const PackingProblem &problem) {
  if (Status status = checkProblem(problem); !status.ok())
    return status;
  return Packer(problem).run();
}

RunLengths packedUnits(const PackingProblem &problem, const PackingResult &result, int tensor) {
  const auto &[name, elements, granularity, alignment] = problem.tensors[tensor];
  int64_t start = result.starts[tensor], shard = result.shardElements;
  if (elements == 0)
    return RunLengths({RunLengths::Run{0, problem.devices}});
  std::vector<RunLengths::Run> runs = {{0, start / shard}};
  for (int64_t from = 0; from < elements;) {
    // Whole shards in the middle of a tensor are one run.
    int64_t room = shard - (start + from) % shard;
    int64_t shards = room == shard ? std::max((elements - from) / shard, int64_t(1)) : 1;
    int64_t length = std::min(room, elements - from);
    runs.push_back({divideUp(length, granularity), shards});
    from += length * shards;
  }
  runs.push_back({0, problem.devices - divideUp(start + elements, shard)});
  return RunLengths(runs);
}

Status checkPacking(const PackingProblem &problem, const PackingResult &result) {
  size_t count = problem.tensors.size();
  int64_t shard = result.shardElements;
  if (shard % problem.alignment)
    return Status::error(
        fmt::format("shards of {} elements are not a multiple of {}", shard, problem.alignment));
  std::vector<int> order = result.order;
  if (problem.order == PackingOrder::given && !std::is_sorted(order.begin(), order.end()))
    return Status::error("the tensors do not lie in the given order");
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < std::max(count, order.size()); ++i)
    if (i >= count || i >= order.size() || order[i] != static_cast<int>(i))
      return Status::error("the order does not name each tensor once");
  if (result.starts.size() != count)
    return Status::error(fmt::format("{} starts for {} tensors", result.starts.size(), count));

  int64_t position = 0;
  for (int index : result.order) {
    const PackedTensor &tensor = problem.tensors[index];
    int64_t start = result.starts[index], end = start + tensor.elements;
    if (tensor.elements == 0)
      continue;
    if (start % tensor.alignment)
      return Status::error(fmt::format("tensor '{}' starts at {}, which is not a multiple of {}",
                                       tensor.name, start, tensor.alignment));
    if (start < position || end > shard * problem.devices)
      return Status::error(fmt::format("tensor '{}' lies at [{}, {}), outside [{}, {})",
                                       tensor.name, start, end, position, shard * problem.devices));
    for (int64_t border = (start / shard + 1) * shard; border < end; border += shard)
      if ((border - start) % tensor.granularity)
        return Status::error(fmt::format("tensor '{}' at {} is cut at {}, inside a block of {}",
                                         tensor.name, start, border, tensor.granularity));
    position = end;
  }
  return Status();
}

} // namespace vescale::layout
