//===- RegionTest.cpp - Regions, their inverse and their boxes -------------------------------===//
#include "Generators.h"
#include "NaiveRegion.h"

#include "layout/Legality.h"
#include "layout/Owner.h"
#include "layout/Parse.h"
#include "layout/Region.h"

#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>
#include <set>

using namespace vescale::layout;

namespace {

/// Row-major global indices in the order of the local array, from the pieces; -1 where no piece
/// covers a place. Fails where two cover one.
std::vector<int64_t> elementsOf(const Layout &layout, const Shape &shape,
                                const Coordinate &coordinate) {
  LocalRegion local = localRegion(layout, shape, coordinate);
  std::vector<int64_t> elements(localElements(layout, shape, coordinate), -1);
  for (const Piece &piece : local.pieces) {
    RC_ASSERT(piece.box.elements() > 0);
    for (int64_t i = 0; i < piece.box.elements(); ++i) {
      int64_t rest = i, place = piece.localOffset, global = 0;
      std::vector<int64_t> within(shape.size());
      for (size_t d = shape.size(); d-- > 0; rest /= piece.box.size[d])
        within[d] = rest % piece.box.size[d];
      for (size_t d = 0; d < shape.size(); ++d) {
        place += within[d] * local.strides[d];
        global = global * shape[d] + piece.box.offset[d] + within[d];
      }
      RC_ASSERT(elements.at(place) == -1);
      elements[place] = global;
    }
  }
  return elements;
}

/// Visits one device for each combination of indices along the sharding axes.
template <class Visit> void forEachShard(const Layout &layout, Visit &&visit) {
  for (int64_t p = 0; p < layout.mesh().numDevices(); ++p) {
    Coordinate coordinate = layout.mesh().coordinate(p);
    bool first = true;
    std::vector<SubAxis> sharding = layout.shardingAxes();
    for (int axis = 0; axis < layout.mesh().rank(); ++axis)
      for (const SubAxis &part : unusedParts(layout.mesh(), axis, sharding))
        first &= indexAlong(layout.mesh(), part, coordinate) == 0;
    if (first)
      visit(coordinate);
  }
}

RC_GTEST_PROP(Region, piecesAreTheElementsByTheDefinitionAtTheirPlaces, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout layout = arbitraryLayout(mesh, shape);
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    Coordinate coordinate = mesh.coordinate(p);
    RC_ASSERT(elementsOf(layout, shape, coordinate) == naiveElements(layout, shape, coordinate));
    Shape cut(shape.size());
    for (int d = 0; d < layout.rank(); ++d) {
      cut[d] = naiveDim(layout, shape, d, coordinate).size();
      RC_ASSERT(cutLength(layout, shape, d, coordinate) == cut[d]);
    }
    if (!layout.ragged())
      RC_ASSERT(localShape(layout, shape, coordinate) == cut);
    else
      RC_ASSERT(localShape(layout, shape, coordinate) ==
                Shape{static_cast<int64_t>(naiveElements(layout, shape, coordinate).size())});
  }
}

RC_GTEST_PROP(Region, regionsTileTheTensorAndLocalSizesAddUp, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout layout = arbitraryLayout(mesh, shape);
  std::set<int64_t> seen;
  int64_t elements = 0;
  forEachShard(layout, [&](const Coordinate &coordinate) {
    for (int64_t element : elementsOf(layout, shape, coordinate))
      RC_ASSERT(seen.insert(element).second);
    elements += localElements(layout, shape, coordinate);
  });
  RC_ASSERT(static_cast<int64_t>(seen.size()) == elementCount(shape));
  RC_ASSERT(elements == elementCount(shape));
}

