//===- RankClassTest.cpp - Rank classes against all devices ----------------------------------===//
#include "Generators.h"

#include "layout/Parse.h"
#include "layout/RankClass.h"
#include "layout/Region.h"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

RC_GTEST_PROP(RankClass, devicesAreGroupedByAllLocalShapes, ()) {
  Mesh mesh = arbitraryMesh();
  std::vector<PlacedTensor> tensors;
  int64_t count = arbitraryInteger(0, 4);
  for (int64_t i = 0; i < count; ++i) {
    Shape shape = arbitraryShape();
    tensors.push_back({arbitraryLayout(mesh, shape), shape});
  }
  StatusOr<RankClasses> classes = RankClasses::get(mesh, tensors);
  RC_ASSERT(classes.ok());
  std::map<std::vector<Shape>, int64_t> expected;
  std::vector<int64_t> devices;
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    Coordinate coordinate = mesh.coordinate(p);
    std::vector<Shape> shapes;
    for (const PlacedTensor &tensor : tensors)
      shapes.push_back(localShape(tensor.layout, tensor.shape, coordinate));
    auto [known, isNew] = expected.emplace(shapes, expected.size());
    if (isNew) {
      devices.push_back(0);
      RC_ASSERT(known->second < classes->size());
      RC_ASSERT(classes->classes()[known->second].representative == coordinate);
    }
    ++devices[known->second];
    RC_ASSERT(classes->classOf(coordinate) == known->second);
  }
  RC_ASSERT(classes->size() == static_cast<int64_t>(expected.size()));
  for (size_t c = 0; c < devices.size(); ++c)
    RC_ASSERT(classes->classes()[c].devices == devices[c]);
}

TEST(RankClass, aSmallTableServesManyDevices) {
  Mesh mesh = *parseMesh("dp=128,tp=128");
  auto tensor = [&](const char *layout, Shape shape) {
    return PlacedTensor{*parseLayout(mesh, layout), shape};
  };
  StatusOr<RankClasses> even = RankClasses::get(
      mesh, {tensor("[{\"dp\"}, {\"tp\"}]", {256, 512}), tensor("[{\"dp\", \"tp\"}]", {32768})});
  EXPECT_EQ(even->size(), 1);
  EXPECT_EQ(even->classes()[0].devices, 16384);
  EXPECT_TRUE(even->ranges().empty());
  // 300 over 128: 100 full pieces of 3, then 28 empty ones; 129 over 128: 64 of 2, one of 1.
  StatusOr<RankClasses> uneven =
      RankClasses::get(mesh, {tensor("[{\"dp\"}, {\"tp\"}]", {300, 129})});
  EXPECT_EQ(uneven->size(), 6);
  EXPECT_EQ(uneven->table().size(), 6u);
  EXPECT_EQ(uneven->classes()[0].devices, 100 * 64);
  EXPECT_EQ(uneven->classOf({127, 127}), uneven->size() - 1);
}

TEST(RankClass, overlappingPartsOfOneAxisAreLookedAtIndexByIndex) {
  Mesh mesh = *parseMesh("x=12");
  auto tensor = [&](const char *layout) { return PlacedTensor{*parseLayout(mesh, layout), {5}}; };
  StatusOr<RankClasses> classes =
      RankClasses::get(mesh, {tensor("[{\"x\":(1)2}]"), tensor("[{\"x\":(1)3}]")});
  ASSERT_TRUE(classes.ok());
  ASSERT_EQ(classes->ranges().size(), 1u);
  EXPECT_EQ(classes->ranges()[0].starts.size(), 12u);
  EXPECT_EQ(classes->size(), 3) << "(3, 2), (2, 2), (2, 1)";
}

TEST(RankClass, illegalTensorsAreRefused) {
  Mesh mesh = *parseMesh("x=2");
  EXPECT_FALSE(RankClasses::get(mesh, {{*parseLayout(mesh, "[{\"x\" / 3}]"), {4}}}).ok());
  EXPECT_FALSE(RankClasses::get(*parseMesh("y=2"), {{*parseLayout(mesh, "[{}]"), {4}}}).ok());
}

} // namespace
