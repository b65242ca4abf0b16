//===- PublishedBoxesTest.cpp - The boxes of ragged shards in checkpoints --------------------===//
//
// The examples that veScale publishes for checkpoints of ragged tensors, box by box, and its limit
// on their number: 2^k - 1 that are not empty, for k flattened dims.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/Legality.h"
#include "layout/Parse.h"
#include "layout/Region.h"
#include "tests/unit/layout/Generators.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace vescale::layout {
namespace {

struct Published {
  const char *name;
  Shape shape;
  const char *layout;
  /// By rank.
  std::vector<std::vector<Box>> boxes;
};

void PrintTo(const Published &published, std::ostream *out) { *out << published.name; }

class PublishedBoxes : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedBoxes, areTheRegions) {
  Mesh mesh = *parseMesh("x=4");
  Layout layout = *parseLayout(mesh, GetParam().layout);
  for (int64_t rank = 0; rank < mesh.numDevices(); ++rank)
    EXPECT_EQ(region(layout, GetParam().shape, {rank}), GetParam().boxes[rank]) << "rank " << rank;
}

INSTANTIATE_TEST_SUITE_P(
    Region, PublishedBoxes,
    ::testing::Values(
        Published{
            "twoDims",
            {4, 6},
            R"([{}, {}], ragged = {"x", dims = 2, units = [5, 7, 0, 12]})",
            {{{{0, 0}, {1, 5}}}, {{{0, 5}, {1, 1}}, {{1, 0}, {1, 6}}}, {}, {{{2, 0}, {2, 6}}}}},
        Published{"aPrefixOfFourDims",
                  {5, 3, 6, 7},
                  R"([{}, {}, {}, {}], ragged = {"x", dims = 2, units = [3, 7, 4, 1]})",
                  {{{{0, 0, 0, 0}, {1, 3, 6, 7}}},
                   {{{1, 0, 0, 0}, {2, 3, 6, 7}}, {{3, 0, 0, 0}, {1, 1, 6, 7}}},
                   {{{3, 1, 0, 0}, {1, 2, 6, 7}}, {{4, 0, 0, 0}, {1, 2, 6, 7}}},
                   {{{4, 2, 0, 0}, {1, 1, 6, 7}}}}},
        Published{"allOfThreeDims",
                  {3, 4, 5},
                  R"([{}, {}, {}], ragged = {"x", dims = 3, units = [7, 20, 3, 30]})",
                  {{{{0, 0, 0}, {1, 1, 5}}, {{0, 1, 0}, {1, 1, 2}}},
                   {{{0, 1, 2}, {1, 1, 3}},
                    {{0, 2, 0}, {1, 2, 5}},
                    {{1, 0, 0}, {1, 1, 5}},
                    {{1, 1, 0}, {1, 1, 2}}},
                   {{{1, 1, 2}, {1, 1, 3}}},
                   {{{1, 2, 0}, {1, 2, 5}}, {{2, 0, 0}, {1, 4, 5}}}}}),
    [](const auto &info) { return info.param.name; });

RC_GTEST_PROP(BoxesOfRaggedShards, areNeverMoreThanThePublishedLimit, ()) {
  Shape shape(arbitraryInteger(1, 4));
  for (int64_t &size : shape)
    size = arbitraryInteger(1, 6);
  int dims = static_cast<int>(arbitraryInteger(1, static_cast<int64_t>(shape.size())));
  int64_t length = 1;
  for (int d = 0; d < dims; ++d)
    length *= shape[d];
  // Any three borders, so that shards may be empty.
  std::vector<int64_t> borders = {0, length};
  for (int i = 0; i < 3; ++i)
    borders.push_back(arbitraryInteger(0, length));
  std::sort(borders.begin(), borders.end());
  std::vector<int64_t> units;
  for (int i = 0; i < 4; ++i)
    units.push_back(borders[i + 1] - borders[i]);
  Mesh mesh = *parseMesh("x=4");
  Layout layout = *Layout::get(mesh, std::vector<Dim>(shape.size()), std::nullopt,
                               Ragged{wholeAxis(mesh, 0), dims, RunLengths(units)});
  int64_t elements = 0;
  for (int64_t rank = 0; rank < mesh.numDevices(); ++rank) {
    std::vector<Box> boxes = region(layout, shape, {rank});
    RC_ASSERT(static_cast<int64_t>(boxes.size()) <= (int64_t(1) << dims) - 1);
    for (const Box &box : boxes)
      RC_ASSERT(box.elements() > 0);
    elements += elementCount(boxes);
  }
  RC_ASSERT(elements == elementCount(shape));
}

} // namespace
} // namespace vescale::layout