RC_GTEST_PROP(Region, ownersAreTheDevicesWhoseRegionHasTheElement, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout layout = arbitraryLayout(mesh, shape);
  int64_t count = elementCount(shape);
  RC_PRE(count > 0);
  int64_t global = arbitraryInteger(0, count - 1), rest = global;
  Shape element(shape.size());
  for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
    element[d] = rest % shape[d];
  std::vector<int64_t> expected;
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    std::vector<int64_t> held = naiveElements(layout, shape, mesh.coordinate(p));
    if (std::find(held.begin(), held.end(), global) != held.end())
      expected.push_back(p);
  }
  RC_ASSERT(owners(layout, shape, element) == expected);
  RC_ASSERT(mesh.position(owner(layout, shape, element)) == expected.front());
}

RC_GTEST_PROP(Region, intervalsOfPlainDimsStandWhereTheirPieceEnds, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout layout = arbitraryLayout(mesh, shape);
  for (int d = 0; d < layout.rank(); ++d) {
    bool plain = true;
    for (const Cut &cut : layout.dim(d))
      plain &= cut.interleave == 1;
    for (int64_t p = 0; plain && p < mesh.numDevices(); ++p) {
      Coordinate coordinate = mesh.coordinate(p);
      std::vector<int64_t> held = naiveDim(layout, shape, d, coordinate);
      Interval own = dimInterval(layout, shape, d, coordinate);
      RC_ASSERT(own.length() == static_cast<int64_t>(held.size()));
      RC_ASSERT(own.begin >= 0 && own.end <= shape[d]);
      if (!held.empty())
        RC_ASSERT(own.begin == held.front());
    }
  }
}

RC_GTEST_PROP(Region, numbersOfBoxesAreBounded, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout layout = arbitraryLayout(mesh, shape);
  int64_t bound = 1;
  for (const Dim &dim : layout.dims())
    for (const Cut &cut : dim)
      bound *= cut.interleave;
  if (layout.ragged())
    bound *= std::max(1, 2 * layout.ragged()->dims - 1);
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    std::vector<Box> boxes = region(layout, shape, mesh.coordinate(p));
    RC_ASSERT(static_cast<int64_t>(boxes.size()) <= bound);
    if (naiveElements(layout, shape, mesh.coordinate(p)).empty())
      RC_ASSERT(boxes.empty());
  }
}

std::vector<Box> boxes(const char *mesh, const Shape &shape, const char *layout, int64_t position) {
  Mesh parsed = *parseMesh(mesh);
  StatusOr<Layout> placed = parseLayout(parsed, layout);
  EXPECT_TRUE(placed.ok()) << placed.message();
  EXPECT_TRUE(checkLegal(*placed, shape).ok()) << checkLegal(*placed, shape).message();
  return region(*placed, shape, parsed.coordinate(position));
}

std::vector<int64_t> lengths(const char *mesh, int64_t size, const char *layout) {
  Mesh parsed = *parseMesh(mesh);
  std::vector<int64_t> result;
  for (int64_t p = 0; p < parsed.numDevices(); ++p)
    result.push_back(localShape(*parseLayout(parsed, layout), {size}, parsed.coordinate(p))[0]);
  return result;
}

TEST(Region, chunkRuleOfTheDefinition) {
  EXPECT_EQ(lengths("x=8", 10, "[{\"x\"}]"), (std::vector<int64_t>{2, 2, 2, 2, 2, 0, 0, 0}));
  EXPECT_EQ(lengths("x=3", 32, "[{\"x\" by 8}]"), (std::vector<int64_t>{16, 16, 0}));
  EXPECT_EQ(lengths("tp=2,dp=2", 5, "[{\"tp\", \"dp\"}]"), (std::vector<int64_t>{2, 1, 1, 1}));
  EXPECT_EQ(lengths("x=4", 5, "[{\"x\"}]"), (std::vector<int64_t>{2, 2, 1, 0}));
  EXPECT_EQ(lengths("x=4", 5, "[{\"x\":(1)2, \"x\":(2)2}]"), (std::vector<int64_t>{2, 1, 1, 1}));
  Mesh mesh = *parseMesh("x=8");
  Layout layout = *parseLayout(mesh, "[{\"x\"}]");
  EXPECT_EQ(dimInterval(layout, {10}, 0, {7}), (Interval{10, 10})) << "empty: at the end";
}

