//===- RedistributionPairsTest.cpp - Every plan executed on all ranks ------------------------===//
//
// For each mesh and shape, plans between pairs of legal layouts are executed with random values and
// must leave exactly the target's shards. A run takes a sample of the pairs, spread evenly; with
// ALL_PAIRS set it takes all of them.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/Parse.h"
#include "tests/unit/layout/redistribution/LayoutSets.h"
#include "tests/unit/layout/redistribution/PlanChecks.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace vescale::layout {
namespace {

constexpr int64_t elementBytes = 4;

struct Setting {
  const char *mesh;
  Shape shape;
};

void PrintTo(const Setting &setting, std::ostream *out) {
  *out << setting.mesh << " " << ::testing::PrintToString(setting.shape);
}

/// About this many pairs of each setting are planned.
int64_t sampleSize() { return std::getenv("ALL_PAIRS") ? int64_t(1) << 40 : 500; }

void checkPairs(const std::vector<Layout> &sources, const std::vector<Layout> &targets,
                const Shape &shape, bool oneMesh) {
  int64_t pairs = static_cast<int64_t>(sources.size() * targets.size());
  ASSERT_GT(pairs, 3);
  // An odd stride that does not divide the row length, so that all columns are met.
  int64_t stride = pairs / sampleSize();
  while (stride > 1 && targets.size() % stride == 0)
    ++stride;
  for (int64_t pair = 0; pair < pairs; pair += std::max<int64_t>(stride, 1)) {
    const Layout &from = sources[pair / targets.size()], &to = targets[pair % targets.size()];
    for (bool collectivesOnly : {false, true}) {
      if (collectivesOnly && !oneMesh)
        continue;
      RedistributionOptions options;
      options.collectivesOnly = collectivesOnly;
      auto plan = planRedistribution(from, to, shape, elementBytes, options);
      ASSERT_TRUE(plan.ok()) << plan.message();
      std::string wrong = checkPlan(*plan, from, to, shape, elementBytes);
      ASSERT_EQ(wrong, "") << from.str() << " to " << to.str()
                           << (collectivesOnly ? " with collectives\n" : "\n") << describe(*plan);
      if (collectivesOnly) {
        for (const Step &step : plan->steps())
          ASSERT_TRUE(step.kind != StepKind::exchange || step.bytes == 0) << describe(*plan);
      }
    }
  }
}

class PlainPairs : public ::testing::TestWithParam<Setting> {};

TEST_P(PlainPairs, plansLeaveExactlyTheTargetsShards) {
  Mesh mesh = *parseMesh(GetParam().mesh);
  std::vector<Layout> layouts = plainLayouts(mesh, GetParam().shape);
  checkPairs(layouts, layouts, GetParam().shape, true);
}

INSTANTIATE_TEST_SUITE_P(
    Redistribution, PlainPairs,
    ::testing::Values(Setting{"x=2,y=2,z=2", {8}}, Setting{"x=2,y=2,z=2", {6}},
                      Setting{"x=2,y=2,z=2", {4, 8}}, Setting{"x=2,y=2,z=2", {3, 5}},
                      Setting{"x=2,y=2,z=2", {2, 4, 8}}, Setting{"x=2,y=2,z=2", {3, 4, 5}},
                      Setting{"x=4,y=2", {8}}, Setting{"x=4,y=2", {10}}, Setting{"x=4,y=2", {8, 8}},
                      Setting{"x=4,y=2", {6, 5}}, Setting{"x=4,y=2", {4, 2, 8}},
                      Setting{"x=4,y=2", {5, 1, 3}}, Setting{"x=3,y=2", {6}},
                      Setting{"x=3,y=2", {12, 6}}, Setting{"x=3,y=2", {4, 7}},
                      Setting{"x=3,y=2", {6, 4, 3}}, Setting{"x=6", {12}}, Setting{"x=6", {7}},
                      Setting{"x=6", {12, 6}}, Setting{"x=6", {7, 6}}, Setting{"x=6", {6, 2, 6}}));

class SpecialPairs : public ::testing::TestWithParam<Setting> {};

TEST_P(SpecialPairs, plansLeaveExactlyTheTargetsShards) {
  Mesh mesh = *parseMesh(GetParam().mesh);
  std::vector<Layout> layouts = specialLayouts(mesh, GetParam().shape);
  checkPairs(layouts, layouts, GetParam().shape, true);
}

INSTANTIATE_TEST_SUITE_P(Redistribution, SpecialPairs,
                         ::testing::Values(Setting{"x=4,y=2", {24, 4}}, Setting{"x=3,y=2", {12, 7}},
                                           Setting{"x=2,y=2", {6, 4, 5}}, Setting{"x=6", {12, 6}},
                                           Setting{"x=1,y=3", {9, 2}}, Setting{"x=4", {17}}));

TEST(MeshPairs, plansBetweenMeshesLeaveExactlyTheTargetsShards) {
  auto mesh = [](std::vector<Axis> axes, std::vector<int64_t> devices) {
    return *Mesh::get(std::move(axes), std::move(devices));
  };
  Shape shape = {6, 4};
  std::vector<Mesh> meshes = {mesh({{"x", 2}, {"y", 2}}, {}),
                              mesh({{"x", 2}, {"y", 2}}, {3, 1, 0, 2}), mesh({{"a", 4}}, {}),
                              mesh({{"b", 2}}, {4, 5}), mesh({{"a", 3}}, {2, 3, 4})};
  for (const Mesh &from : meshes)
    for (const Mesh &to : meshes)
      if (from != to) {
        checkPairs(plainLayouts(from, shape), plainLayouts(to, shape), shape, false);
        checkPairs(specialLayouts(from, shape), specialLayouts(to, shape), shape, false);
      }
}

} // namespace
} // namespace vescale::layout
