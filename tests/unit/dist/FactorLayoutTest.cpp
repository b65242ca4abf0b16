//===- FactorLayoutTest.cpp - Dims of layouts and cuts of factors, against enumeration ------===//

#include "dialects/dist/FactorLayout.h"

#include "layout/Cutting.h"
#include "layout/Parse.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace vescale;
using dist::FactorCuts;
using dist::IndexingRule;
using layout::Dim;

namespace {

layout::Mesh meshOf(const std::string &text) {
  layout::StatusOr<layout::Mesh> mesh = layout::parseMesh(text);
  EXPECT_TRUE(mesh.ok()) << mesh.message();
  return *mesh;
}

std::vector<Dim> dimsOf(const layout::Mesh &mesh, const std::string &text) {
  layout::StatusOr<layout::Layout> layout = layout::parseLayout(mesh, text);
  EXPECT_TRUE(layout.ok()) << layout.message();
  return layout->dims();
}

/// A rule with one operand of one dim that consists of factors of these sizes.
IndexingRule oneDim(const std::vector<int64_t> &sizes) {
  IndexingRule rule;
  rule.operands.resize(1);
  rule.operands[0].dims.resize(1);
  for (int64_t size : sizes)
    rule.operands[0].dims[0].push_back(rule.addFactor(size));
  return rule;
}

/// The elements of [0, n) that a device holds, in local order.
std::vector<int64_t> elements(const layout::Mesh &mesh, const Dim &dim, int64_t n,
                              const layout::Coordinate &coordinate) {
  std::vector<int64_t> held;
  for (const layout::Segment &segment : layout::dimSegments(mesh, dim, n, coordinate))
    for (int64_t i = 0; i < segment.length; ++i)
      held.push_back(segment.global + i);
  return held;
}

/// The same from the cuts of each factor: all combinations of held indices, row-major.
std::vector<int64_t> elementsOfFactors(const layout::Mesh &mesh, const std::vector<int64_t> &sizes,
                                       const FactorCuts &cuts,
                                       const layout::Coordinate &coordinate) {
  std::vector<int64_t> held = {0};
  for (size_t f = 0; f < sizes.size(); ++f) {
    std::vector<int64_t> next;
    for (int64_t major : held)
      for (int64_t index : elements(mesh, cuts[f], sizes[f], coordinate))
        next.push_back(major * sizes[f] + index);
    held = std::move(next);
  }
  return held;
}

std::string projected(const std::string &meshText, const std::vector<int64_t> &sizes,
                      const std::string &layoutText) {
  layout::Mesh mesh = meshOf(meshText);
  IndexingRule rule = oneDim(sizes);
  dist::Projection projection =
      dist::projectToFactors(rule, rule.operands[0], mesh, dimsOf(mesh, layoutText));
  std::string text;
  for (const Dim &cuts : projection.cuts)
    text += "{" + layout::str(mesh, cuts) + "}";
  for (const Dim &rest : projection.overflow)
    if (!rest.empty())
      text += " over {" + layout::str(mesh, rest) + "}";
  return text;
}

TEST(FactorLayout, AWholeAxisOnTheMajorFactor) {
  EXPECT_EQ(projected("a=2", {4, 8}, R"([{"a"}])"), R"({"a"}{})");
}

TEST(FactorLayout, AnInterleavedCutIsACutOfTheNextFactor) {
  EXPECT_EQ(projected("a=2", {3, 8}, R"([{"a" / 3}])"), R"({}{"a"})");
  EXPECT_EQ(projected("a=2", {6, 8}, R"([{"a" / 3}])"), R"({"a" / 3}{})");
  EXPECT_EQ(projected("a=2", {3, 8}, R"([{"a" / 6}])"), R"({}{"a" / 2})");
}

TEST(FactorLayout, AnAxisThatStraddlesFactorsIsSplit) {
  EXPECT_EQ(projected("a=4", {2, 4}, R"([{"a"}])"), R"({"a":(1)2}{"a":(2)2})");
  EXPECT_EQ(projected("a=4", {6, 2}, R"([{"a"}])"), R"({"a":(1)2}{} over {"a":(2)2})");
}

TEST(FactorLayout, HeadsThatDoNotDivideAreBlocks) {
  EXPECT_EQ(projected("a=2", {3, 4}, R"([{"a" by 4}])"), R"({"a"}{})");
  EXPECT_EQ(projected("a=2", {3, 4}, R"([{"a"}])"), R"({}{} over {"a"})");
  EXPECT_EQ(projected("a=2", {4, 4}, R"([{"a" by 4}])"), R"({"a"}{})");
  EXPECT_EQ(projected("a=2", {6, 4}, R"([{"a" by 16}])"), R"({"a" by 4}{})");
}

TEST(FactorLayout, ADimWithoutFactorsTakesNoCut) {
  EXPECT_EQ(projected("a=2", {}, R"([{"a"}])"), R"( over {"a"})");
}

TEST(FactorLayout, CutsOfFactorsMergeToOneAxis) {
  layout::Mesh mesh = meshOf("a=4,b=2");
  IndexingRule rule = oneDim({2, 4});
  FactorCuts cuts = {Dim{{{0, 1, 2}, 1, 1}}, Dim{{{0, 2, 2}, 1, 1}, {{1, 1, 2}, 1, 1}}};
  std::optional<Dim> dim = dist::dimOfFactors(rule, rule.operands[0].dims[0], cuts);
  ASSERT_TRUE(dim);
  EXPECT_EQ(layout::str(mesh, *dim), R"("a", "b")");
}

TEST(FactorLayout, AnUnevenCutEndsADim) {
  IndexingRule rule = oneDim({3, 4});
  FactorCuts cuts = {Dim{{{0, 1, 2}, 1, 1}}, Dim{{{1, 1, 2}, 1, 1}}};
  EXPECT_FALSE(dist::dimOfFactors(rule, rule.operands[0].dims[0], cuts));
}

/// Random cuts of a dim: projecting keeps every element where it is, and coming back gives a dim
/// with the same elements on each device.
TEST(FactorLayout, ProjectingKeepsElements) {
  std::mt19937 random(7);
  auto pick = [&](int count) { return static_cast<int>(random() % count); };
  int exact = 0;
  for (int round = 0; round < 20000; ++round) {
    const int64_t axisSizes[] = {1, 2, 3, 4, 6};
    layout::Mesh mesh = *layout::Mesh::get(
        {{"a", axisSizes[pick(5)]}, {"b", axisSizes[pick(5)]}});
    std::vector<int64_t> sizes;
    int64_t n = 1;
    for (int f = 1 + pick(3); f > 0; --f) {
      sizes.push_back(1 + pick(8));
      n *= sizes.back();
    }
    Dim dim;
    std::vector<int> order = {0, 1};
    if (pick(2))
      std::swap(order[0], order[1]);
    int64_t left = n;
    for (int axis : order) {
      if (pick(3) == 0)
        continue;
      layout::Cut cut{layout::wholeAxis(mesh, axis), 1, 1};
      int form = pick(3);
      if (form == 1)
        cut.interleave = 1 + pick(6);
      if (form == 2)
        cut.block = 1 + pick(8);
      if (cut.interleave != 1 && left % (cut.interleave * cut.axis.size) != 0)
        cut.interleave = 1;
      if (!dim.empty() && !layout::isEven(dim, n))
        cut.interleave = 1;
      dim.push_back(cut);
      left /= cut.axis.size;
    }
    IndexingRule rule = oneDim(sizes);
    dist::Projection projection = dist::projectToFactors(rule, rule.operands[0], mesh, {dim});
    if (!projection.exact())
      continue;
    ++exact;
    std::optional<Dim> back =
        dist::dimOfFactors(rule, rule.operands[0].dims[0], projection.cuts);
    ASSERT_TRUE(back) << layout::str(mesh, dim);
    for (int64_t device = 0; device < mesh.numDevices(); ++device) {
      layout::Coordinate coordinate = mesh.coordinate(device);
      std::vector<int64_t> held = elements(mesh, dim, n, coordinate);
      ASSERT_EQ(held, elementsOfFactors(mesh, sizes, projection.cuts, coordinate))
          << mesh.str() << " {" << layout::str(mesh, dim) << "} of " << n;
      ASSERT_EQ(held, elements(mesh, *back, n, coordinate))
          << mesh.str() << " {" << layout::str(mesh, dim) << "} and {"
          << layout::str(mesh, *back) << "} of " << n;
    }
  }
  EXPECT_GT(exact, 5000);
}

} // namespace
