//===- PackingSplitTest.cpp - Several buffers against all divisions and one buffer -----------===//
#include "layout/PackingSplit.h"

#include "bench/layout/ModelTensors.h"
#include "tests/unit/layout/Generators.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace vescale::layout {
namespace {

/// Checks that the buffers hold each tensor once and obey all constraints.
SplitPacking split(const PackingProblem &problem, size_t maxBuffers) {
  StatusOr<SplitPacking> result = packIntoBuffers(problem, maxBuffers);
  EXPECT_TRUE(result.ok()) << result.message();
  EXPECT_LE(result->buffers.size(), maxBuffers);
  std::vector<int> times(problem.tensors.size());
  int64_t padding = 0, elements = 0;
  for (const PackedBuffer &buffer : result->buffers) {
    Status valid = checkPacking(buffer.problem, buffer.packing);
    EXPECT_TRUE(valid.ok()) << valid.message();
    EXPECT_TRUE(std::is_sorted(buffer.tensors.begin(), buffer.tensors.end()));
    padding += buffer.packing.shardElements * problem.devices;
    for (size_t i = 0; i < buffer.tensors.size(); ++i) {
      ++times[buffer.tensors[i]];
      EXPECT_EQ(buffer.problem.tensors[i].name, problem.tensors[buffer.tensors[i]].name);
      elements += buffer.problem.tensors[i].elements;
    }
  }
  EXPECT_EQ(times, std::vector<int>(problem.tensors.size(), 1));
  EXPECT_EQ(result->paddingElements, padding - elements);
  EXPECT_DOUBLE_EQ(result->padding, double(padding - elements) / elements);
  return *result;
}

/// The least padding over all divisions of the tensors among this many buffers.
int64_t leastPadding(const PackingProblem &problem, size_t buffers) {
  int64_t least = std::numeric_limits<int64_t>::max();
  size_t divisions = 1;
  for (size_t i = 0; i < problem.tensors.size(); ++i)
    divisions *= buffers;
  for (size_t division = 0; division < divisions; ++division) {
    std::vector<PackingProblem> parts(buffers, problem);
    for (PackingProblem &part : parts)
      part.tensors.clear();
    size_t rest = division;
    for (const PackedTensor &tensor : problem.tensors) {
      parts[rest % buffers].tensors.push_back(tensor);
      rest /= buffers;
    }
    int64_t padding = 0;
    for (const PackingProblem &part : parts)
      padding += packTensors(part)->paddingElements;
    least = std::min(least, padding);
  }
  return least;
}

TEST(PackingSplit, ComesCloseToTheBestDivision) {
  int instances = 0, best = 0;
  EXPECT_TRUE(rc::check([&] {
    PackingProblem problem;
    problem.devices = arbitraryInteger(2, 8);
    problem.tensors.resize(arbitraryInteger(1, 5));
    for (PackedTensor &tensor : problem.tensors) {
      tensor.name = std::to_string(&tensor - problem.tensors.data());
      tensor.elements = arbitraryInteger(1, 200);
      tensor.granularity = arbitraryInteger(1, 20);
    }
    int64_t found = split(problem, 2).paddingElements, least = leastPadding(problem, 2);
    RC_ASSERT(found >= least);
    RC_ASSERT(found <= packTensors(problem)->paddingElements);
    ++instances;
    best += found == least;
  }));
  EXPECT_GE(best, instances * 8 / 10);
}

TEST(PackingSplit, SeparatesBlocksThatDoNotFitOneShardSize) {
  // 12 elements a device. In one buffer b holds whole shards below 28, so S is 14 or 21; at 14 a
  // would hold whole shards as well, which wants multiples of 35.
  PackingProblem problem;
  problem.devices = 8;
  problem.tensors = {{"a", 40, 5, 1}, {"b", 56, 7, 1}};
  EXPECT_EQ(packTensors(problem)->shardElements, 21);
  SplitPacking apart = split(problem, 2);
  ASSERT_EQ(apart.buffers.size(), 2u);
  EXPECT_EQ(apart.paddingElements, 0);
}

TEST(PackingSplit, OneBufferIsThePackingItself) {
  PackingProblem problem;
  problem.devices = 4;
  problem.tensors = {{"a", 12, 4, 1}, {"b", 12, 4, 1}};
  SplitPacking one = split(problem, 1);
  ASSERT_EQ(one.buffers.size(), 1u);
  EXPECT_EQ(one.buffers[0].packing.shardElements, 8);
  EXPECT_EQ(one.buffers[0].packing.starts, (std::vector<int64_t>{0, 12}));
}

TEST(PackingSplit, RefusesWrongInput) {
  PackingProblem problem;
  problem.tensors = {{"a", 12, 0, 1}};
  EXPECT_EQ(packIntoBuffers(problem, 2).message(),
            "tensor 'a': granularity must be at least 1, not 0");
  EXPECT_EQ(packIntoBuffers({}, 0).message(), "at least one buffer is needed");
}

TEST(PackingSplit, KeepsPublishedModelsBelowThreePercentWithBlocksInAllTensors) {
  // One buffer of 1,024 shards needs 54 % (DeepSeek-V3) and 87 % (GPT-OSS) for blocks of 16 rows.
  for (int64_t rows : {1, 16})
    for (int64_t devices : {8, 16, 32, 64, 128, 256, 512, 1024})
      for (const auto &groups : {bench::deepSeekV3(), bench::gptOss120B()}) {
        double elements = 0, padding = 0;
        for (const bench::TensorGroup &group : groups) {
          PackingProblem problem =
              bench::packingProblem(group, rows, bench::BlockedTensors::all, devices);
          for (const PackedTensor &tensor : problem.tensors)
            elements += double(group.count) * tensor.elements;
          padding += double(group.count) * split(problem, 3).paddingElements;
        }
        EXPECT_LT(padding / elements, 0.03) << rows << " rows, " << devices << " devices";
      }
}

TEST(PackingSplit, KeepsExpertsInBlocksOfManyRowsAtThePublishedPadding) {
  // One buffer of 1,024 shards of DeepSeek-V3 needs 14 % in any order, which is proven; published
  // is mostly below 3 % (arXiv 2602.22437, figure 11). Gate and up apart from down need nothing.
  for (const bench::TensorGroup &group : bench::deepSeekV3()) {
    PackingProblem problem =
        bench::packingProblem(group, 128, bench::BlockedTensors::experts, 1024);
    problem.order = PackingOrder::free;
    EXPECT_TRUE(split(problem, 1).buffers[0].packing.optimal()) << group.name;
  }
  for (int64_t devices : {8, 64, 128, 256, 512, 1024})
    for (const auto &[groups, most] :
         {std::pair(bench::deepSeekV3(), 0.001), std::pair(bench::gptOss120B(), 0.06)}) {
      double elements = 0, padding = 0;
      for (const bench::TensorGroup &group : groups) {
        PackingProblem problem =
            bench::packingProblem(group, 128, bench::BlockedTensors::experts, devices);
        for (const PackedTensor &tensor : problem.tensors)
          elements += double(group.count) * tensor.elements;
        padding += double(group.count) * split(problem, 3).paddingElements;
      }
      EXPECT_LT(padding / elements, most) << devices << " devices";
    }
}

} // namespace
} // namespace vescale::layout
