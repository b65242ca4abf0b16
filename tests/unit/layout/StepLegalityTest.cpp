//===- StepLegalityTest.cpp - Legal steps against the regions of all devices ----------------===//
//
// Every pair of layouts of small families is put to every kind of step. What the step may do is
// computed from the regions of all devices, element by element, and compared.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/StepLegality.h"

#include "layout/Legality.h"
#include "layout/Parse.h"
#include "layout/Region.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace vescale::layout {
namespace {

using Elements = std::set<int64_t>;

constexpr StepKind allKinds[] = {StepKind::slice,         StepKind::allGather, StepKind::allToAll,
                                 StepKind::permute,       StepKind::reduceScatter,
                                 StepKind::allReduce,     StepKind::toPartial, StepKind::exchange};

/// The flat indices of what each device holds.
std::vector<Elements> holdings(const Layout &layout, const Shape &shape) {
  std::vector<Elements> all(layout.mesh().numDevices());
  for (int64_t device = 0; device < layout.mesh().numDevices(); ++device)
    for (const Box &box : region(layout, shape, layout.mesh().coordinate(device)))
      for (int64_t i = 0; i < box.elements(); ++i) {
        int64_t rest = i, flat = 0, stride = 1;
        for (int d = static_cast<int>(shape.size()) - 1; d >= 0; --d) {
          flat += (box.offset[d] + rest % box.size[d]) * stride;
          rest /= box.size[d];
          stride *= shape[d];
        }
        all[device].insert(flat);
      }
  return all;
}

/// The devices that differ from `device` only along `axes`.
std::vector<int64_t> group(const Mesh &mesh, const std::vector<SubAxis> &axes, int64_t device) {
  Coordinate here = mesh.coordinate(device);
  std::vector<int64_t> members;
  for (int64_t other = 0; other < mesh.numDevices(); ++other) {
    Coordinate there = mesh.coordinate(other);
    bool same = true;
    for (int axis = 0; axis < mesh.rank(); ++axis) {
      std::vector<SubAxis> used;
      for (const SubAxis &part : axes)
        if (part.axis == axis)
          used.push_back(part);
      for (const SubAxis &part : unusedParts(mesh, axis, used))
        same &= indexAlong(mesh, part, here) == indexAlong(mesh, part, there);
    }
    if (same)
      members.push_back(other);
  }
  return members;
}

Elements unite(const std::vector<Elements> &held, const std::vector<int64_t> &devices) {
  Elements all;
  for (int64_t device : devices)
    all.insert(held[device].begin(), held[device].end());
  return all;
}

bool contains(const Elements &all, const Elements &some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// What devices along `axes` must hold so that a step of this kind can do its work.
bool isPossible(StepKind kind, const Layout &from, const Layout &to, const Shape &shape,
                const std::vector<SubAxis> &axes) {
  std::vector<Elements> before = holdings(from, shape), after = holdings(to, shape);
  for (int64_t device = 0; device < from.mesh().numDevices(); ++device) {
    const Elements &had = before[device], &gets = after[device];
    std::vector<int64_t> peers = group(from.mesh(), axes, device);
    switch (kind) {
    case StepKind::slice:
      if (!contains(had, gets))
        return false;
      break;
    case StepKind::allGather:
    case StepKind::toPartial:
      if (!contains(gets, had) || gets != unite(before, peers))
        return false;
      break;
    case StepKind::allToAll:
      if (!contains(unite(before, peers), gets))
        return false;
      break;
    case StepKind::permute:
      if (std::none_of(peers.begin(), peers.end(),
                       [&](int64_t peer) { return before[peer] == gets; }))
        return false;
      break;
    case StepKind::reduceScatter:
      if (!contains(had, gets) || unite(after, peers) != had)
        return false;
      for (int64_t peer : peers)
        if (before[peer] != had)
          return false;
      break;
    case StepKind::allReduce:
      if (had != gets)
        return false;
      break;
    case StepKind::exchange:
      break;
    }
  }
  return true;
}

/// All layouts that put each of two parts of a mesh nowhere, into the partial axes, or on a dim.
std::vector<Layout> family(const Mesh &mesh, SubAxis first, SubAxis second, int rank,
                           int64_t interleave, int64_t block) {
  std::vector<Layout> layouts;
  for (int a = -2; a < rank; ++a)
    for (int b = -2; b < rank; ++b)
      for (bool swapped : {false, true}) {
        if (swapped && (a != b || a < 0))
          continue;
        std::vector<Dim> dims(rank);
        Partial partial;
        auto place = [&](int where, SubAxis axis, int64_t interleave) {
          if (where == -1)
            partial.axes.push_back(axis);
          else if (where >= 0)
            dims[where].push_back({axis, interleave, interleave == 1 ? block : 1});
        };
        place(swapped ? b : a, swapped ? second : first, interleave);
        place(swapped ? a : b, swapped ? first : second, 1);
        auto layout = Layout::get(mesh, dims,
                                  partial.axes.empty() ? std::nullopt : std::optional(partial));
        EXPECT_TRUE(layout.ok()) << layout.message();
        layouts.push_back(*layout);
      }
  return layouts;
}

struct Family {
  const char *mesh;
  SubAxis first, second;
  Shape shape;
  int64_t interleave = 1, block = 1;
};

class StepLegality : public testing::TestWithParam<Family> {};

TEST_P(StepLegality, AcceptsOnlyWhatDevicesCanDo) {
  const Family &parameters = GetParam();
  Mesh mesh = *parseMesh(parameters.mesh);
  int rank = static_cast<int>(parameters.shape.size());
  std::vector<Layout> layouts = family(mesh, parameters.first, parameters.second, rank,
                                       parameters.interleave, parameters.block);
  int accepted = 0;
  for (const Layout &from : layouts)
    for (const Layout &to : layouts) {
      if (!checkLegal(from, parameters.shape).ok() || !checkLegal(to, parameters.shape).ok())
        continue;
      for (StepKind kind : allKinds) {
        Status status = checkStep(kind, from, to, parameters.shape);
        if (from == to)
          EXPECT_FALSE(status.ok());
        if (!status.ok())
          continue;
        ++accepted;
        std::vector<SubAxis> axes = stepAxes(kind, from, to, parameters.shape);
        EXPECT_TRUE(isPossible(kind, from, to, parameters.shape, axes))
            << str(kind) << " " << from.str() << " -> " << to.str();
      }
    }
  EXPECT_GT(accepted, 20);
}

INSTANTIATE_TEST_SUITE_P(
    Families, StepLegality,
    testing::Values(Family{"x=2,y=2", {0, 1, 2}, {1, 1, 2}, {8, 4}},
                    Family{"x=2,y=3", {0, 1, 2}, {1, 1, 3}, {6, 12}},
                    Family{"x=2,y=3", {0, 1, 2}, {1, 1, 3}, {5, 7}},
                    Family{"x=2,y=2", {0, 1, 2}, {1, 1, 2}, {0, 3}},
                    Family{"x=4", {0, 1, 2}, {0, 2, 2}, {8, 4}},
                    Family{"x=4", {0, 1, 2}, {0, 2, 2}, {5, 3}},
                    Family{"x=8,y=2", {0, 1, 2}, {0, 4, 2}, {8, 12}},
                    Family{"x=2,y=2", {0, 1, 2}, {1, 1, 2}, {12, 12}, 3},
                    Family{"x=4", {0, 1, 2}, {0, 2, 2}, {12, 12}, 3},
                    Family{"x=2,y=2", {0, 1, 2}, {1, 1, 2}, {20, 9}, 1, 4}));

/// Over even plain cuts the check is complete: what devices could do along nested cuts is accepted.
TEST(StepLegality, AcceptsEveryNestedSliceAndGather) {
  Mesh mesh = *parseMesh("x=2,y=2");
  Shape shape = {8, 4};
  std::vector<Layout> layouts = family(mesh, {0, 1, 2}, {1, 1, 2}, 2, 1, 1);
  for (const Layout &from : layouts)
    for (const Layout &to : layouts) {
      if (from == to || from.partial() != to.partial())
        continue;
      std::vector<Elements> before = holdings(from, shape), after = holdings(to, shape);
      bool shrinks = true;
      for (size_t device = 0; device < before.size(); ++device)
        shrinks &= contains(before[device], after[device]);
      EXPECT_EQ(checkStep(StepKind::slice, from, to, shape).ok(), shrinks)
          << from.str() << " -> " << to.str();
      EXPECT_EQ(checkStep(StepKind::allGather, to, from, shape).ok(), shrinks)
          << to.str() << " -> " << from.str();
    }
}

struct Case {
  StepKind kind;
  const char *mesh, *from, *to;
  Shape shape;
  bool legal;
};

TEST(StepLegality, CutsOfSubAxesRaggedPartsAndSeveralMoves) {
  const Case cases[] = {
      // A whole axis is its two halves where the cut is even, and only there.
      {StepKind::allGather, "x=4", "[{\"x\"}]", "[{\"x\":(1)2}]", {8}, true},
      {StepKind::allGather, "x=4", "[{\"x\"}]", "[{\"x\":(1)2}]", {5}, false},
      {StepKind::allGather, "x=4", "[{\"x\"}]", "[{\"x\":(2)2}]", {8}, false},
      {StepKind::slice, "x=4", "[{\"x\":(1)2}]", "[{\"x\":(1)2, \"x\":(2)2}]", {5}, true},
      // Axes of size 1 do not matter.
      {StepKind::allReduce, "x=2,o=1", "[{}], partial = [sum: \"x\"]", "[{}]", {8}, true},
      {StepKind::allReduce, "x=2,o=1", "[{}], partial = [sum: \"o\"]", "[{}]", {8}, true},
      {StepKind::slice, "x=2,o=1", "[{}]", "[{\"o\"}]", {8}, true},
      // Two moves at once, and one dim in two moves.
      {StepKind::allToAll, "x=2,y=2", "[{\"x\"}, {}, {\"y\"}, {}]", "[{}, {\"x\"}, {}, {\"y\"}]",
       {4, 4, 4, 4}, true},
      {StepKind::allToAll, "x=2,y=2", "[{\"x\"}, {\"y\"}]", "[{\"y\"}, {\"x\"}]", {4, 4}, false},
      {StepKind::allToAll, "x=2,y=2", "[{\"x\", \"y\"}, {}]", "[{}, {\"y\", \"x\"}]", {4, 4}, true},
      // Orders of axes, replaced axes, several dims.
      {StepKind::permute, "x=2,y=3", "[{\"x\", \"y\"}]", "[{\"y\", \"x\"}]", {12}, true},
      {StepKind::permute, "x=2,y=3", "[{\"x\", \"y\"}]", "[{\"y\", \"x\"}]", {11}, false},
      {StepKind::permute, "x=2,y=2", "[{\"x\"}, {\"y\"}]", "[{\"y\"}, {\"x\"}]", {5, 4}, true},
      {StepKind::permute, "x=2,y=2", "[{\"x\" / 3}]", "[{\"y\" / 3}]", {12}, true},
      {StepKind::permute, "x=2,y=2", "[{\"x\" / 3}]", "[{\"y\"}]", {12}, false},
      {StepKind::permute, "x=2,y=2", "[{\"x\" by 3}]", "[{\"y\" by 4}]", {12}, false},
      // Ragged parts come and go as a whole.
      {StepKind::reduceScatter, "x=2", "[{}], partial = [sum: \"x\"]",
       "[{}], ragged = {\"x\", dims = 1, units = [1, 3]}", {8}, true},
      {StepKind::toPartial, "x=2", "[{}], ragged = {\"x\", dims = 1, units = [1, 3]}",
       "[{}], partial = [max: \"x\"]", {8}, true},
      {StepKind::slice, "x=2", "[{}]", "[{}], ragged = {\"x\", dims = 1, units = [1, 3]}", {8}, true},
      {StepKind::allGather, "x=2,y=2", "[{}, {\"y\"}], ragged = {\"x\", dims = 1, units = [1, 3]}",
       "[{}, {}], ragged = {\"x\", dims = 1, units = [1, 3]}", {4, 4}, true},
      {StepKind::allGather, "x=2,y=2", "[{\"y\"}], ragged = {\"x\", dims = 1, units = [1, 3]}",
       "[{}], ragged = {\"x\", dims = 1, units = [1, 3]}", {8}, false},
      // Partial axes in the company of others.
      {StepKind::reduceScatter, "x=2,y=2", "[{}], partial = [max: \"x\", max: \"y\"]",
       "[{\"y\", \"x\"}]", {8}, true},
      {StepKind::toPartial, "x=2,y=2", "[{\"x\"}], partial = [sum: \"y\"]",
       "[{}], partial = [sum: \"x\", sum: \"y\"]", {8}, true},
      {StepKind::allReduce, "x=4", "[{}], partial = [sum: \"x\"]",
       "[{}], partial = [sum: \"x\":(2)2]", {8}, true},
      // 2 and 3 are no common parts of an axis of 6.
      {StepKind::allReduce, "x=6", "[{}], partial = [sum: \"x\":(1)2]",
       "[{}], partial = [sum: \"x\":(1)3]", {8}, false},
  };
  for (const Case &test : cases) {
    Mesh mesh = *parseMesh(test.mesh);
    auto from = parseLayout(mesh, test.from), to = parseLayout(mesh, test.to);
    ASSERT_TRUE(from.ok() && to.ok()) << from.message() << to.message();
    Status status = checkStep(test.kind, *from, *to, test.shape);
    EXPECT_EQ(status.ok(), test.legal)
        << str(test.kind) << " " << test.from << " -> " << test.to << ": " << status.message();
    std::vector<SubAxis> axes = stepAxes(test.kind, *from, *to, test.shape);
    if (status.ok())
      EXPECT_TRUE(isPossible(test.kind, *from, *to, test.shape, axes))
          << str(test.kind) << " " << test.from << " -> " << test.to;
  }
}

TEST(StepLegality, NamesOfKindsReadBack) {
  for (StepKind kind : allKinds)
    EXPECT_EQ(stepKindNamed(str(kind)), kind);
  EXPECT_FALSE(stepKindNamed("gather"));
}

} // namespace
} // namespace vescale::layout
