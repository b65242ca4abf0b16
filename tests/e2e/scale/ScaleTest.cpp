//===- ScaleTest.cpp - The work of each pass over layers and devices ----------------------------===//
//
// Times are for benchmarks. Here work is counted in allocations, which every pass makes for whatever it looks
// at, and which are the same in every run.
//
//===-----------------------------------------------------------------------------------------===//

#include "bench/compiler/PassCosts.h"
#include "bench/compiler/ScaleModel.h"
#include "tests/e2e/scale/CountAllocations.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <map>

using namespace vescale::bench;

namespace {

Compilation compile(int64_t layers, int64_t data, int64_t tensor, Sizes sizes) {
  ScalePlan plan(data, tensor, sizes);
  std::optional<Compilation> result = compileToSchedule(scaleModel(layers, sizes), plan.path(), allocations);
  EXPECT_TRUE(result);
  return result.value_or(Compilation());
}

std::map<std::string, double> byPass(const Compilation &compilation) {
  std::map<std::string, double> costs;
  for (const PassCost &one : compilation.passes)
    costs[one.pass] = one.cost;
  return costs;
}

/// What one more layer takes must not depend on how many there are.
TEST(Scale, workIsLinearInLayers) {
  Compilation few = compile(4, 4, 4, Sizes::even), more = compile(8, 4, 4, Sizes::even),
              most = compile(16, 4, 4, Sizes::even);
  std::map<std::string, double> a = byPass(few), b = byPass(more), c = byPass(most);
  for (const auto &[pass, cost] : c) {
    std::printf("%-28s %9.0f %9.0f %9.0f\n", pass.c_str(), a[pass], b[pass], cost);
    EXPECT_LE(cost - b[pass], 2 * 1.1 * (b[pass] - a[pass]) + 200) << pass;
  }
  // Sums over all parameters are cut into groups of bounded size, of which the last differs; a kernel of each layer
  // would be eight more.
  EXPECT_LE(most.kernels, more.kernels + 3);
}

/// The same program on more devices takes no more work in any pass than `most` times that on few.
void expectSameWork(const Compilation &few, const Compilation &many, double most) {
  std::map<std::string, double> a = byPass(few), b = byPass(many);
  for (const auto &[pass, cost] : b) {
    std::printf("%-28s %9.0f %9.0f\n", pass.c_str(), a[pass], cost);
    EXPECT_LE(cost, most * a[pass] + 200) << pass;
  }
  EXPECT_LE(many.cost, 1.05 * few.cost);
  // Parts that are of one size on a small mesh by chance may be of two on a large one.
  EXPECT_LE(static_cast<double>(many.kernels), 1.05 * static_cast<double>(few.kernels));
  EXPECT_LE(static_cast<double>(many.scheduleSize), 1.05 * static_cast<double>(few.scheduleSize));
}

TEST(Scale, workDoesNotDependOnDevices) {
  expectSameWork(compile(3, 4, 4, Sizes::even), compile(3, 128, 128, Sizes::even), 1.05);
}

TEST(Scale, workDoesNotDependOnDevicesWhereNothingDivides) {
  // Here a search for a redistribution may look at some ways more, as other sizes are.
  expectSameWork(compile(3, 32, 32, Sizes::uneven), compile(3, 128, 128, Sizes::uneven), 1.25);
}

} // namespace
