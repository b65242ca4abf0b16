//===- LayoutTest.cpp - Layout values, run lengths and legality ------------------------------===//
#include "Generators.h"

#include "layout/Legality.h"
#include "layout/Parse.h"

#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

Mesh mesh() { return *parseMesh("x=4,y=2,z=3"); }

std::string verdict(const char *text, const Shape &shape) {
  StatusOr<Layout> layout = parseLayout(mesh(), text);
  return layout.ok() ? checkLegal(*layout, shape).message() : layout.message();
}

RC_GTEST_PROP(RunLengths, isTheListItWasMadeFrom, ()) {
  std::vector<int64_t> values(arbitraryInteger(0, 20));
  for (int64_t &value : values)
    value = arbitraryInteger(0, 2);
  RunLengths runs(values);
  RC_ASSERT(runs.values() == values);
  RC_ASSERT(runs.size() == static_cast<int64_t>(values.size()));
  int64_t sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    RC_ASSERT(runs[i] == values[i]);
    RC_ASSERT(runs.sumBefore(i) == sum);
    for (int64_t amount = sum; amount < sum + values[i]; ++amount)
      RC_ASSERT(runs.indexAtSum(amount) == static_cast<int64_t>(i));
    sum += values[i];
  }
  RC_ASSERT(runs.sumBefore(values.size()) == sum && runs.sum() == sum);
  RC_ASSERT(runs.smallest() ==
            (values.empty() ? 0 : *std::min_element(values.begin(), values.end())));
  for (size_t r = 1; r < runs.runs().size(); ++r)
    RC_ASSERT(runs.runs()[r].value != runs.runs()[r - 1].value);
  std::vector<int64_t> others = values;
  others.push_back(0);
  RC_ASSERT(RunLengths(values) == runs && RunLengths(values).hash() == runs.hash());
  RC_ASSERT(RunLengths(others) != runs);
}

TEST(RunLengths, printsRunsOfLongListsOnly) {
  EXPECT_EQ(RunLengths(std::vector<int64_t>{1, 1, 1, 0, 0, 0, 2, 2}).str(),
            "1, 1, 1, 0, 0, 0, 2, 2");
  EXPECT_EQ(RunLengths(std::vector<int64_t>{1, 1, 1, 0, 0, 0, 2, 2, 3}).str(),
            "1 x 3, 0 x 3, 2 x 2, 3");
  RunLengths many(std::vector<RunLengths::Run>{{3, 16383}, {0, 0}, {3, 1}});
  EXPECT_EQ(many.str(), "3 x 16384");
  EXPECT_EQ(many, RunLengths(std::vector<int64_t>(16384, 3)));
}

TEST(RunLengths, overflowIsKnown) {
  int64_t half = int64_t(1) << 62;
  EXPECT_TRUE(RunLengths(std::vector<int64_t>{half, half}).overflows());
  EXPECT_TRUE(RunLengths(std::vector<RunLengths::Run>{{1, half}, {2, half}}).overflows());
  EXPECT_FALSE(RunLengths(std::vector<int64_t>{half, half - 1}).overflows());
}

TEST(Layout, axesInUse) {
  Layout layout = *parseLayout(mesh(), "[{\"x\":(2)2}, {\"y\"}], partial = [sum: \"z\"]");
  EXPECT_EQ(layout.shardingAxes(), (std::vector<SubAxis>{{0, 2, 2}, {1, 1, 2}}));
  EXPECT_EQ(layout.usedAxes(), (std::vector<SubAxis>{{0, 2, 2}, {1, 1, 2}, {2, 1, 3}}));
  EXPECT_EQ(layout.unusedAxes(), (std::vector<SubAxis>{{0, 1, 2}}));
  Layout ragged = *parseLayout(
      mesh(), "[{}], partial = [sum: \"z\"], ragged = {\"y\", dims = 1, units = [1, 2]}");
  EXPECT_EQ(ragged.shardingAxes(), (std::vector<SubAxis>{{1, 1, 2}}));
  EXPECT_EQ(ragged.usedAxes(), (std::vector<SubAxis>{{2, 1, 3}, {1, 1, 2}}));
  EXPECT_TRUE(Layout::replicated(mesh(), 2).isReplicated());
  EXPECT_FALSE(ragged.isReplicated());
}

TEST(Legality, partsWithoutSizes) {
  EXPECT_EQ(
      verdict("[{\"x\"}, {\"x\":(2)2}]", {4, 4}),
      "dim 1: axis used twice: \"x\":(2)2 overlaps \"x\", which is in use; an axis is used at "
      "most once");
  EXPECT_EQ(verdict("[{\"x\":(1)2, \"x\":(2)2}]", {4}), "");
  EXPECT_EQ(verdict("[{\"y\"}], partial = [sum: \"y\"]", {4}),
            "partial: axis used twice: \"y\" is already in use; an axis is used at most once");
  EXPECT_EQ(verdict("[{\"y\"}], ragged = {\"y\", dims = 1, units = [1, 1]}", {4}),
            "ragged: axis used twice: \"y\" is already in use; an axis is used at most once");
  EXPECT_EQ(verdict("[{\"x\" / 0}]", {4}),
            "dim 0: the cut by \"x\" has interleave 0; it must be at least 1");
  EXPECT_EQ(verdict("[{\"x\" by -2}]", {4}),
            "dim 0: the cut by \"x\" has blocks of -2; it must be at least 1");
  StatusOr<Layout> both = Layout::get(mesh(), {{{{0, 1, 4}, 3, 2}}});
  EXPECT_EQ(both.message(),
            "dim 0: the cut by \"x\" is interleaved and in blocks; one cut is one of "
            "the two");
  StatusOr<Layout> noAxis = Layout::get(mesh(), {{{{3, 1, 4}}}});
  EXPECT_FALSE(noAxis.ok());
  StatusOr<Layout> noPartial = Layout::get(mesh(), {{}}, Partial{Reduction::max, {}});
  EXPECT_EQ(*noPartial, Layout::replicated(mesh(), 1));
}

