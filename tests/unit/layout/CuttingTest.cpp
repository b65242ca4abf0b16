//===- CuttingTest.cpp - The chunk rule, and when cuts merge ---------------------------------===//
#include "Generators.h"
#include "NaiveRegion.h"

#include "layout/Canonical.h"
#include "layout/Cutting.h"
#include "layout/Parse.h"
#include "layout/Region.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

TEST(Cutting, lengthsAndEvennessAreThoseOfAllIndices) {
  for (int64_t n = 0; n <= 40; ++n)
    for (int64_t k = 1; k <= 9; ++k)
      for (int64_t block = 1; block <= 7; ++block) {
        SCOPED_TRACE(std::to_string(n) + " by " + std::to_string(k) + " in " +
                     std::to_string(block));
        Mesh mesh = *Mesh::get({{"x", k}});
        Cut cut{wholeAxis(mesh, 0), 1, block};
        Layout layout = *Layout::get(mesh, {{cut}});
        std::vector<int64_t> expected, found;
        for (int64_t i = 0; i < k; ++i) {
          std::vector<int64_t> held = naiveDim(layout, {n}, 0, {i});
          expected.push_back(held.size());
          EXPECT_EQ(cutLength(cut, n, i), expected.back());
          if (!held.empty()) {
            EXPECT_EQ(chunk(n, k, block, i).begin, held.front());
          }
        }
        for (const LengthRun &run : cutLengths(cut, n))
          found.insert(found.end(), run.count, run.length);
        EXPECT_EQ(found, expected);
        EXPECT_LE(cutLengths(cut, n).size(), 3u);
        EXPECT_EQ(isEven(cut, n), std::count(expected.begin(), expected.end(), expected[0]) == k);
      }
}

/// True where the two dims hold the same indices on every device.
bool sameRegions(const Mesh &mesh, const Dim &a, const Dim &b, int64_t n) {
  Layout first = Layout::fromChecked(mesh, {a}), second = Layout::fromChecked(mesh, {b});
  for (int64_t p = 0; p < mesh.numDevices(); ++p)
    if (naiveDim(first, {n}, 0, mesh.coordinate(p)) != naiveDim(second, {n}, 0, mesh.coordinate(p)))
      return false;
  return true;
}

TEST(Cutting, cutsMergeAndSplitExactlyWhereEven) {
  for (int64_t a = 2; a <= 4; ++a)
    for (int64_t b = 2; b <= 4; ++b)
      for (int64_t n = 0; n <= 50; ++n)
        for (int64_t block : {1, 2, 3}) {
          Mesh mesh = *Mesh::get({{"x", a * b}});
          Cut major{{0, 1, a}, 1, block}, minor{{0, a, b}, 1, block};
          Cut merged{{0, 1, a * b}, 1, block};
          bool even = n % (a * b * block) == 0;
          // A block that is cut once no longer limits the next cut, so fewer blocks may do.
          if (block == 1) {
            EXPECT_EQ(canMergeCuts(major, minor, n), even) << n << " by " << a << " * " << b;
          }
          EXPECT_EQ(canSplitCut(merged, a, n), canMergeCuts(major, minor, n));
          if (canMergeCuts(major, minor, n)) {
            EXPECT_TRUE(sameRegions(mesh, {major, minor}, {merged}, n));
          }
        }
  Mesh mesh = *parseMesh("x=4");
  EXPECT_FALSE(sameRegions(mesh, {{{0, 1, 4}}}, {{{0, 1, 2}}, {{0, 2, 2}}}, 5))
      << "5 over 4 is 2, 2, 1, 0, but over 2 and 2 it is 2, 1, 1, 1";
  EXPECT_FALSE(canMergeCuts({{0, 1, 2}}, {{0, 2, 2}}, 5));
  EXPECT_FALSE(canSplitCut({{0, 1, 4}}, 2, 5));
  EXPECT_FALSE(canMergeCuts({{0, 1, 2}, 3}, {{0, 2, 2}}, 12)) << "interleaved";
  EXPECT_FALSE(canMergeCuts({{0, 1, 2}}, {{0, 2, 2}, 3}, 12)) << "interleaved";
  EXPECT_FALSE(canMergeCuts({{0, 1, 2}, 1, 2}, {{0, 2, 2}}, 16)) << "blocks of two sizes";
}

RC_GTEST_PROP(Cutting, canonicalLayoutsHoldTheSameAndAreTheirOwnCanonicalForm, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout layout = arbitraryLayout(mesh, shape);
  Layout same = canonical(layout, shape);
  RC_ASSERT(canonical(same, shape) == same);
  for (int64_t p = 0; p < mesh.numDevices(); ++p)
    RC_ASSERT(naiveElements(same, shape, mesh.coordinate(p)) ==
              naiveElements(layout, shape, mesh.coordinate(p)));
  int64_t before = 1, after = 1;
  if (layout.partial())
    for (const SubAxis &axis : layout.partial()->axes)
      before *= axis.size;
  if (same.partial())
    for (const SubAxis &axis : same.partial()->axes)
      after *= axis.size;
  RC_ASSERT(before == after);
}

TEST(Cutting, canonicalFormsOfWhatIsWrittenInTwoWays) {
  Mesh mesh = *parseMesh("x=4,y=2,one=1");
  auto form = [&](const char *text, int64_t n) {
    return canonical(*parseLayout(mesh, text), {n}).str();
  };
  EXPECT_EQ(form("[{\"x\":(1)2, \"x\":(2)2, \"one\"}]", 8), "[{\"x\"}]");
  EXPECT_EQ(form("[{\"x\":(1)2, \"x\":(2)2}]", 5), "[{\"x\":(1)2, \"x\":(2)2}]");
  EXPECT_EQ(form("[{\"y\", \"x\":(1)2, \"x\":(2)2}]", 8), "[{\"y\", \"x\"}]");
  EXPECT_EQ(form("[{\"y\", \"x\":(1)2, \"x\":(2)2}]", 9), "[{\"y\", \"x\":(1)2, \"x\":(2)2}]");
  EXPECT_EQ(form("[{}], partial = [sum: \"x\":(2)2, sum: \"x\":(1)2, sum: \"one\"]", 5),
            "[{}], partial = [sum: \"x\"]");
  EXPECT_EQ(form("[{}], partial = [sum: \"one\"]", 5), "[{}]");
}

} // namespace
