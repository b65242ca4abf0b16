//===- PackingPlacementTest.cpp - Starts, candidates and what a failed trial proves ----------===//
#include "layout/PackingPlacement.h"

#include "layout/PackingSearch.h"
#include "tests/unit/layout/Generators.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace vescale::layout {
namespace {

std::optional<int64_t> startAt(const PackedTensor &tensor, int64_t position, int64_t shard,
                               int64_t devices) {
  ShardTrial trial = {shard, devices};
  std::optional<BufferPoint> start = earliestStart(tensor, {0, position}, trial);
  if (!start)
    return std::nullopt;
  return start->at(shard);
}

/// The earliest start by trying all.
std::optional<int64_t> startByTrying(const PackedTensor &tensor, int64_t position, int64_t shard,
                                     int64_t devices) {
  for (int64_t start = position; start + tensor.elements <= shard * devices; ++start) {
    bool legal = start % tensor.alignment == 0;
    for (int64_t border = 0; border < start + tensor.elements; border += shard)
      legal &= border <= start || (border - start) % tensor.granularity == 0;
    if (legal)
      return start;
  }
  return std::nullopt;
}

RC_GTEST_PROP(PackingPlacement, TheEarliestStartIsTheOneThatTryingAllFinds, ()) {
  int64_t shard = arbitraryInteger(1, 14), position = arbitraryInteger(0, 2 * shard);
  PackedTensor tensor = {"t", arbitraryInteger(1, 30), arbitraryInteger(1, 12),
                         arbitraryInteger(1, 6)};
  if (arbitraryInteger(0, 5) == 0)
    tensor.granularity = 40;
  RC_ASSERT(startAt(tensor, position, shard, 7) == startByTrying(tensor, position, shard, 7));
}

/// Drawn inside a property.
PackingProblem arbitraryProblem(int64_t tensors, bool aligned) {
  PackingProblem problem;
  problem.devices = arbitraryInteger(1, 7);
  problem.alignment = arbitraryInteger(1, 3);
  problem.tensors.resize(arbitraryInteger(1, tensors));
  for (PackedTensor &tensor : problem.tensors)
    tensor = {"t", arbitraryInteger(0, 40), arbitraryInteger(1, 12),
              aligned ? arbitraryInteger(1, 3) : 1};
  return problem;
}

int64_t elementsOf(const PackingProblem &problem) {
  int64_t elements = 0;
  for (const PackedTensor &tensor : problem.tensors)
    elements += tensor.elements;
  return elements;
}

TEST(PackingPlacement, NoShardThatIsSkippedFits) {
  int skipped = 0;
  EXPECT_TRUE(rc::check([&] {
    PackingProblem problem = arbitraryProblem(4, /*aligned=*/false);
    RC_PRE(elementsOf(problem) > 0);
    ShardCandidates candidates(problem);
    FreeOrderSearch search(problem);
    int64_t placements = 0;
    int64_t last = 2 * elementsOf(problem) + problem.alignment;
    for (int64_t shard = 1; shard <= last; ++shard) {
      if (candidates.next(shard) == shard || shard % problem.alignment)
        continue;
      ++skipped;
      ShardTrial trial = {shard, problem.devices};
      RC_ASSERT(search.search(trial, SIZE_MAX, INT64_MAX, placements) ==
                FreeOrderSearch::Answer::infeasible);
    }
  }));
  EXPECT_GT(skipped, 1000);
}

TEST(PackingPlacement, CandidatesAreMultiplesOfWhatWholeShardsNeed) {
  PackingProblem problem;
  problem.devices = 8;
  problem.alignment = 2;
  problem.tensors = {{"a", 400, 12, 1}, {"b", 300, 18, 1}, {"c", 10, 7, 1}};
  ShardCandidates candidates(problem);
  // 89 elements a device; a and b hold whole shards below 150, so 36 divides S: 108 is the first.
  EXPECT_EQ(candidates.bound(), 108);
  EXPECT_EQ(candidates.next(109), 144);
  // From 150 on only a does: 156 = 13 * 12, but b needs e <= floor(S / 18) * 18 + S: it does.
  EXPECT_EQ(candidates.next(145), 156);
  EXPECT_EQ(candidates.prefixSteps(), (std::vector<int64_t>{2, 12, 36, 252}));
}

/// A failed trial says up to which shard every other one fails alike; checks each of them. Called
/// inside a property.
template <class Search> void checkChange(const PackingProblem &problem, Search fits) {
  int64_t last = 2 * elementsOf(problem) + 2;
  for (int64_t shard = 1; shard <= last; ++shard) {
    ShardTrial trial = {shard, problem.devices};
    if (fits(trial))
      continue;
    RC_ASSERT(trial.change > shard);
    for (int64_t skipped = shard + 1; skipped < std::min(trial.change, last); ++skipped) {
      ShardTrial other = {skipped, problem.devices};
      RC_LOG() << "shard " << skipped << " fits but " << shard << " skipped it\n";
      RC_ASSERT_FALSE(fits(other));
    }
  }
}

RC_GTEST_PROP(PackingPlacement, ATrialInOneOrderSkipsNoShardThatFits, ()) {
  PackingProblem problem = arbitraryProblem(6, arbitraryInteger(0, 1) == 1);
  std::vector<int> order(problem.tensors.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t placements = 0;
  checkChange(problem, [&](ShardTrial &trial) {
    return placeInOrder(problem, order, trial, placements).has_value();
  });
}

RC_GTEST_PROP(PackingPlacement, ATrialOfAllOrdersSkipsNoShardThatFits, ()) {
  PackingProblem problem = arbitraryProblem(5, /*aligned=*/false);
  FreeOrderSearch search(problem);
  int64_t placements = 0;
  checkChange(problem, [&](ShardTrial &trial) {
    return search.search(trial, SIZE_MAX, INT64_MAX, placements) ==
           FreeOrderSearch::Answer::feasible;
  });
}

TEST(PackingPlacement, ANarrowSearchDoesNotClaimAProof) {
  // Width 1 keeps one partial packing; where it drops others, "no" must become "unknown".
  int unknown = 0;
  EXPECT_TRUE(rc::check([&] {
    PackingProblem problem = arbitraryProblem(6, /*aligned=*/false);
    FreeOrderSearch search(problem);
    int64_t placements = 0;
    for (int64_t shard = 1; shard <= elementsOf(problem); ++shard) {
      ShardTrial wide = {shard, problem.devices}, narrow = wide;
      auto truth = search.search(wide, SIZE_MAX, INT64_MAX, placements);
      auto answer = search.search(narrow, 1, INT64_MAX, placements);
      RC_ASSERT(truth != FreeOrderSearch::Answer::unknown);
      unknown += answer == FreeOrderSearch::Answer::unknown;
      RC_ASSERT(answer == FreeOrderSearch::Answer::unknown || answer == truth);
    }
  }));
  EXPECT_GT(unknown, 0);
}

} // namespace
} // namespace vescale::layout