TEST(Legality, raggedParts) {
  auto ragged = [](const char *part, const Shape &shape = {4, 6}) {
    std::string text = std::string("[{}, {}], ragged = ") + part;
    return verdict(text.c_str(), shape);
  };
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [5, 7, 0, 12]}"), "");
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [5, 7, 0]}"),
            "ragged by \"x\": 3 units for an axis of size 4; it needs one for each index");
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [5, -7, 14, 12]}"),
            "ragged by \"x\": negative unit -7; a unit is a share");
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [0 x 4]}"),
            "ragged by \"x\": all units are zero, so nobody owns the tensor");
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [4611686018427387904 x 4]}"),
            "ragged by \"x\": the sum of the units is above 2^63");
  EXPECT_EQ(ragged("{\"x\", dims = 3, units = [1 x 4]}"),
            "ragged dims = 3: the tensor has only 2 dims to flatten");
  EXPECT_EQ(
      ragged("{\"x\", dims = 0, units = [1, 0, 1, 0]}"),
      "ragged by \"x\" with dims = 0: more than one owner (2 units are not 0); one device owns "
      "the whole tensor");
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [5, 6, 1, 13]}"),
            "ragged by \"x\": units do not divide: their sum 25 is not a factor of the flattened "
            "local length 24");
  EXPECT_EQ(
      ragged("{\"x\", dims = 1, units = [1, 2, 3, 2]}"),
      "ragged by \"x\": units do not divide: their sum 8 is not a factor of the flattened local "
      "length 4");
  EXPECT_EQ(ragged("{\"x\", dims = 2, units = [5, 6, 1, 13]}", {0, 6}), "") << "0 divides by all";
}

TEST(Legality, cutsBesideRagged) {
  auto beside = [](const char *dims, const Shape &shape) {
    std::string text = std::string(dims) + ", ragged = {\"x\", dims = 2, units = [1, 1, 1, 1]}";
    return verdict(text.c_str(), shape);
  };
  EXPECT_EQ(beside("[{\"y\"}, {}, {\"z\"}]", {4, 4, 3}), "");
  EXPECT_EQ(
      beside("[{}, {\"y\"}, {}]", {4, 4, 3}),
      "dim 1: cut by \"y\" inside the 2 dims that ragged flattens; beside dim 0 only dims from "
      "2 on may be cut");
  EXPECT_EQ(beside("[{}, {}, {\"z\"}]", {4, 4, 4}),
            "dim 2: uneven cut beside ragged: \"z\" does not cut 4 into equal pieces");
  EXPECT_EQ(beside("[{\"y\" by 4}, {}, {}]", {4, 4, 4}),
            "dim 0: uneven cut beside ragged: \"y\" by 4 does not cut 4 into equal pieces");
  EXPECT_EQ(beside("[{\"y\" / 2}, {}, {}]", {4, 4, 4}), "");
}

TEST(Legality, sizes) {
  EXPECT_EQ(verdict("[{\"x\"}]", {4, 4}),
            "the layout has rank 1 but the tensor has rank 2: [{\"x\"}] for shape [4, 4]");
  EXPECT_EQ(verdict("[{\"x\"}]", {-1}), "dim 0 has the negative size -1");
  int64_t large = int64_t(1) << 32;
  EXPECT_EQ(verdict("[{}, {}]", {large, large}),
            "shape [4294967296, 4294967296] has more than 2^63 elements");
  EXPECT_EQ(verdict("[{}, {}, {}]", {0, large, large}),
            "shape [0, 4294967296, 4294967296] has more than 2^63 elements")
      << "strides would not fit";
  EXPECT_EQ(verdict("[{\"y\" / 3}]", {10}),
            "dim 0: interleaved cut \"y\" / 3 does not divide: 10 is not divisible by 3 * 2");
  EXPECT_EQ(verdict("[{\"y\" / 3}]", {0}), "");
  // Two pieces of 9 / 2 = 5 and 4: the second has no three parts.
  EXPECT_EQ(verdict("[{\"y\", \"z\" / 3}]", {9}),
            "dim 0: interleaved cut \"z\" / 3 does not divide: 4 is not divisible by 3 * 3");
  // 9 over 4: 3, 3, 3, 0, and each is divisible.
  EXPECT_EQ(verdict("[{\"x\", \"z\":(1)1 / 3}]", {9}), "");
}

} // namespace
