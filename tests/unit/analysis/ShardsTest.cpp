//===- ShardsTest.cpp - Cutting and rebuilding tensors --------------------------------------===//

#include "analysis/interpreter/Shards.h"

#include "layout/Parse.h"
#include "layout/Region.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace vescale;
using namespace vescale::analysis;

namespace {

layout::Layout parse(const std::string &text) {
  layout::StatusOr<layout::Layout> layout =
      layout::parseLayout(*layout::parseMesh("x=2,y=3"), text);
  EXPECT_TRUE(layout.ok()) << layout.message();
  return *layout;
}

Tensor counting(const Shape &shape) {
  Tensor tensor(ElementType::f64, shape);
  for (int64_t i = 0; i < tensor.elements(); ++i)
    tensor.setReal(i, i + 1);
  return tensor;
}

TEST(Shards, RebuildIsTheInverseOfCut) {
  for (const char *text :
       {R"([{}, {}])", R"([{"x"}, {}])", R"([{"x"}, {"y"}])", R"([{"x", "y"}, {}])",
        R"([{"y", "x"}, {}])", R"([{"x" / 3}, {}])", R"([{"y" by 2}, {}])",
        R"([{}, {}], partial = [sum: "x"])", R"([{"y"}, {}], partial = [max: "x"])",
        R"([{}, {}], partial = [min: "x", min: "y"])", R"([{"y"}, {}], partial = [prod: "x"])",
        R"([{}, {}], ragged = {"y", dims = 1, units = [1, 0, 5]})"}) {
    layout::Layout layout = parse(text);
    Tensor global = counting({6, 5});
    layout::StatusOr<Tensor> rebuilt = rebuild(cut(global, &layout), {6, 5});
    ASSERT_TRUE(rebuilt.ok()) << text << ": " << rebuilt.message();
    EXPECT_EQ(*rebuilt, global) << text;
  }
}

TEST(Shards, EachDeviceHoldsItsRegion) {
  layout::Layout layout = parse(R"([{"x" / 3}, {}])");
  Sharded sharded = cut(counting({6, 1}), &layout);
  // 6 rows as (3, 2), the inner part cut by x: rows 0 2 4 and 1 3 5.
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sharded.shards[0].real(i), 2 * i + 1);
    EXPECT_EQ(sharded.shards[3].real(i), 2 * i + 2);
  }
}

TEST(Shards, PartialValuesStandOnCoordinate0) {
  layout::Layout layout = parse(R"([{}], partial = [max: "x"])");
  Sharded sharded = cut(counting({2}), &layout);
  EXPECT_EQ(sharded.shards[2].real(1), 2);
  EXPECT_EQ(sharded.shards[3].real(1), -INFINITY);
}

TEST(Shards, ContributionsAreReduced) {
  layout::Layout layout = parse(R"([{"y"}], partial = [sum: "x"])");
  Sharded sharded = cut(counting({6}), &layout);
  for (int64_t p = 0; p < 6; ++p)
    for (int64_t i = 0; i < 2; ++i)
      sharded.shards[p].setReal(i, p + 10 * i);
  layout::StatusOr<Tensor> rebuilt = rebuild(sharded, {6});
  ASSERT_TRUE(rebuilt.ok());
  // Position (x, y) is 3x + y.
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t i = 0; i < 2; ++i)
      EXPECT_EQ(rebuilt->real(2 * y + i), 3 + 2 * y + 20 * i);
}

TEST(Shards, DisagreementIsNamed) {
  layout::Layout layout = parse(R"([{"y"}, {}])");
  Sharded sharded = cut(counting({6, 5}), &layout);
  sharded.shards[4].setReal(6, 0.5);
  layout::StatusOr<Tensor> rebuilt = rebuild(sharded, {6, 5});
  ASSERT_FALSE(rebuilt.ok());
  EXPECT_EQ(rebuilt.message(), "ranks 1 and 4 hold different values of element [3, 1]: 17 and 0.5");
  sharded.shards[4] = Tensor(ElementType::f64, {2, 4});
  EXPECT_EQ(rebuild(sharded, {6, 5}).message(),
            "rank 4 holds a tensor of shape [2, 4], but its layout says [2, 5]");
}

} // namespace
