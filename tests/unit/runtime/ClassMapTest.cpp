//===- ClassMapTest.cpp - The map agrees with the classes -----------------===//

#include "runtime/format/ClassMap.h"
#include "runtime/format/Verify.h"

#include <gtest/gtest.h>

using namespace vescale::runtime;
using vescale::layout::Layout;
using vescale::layout::Mesh;
using vescale::layout::PlacedTensor;
using vescale::layout::RankClasses;

namespace {

ClassMap mapOf(const std::string &meshText,
               const std::vector<std::pair<std::string, std::vector<int64_t>>> &tensors) {
  Mesh mesh = *Mesh::parse(meshText);
  std::vector<PlacedTensor> placed;
  for (const auto &[text, shape] : tensors)
    placed.push_back({*Layout::parse(mesh, text), shape});
  auto classes = RankClasses::get(mesh, placed);
  EXPECT_TRUE(classes.ok()) << classes.message();
  Schedule schedule;
  schedule.meshes = {meshText};
  schedule.classMap = classMapOf(*classes);
  auto resolved = resolveLayouts(schedule);
  EXPECT_TRUE(resolved.ok()) << resolved.message();
  for (int64_t rank = 0; rank < mesh.numDevices(); ++rank)
    EXPECT_EQ(classOf(schedule, *resolved, rank), classes->classOf(resolved->coordinate(rank)))
        << "rank " << rank;
  return schedule.classMap;
}

TEST(ClassMap, EvenCutsNeedOneEntry) {
  ClassMap map = mapOf("dp=64,tp=16", {{R"([{"dp"}, {"tp"}])", {128, 32}}});
  EXPECT_EQ(map.classes, (std::vector<uint32_t>{0}));
  ASSERT_EQ(map.axes.size(), 2u);
  EXPECT_EQ(map.axes[0].lengths, (std::vector<uint32_t>{64}));
}

TEST(ClassMap, UnevenCutsNeedARunForEachKind) {
  // 10 over 8 is 2, 2, 2, 2, 2, 0, 0, 0.
  ClassMap map = mapOf("dp=2,tp=8", {{R"([{"tp"}])", {10}}});
  EXPECT_EQ(map.axes[1].lengths, (std::vector<uint32_t>{5, 3}));
  EXPECT_EQ(map.classes, (std::vector<uint32_t>{0, 1}));
}

TEST(ClassMap, SeveralTensorsAxesAndSubAxes) {
  mapOf("dp=3,tp=4", {{R"([{"tp"}, {"dp"}])", {10, 7}}, {R"([{"dp"}])", {4}}});
  mapOf("dp=2,tp=2", {{R"([{"tp", "dp"}])", {5}}});
  mapOf("x=8", {{R"([{"x":(1)2}, {"x":(4)2}])", {3, 5}}});
  mapOf("x=4, device_ids = [3, 1, 0, 2]", {{R"([{"x"}])", {5}}});
  mapOf("x=4", {{R"([{}, {}], ragged = {"x", dims = 2, units = [5, 7, 0, 12]})", {4, 6}}});
}

} // namespace
