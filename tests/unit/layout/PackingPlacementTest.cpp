//===- PackingPlacementTest.cpp - Starts, candidates and what a failed trial proves ----------===//
#include "layout/PackingPlacement.h"

#include "layout/PackingSearch.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

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

TEST(PackingPlacement, TheEarliestStartIsTheOneThatTryingAllFinds) {
  for (int64_t shard = 1; shard <= 14; ++shard)
    for (int64_t elements = 1; elements <= 30; elements += 1 + elements / 8)
      for (int64_t granularity : {1, 2, 3, 4, 6, 40})
        for (int64_t alignment : {1, 2, 3, 4, 6})
          for (int64_t position = 0; position <= 2 * shard; ++position) {
            PackedTensor tensor = {"t", elements, granularity, alignment};
            ASSERT_EQ(startAt(tensor, position, shard, 7),
                      startByTrying(tensor, position, shard, 7))
                << elements << " elements by " << granularity << ", aligned to " << alignment
                << ", from " << position << " in shards of " << shard;
          }
}

std::vector<PackingProblem> randomProblems(int count, size_t tensors, bool aligned) {
  std::mt19937 random(23);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  std::vector<PackingProblem> problems(count);
  for (PackingProblem &problem : problems) {
    problem.devices = pick(1, 7);
    problem.alignment = pick(1, 3);
    problem.tensors.resize(pick(1, tensors));
    for (PackedTensor &tensor : problem.tensors)
      tensor = {"t", pick(0, 40), pick(1, 12), aligned ? pick(1, 3) : 1};
  }
  return problems;
}

int64_t elementsOf(const PackingProblem &problem) {
  int64_t elements = 0;
  for (const PackedTensor &tensor : problem.tensors)
    elements += tensor.elements;
  return elements;
}

TEST(PackingPlacement, NoShardThatIsSkippedFits) {
  int skipped = 0;
  for (const PackingProblem &problem : randomProblems(400, 4, /*aligned=*/false)) {
    if (elementsOf(problem) == 0)
      continue;
    ShardCandidates candidates(problem);
    FreeOrderSearch search(problem);
    int64_t placements = 0;
    int64_t last = 2 * elementsOf(problem) + problem.alignment;
    for (int64_t shard = 1; shard <= last; ++shard) {
      if (candidates.next(shard) == shard || shard % problem.alignment)
        continue;
      ++skipped;
      ShardTrial trial = {shard, problem.devices};
      ASSERT_EQ(search.search(trial, SIZE_MAX, INT64_MAX, placements),
                FreeOrderSearch::Answer::infeasible)
          << "shard " << shard << " of " << problem.devices << " devices";
    }
  }
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

/// A failed trial says up to which shard every other one fails alike; checks each of them.
template <class Search> void checkChange(const PackingProblem &problem, Search fits) {
  int64_t last = 2 * elementsOf(problem) + 2;
  for (int64_t shard = 1; shard <= last; ++shard) {
    ShardTrial trial = {shard, problem.devices};
    if (fits(trial))
      continue;
    ASSERT_GT(trial.change, shard);
    for (int64_t skipped = shard + 1; skipped < std::min(trial.change, last); ++skipped) {
      ShardTrial other = {skipped, problem.devices};
      ASSERT_FALSE(fits(other)) << "shard " << skipped << " fits but " << shard << " skipped it";
    }
  }
}

TEST(PackingPlacement, ATrialInOneOrderSkipsNoShardThatFits) {
  for (bool aligned : {false, true})
    for (const PackingProblem &problem : randomProblems(600, 6, aligned)) {
      std::vector<int> order(problem.tensors.size());
      std::iota(order.begin(), order.end(), 0);
      int64_t placements = 0;
      checkChange(problem, [&](ShardTrial &trial) {
        return placeInOrder(problem, order, trial, placements).has_value();
      });
    }
}

TEST(PackingPlacement, ATrialOfAllOrdersSkipsNoShardThatFits) {
  for (const PackingProblem &problem : randomProblems(250, 5, /*aligned=*/false)) {
    FreeOrderSearch search(problem);
    int64_t placements = 0;
    checkChange(problem, [&](ShardTrial &trial) {
      return search.search(trial, SIZE_MAX, INT64_MAX, placements) ==
             FreeOrderSearch::Answer::feasible;
    });
  }
}

TEST(PackingPlacement, ANarrowSearchDoesNotClaimAProof) {
  // Width 1 keeps one partial packing; where it drops others, "no" must become "unknown".
  int unknown = 0;
  for (const PackingProblem &problem : randomProblems(200, 6, /*aligned=*/false)) {
    FreeOrderSearch search(problem);
    int64_t placements = 0;
    for (int64_t shard = 1; shard <= elementsOf(problem); ++shard) {
      ShardTrial wide = {shard, problem.devices}, narrow = wide;
      auto truth = search.search(wide, SIZE_MAX, INT64_MAX, placements);
      auto answer = search.search(narrow, 1, INT64_MAX, placements);
      ASSERT_NE(truth, FreeOrderSearch::Answer::unknown);
      unknown += answer == FreeOrderSearch::Answer::unknown;
      if (answer != FreeOrderSearch::Answer::unknown) {
        ASSERT_EQ(answer, truth);
      }
    }
  }
  EXPECT_GT(unknown, 0);
}

} // namespace
} // namespace vescale::layout