TEST(Region, hugeSizesDoNotOverflow) {
  Mesh mesh = *parseMesh("x=4611686018427387904");
  int64_t size = std::numeric_limits<int64_t>::max();
  Layout layout = *parseLayout(mesh, "[{\"x\"}]");
  int64_t last = mesh.numDevices() - 1;
  EXPECT_EQ(dimInterval(layout, {size}, 0, {0}), (Interval{0, 2}));
  EXPECT_EQ(dimInterval(layout, {size}, 0, {last}), (Interval{size - 1, size}));
  EXPECT_EQ(dimInterval(layout, {1}, 0, {last}), (Interval{1, 1}));
  Layout block = *parseLayout(mesh, "[{\"x\" by 9223372036854775807}]");
  EXPECT_EQ(dimInterval(block, {7}, 0, {0}), (Interval{0, 7}));
  EXPECT_EQ(dimInterval(block, {7}, 0, {last}), (Interval{7, 7}));
}

TEST(Region, singleOwner) {
  const char *layout = "[{}, {}], ragged = {\"x\", dims = 0, units = [0, 7, 0]}";
  EXPECT_EQ(boxes("x=3", {4, 6}, layout, 0), std::vector<Box>{});
  EXPECT_EQ(boxes("x=3", {4, 6}, layout, 1), (std::vector<Box>{{{0, 0}, {4, 6}}}));
}

TEST(Box, flatIntervalsTileInOrderWithFewBoxes) {
  for (const Shape &shape : std::vector<Shape>{{5}, {3, 4}, {1, 6}, {4, 1, 3}, {2, 3, 2, 2}}) {
    int64_t count = elementCount(shape);
    for (int64_t begin = 0; begin <= count; ++begin)
      for (int64_t end = begin; end <= count; ++end) {
        std::vector<Box> found = flatIntervalBoxes(shape, begin, end);
        EXPECT_LE(found.size(), 2 * shape.size() - 1);
        int64_t at = begin;
        for (const Box &box : found)
          for (int64_t i = 0; i < box.elements(); ++i, ++at) {
            int64_t rest = i, global = 0;
            std::vector<int64_t> strides = rowMajorStrides(shape);
            for (size_t d = shape.size(); d-- > 0; rest /= box.size[d])
              global += (box.offset[d] + rest % box.size[d]) * strides[d];
            ASSERT_EQ(global, at);
          }
        EXPECT_EQ(at, end);
      }
  }
}

RC_GTEST_PROP(Box, overlapsOfTwoLayoutsTileWhatTheReaderNeeds, ()) {
  // A checkpoint written in one layout, on one mesh, is read in another without communication.
  Shape shape = arbitraryShape();
  Mesh writers = arbitraryMesh(8), readers = arbitraryMesh(8);
  Layout written = arbitraryLayout(writers, shape), read = arbitraryLayout(readers, shape);
  for (int64_t p = 0; p < readers.numDevices(); ++p) {
    std::vector<Box> wanted = region(read, shape, readers.coordinate(p));
    std::vector<Box> found;
    forEachShard(written, [&](const Coordinate &writer) {
      std::vector<Box> common = overlap(wanted, region(written, shape, writer));
      found.insert(found.end(), common.begin(), common.end());
    });
    RC_ASSERT(elementCount(found) == elementCount(wanted));
    for (size_t i = 0; i < found.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        RC_ASSERT(!intersect(found[i], found[j]).has_value());
  }
}

TEST(Box, intersections) {
  EXPECT_EQ(intersect({{0, 2}, {4, 3}}, {{3, 0}, {4, 4}}), (Box{{3, 2}, {1, 2}}));
  EXPECT_EQ(intersect({{0}, {2}}, {{2}, {2}}), std::nullopt);
  EXPECT_EQ(intersect(Box{}, Box{}), Box{}) << "scalars meet in the one element";
  EXPECT_EQ(str(Box{{0, 2}, {1, 3}}), "(0, 2)+(1, 3)");
}

} // namespace
