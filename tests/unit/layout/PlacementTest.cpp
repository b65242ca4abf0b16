//===- PlacementTest.cpp - The per-axis notation, both ways ----------------------------------===//
#include "Generators.h"
#include "VectorCases.h"

#include "layout/Placement.h"

#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

std::string error(const char *text) {
  StatusOr<Placements> placements = parsePlacements(text);
  return placements.ok() ? "accepted" : placements.message();
}

/// The layout of placements, or why there is none.
std::string layoutText(const char *mesh, int rank, const char *text,
                       const std::vector<int> &order = {}) {
  StatusOr<Layout> layout = layoutOf(*parseMesh(mesh), rank, *parsePlacements(text), order);
  return layout.ok() ? layout->str() : layout.message();
}

std::string placementsText(const char *mesh, const char *text) {
  StatusOr<Placements> placements = placementsOf(*parseLayout(*parseMesh(mesh), text));
  return placements.ok() ? str(*placements) : placements.message();
}

TEST(Placement, isThatOfTheReferenceBothWays) {
  for (const auto &test : vectorCases("layouts")) {
    SCOPED_TRACE(test["id"].get<std::string>() + " " + test["layout"].get<std::string>());
    Mesh mesh = meshOf(test["mesh"]);
    Layout layout = vescale::layout::layoutOf(mesh, test["layout"].get<std::string>());
    StatusOr<Placements> placements = placementsOf(layout);
    ASSERT_EQ(placements.ok(), !test["placements"].is_null());
    if (!placements.ok())
      continue;
    std::string text;
    for (const auto &placement : test["placements"])
      text += (text.empty() ? "[" : ", ") + placement.get<std::string>();
    text += "]";
    EXPECT_EQ(str(*placements), text);
    StatusOr<Placements> parsed = parsePlacements(text);
    ASSERT_TRUE(parsed.ok()) << parsed.message();
    EXPECT_EQ(*parsed, *placements);
    StatusOr<Layout> back = layoutOf(mesh, layout.rank(), *parsed);
    ASSERT_TRUE(back.ok()) << back.message();
    EXPECT_EQ(*back, layout);
  }
}

RC_GTEST_PROP(Placement, whatItCanSayComesBack, ()) {
  Mesh mesh = arbitraryMesh();
  Layout layout = arbitraryLayout(mesh, arbitraryShape());
  StatusOr<Placements> placements = placementsOf(layout);
  if (!placements.ok())
    return;
  StatusOr<Placements> parsed = parsePlacements(str(*placements));
  RC_ASSERT(parsed.ok());
  RC_ASSERT(*parsed == *placements);
  RC_ASSERT(*layoutOf(mesh, layout.rank(), *parsed) == layout);
  RC_ASSERT(*parseLayoutOrPlacements(mesh, layout.rank(), str(*placements)) == layout);
  RC_ASSERT(*parseLayoutOrPlacements(mesh, layout.rank(), layout.str()) == layout);
}

TEST(Placement, longFormsAreTheSame) {
  EXPECT_EQ(*parsePlacements("[Replicate(), Shard(0), Partial(), InterleavedShard(1, 3), "
                             "RaggedShard((0, 1), (5, 7))]"),
            *parsePlacements("[R, S(0), P, IS(1, 3), RS((0, 1), (5, 7))]"));
  EXPECT_EQ(*parsePlacements("[Shard(dim=0), Partial(product), Partial(reduce_op=max), "
                             "InterleavedShard(dim=1, interleaved_size=3), "
                             "RaggedShard(dims=(0,), local_units=(5, 7))]"),
            *parsePlacements("[S(0), P(prod), P(max), IS(1, 3), RS((0,), (5, 7))]"));
}

TEST(Placement, layoutsOfPlacements) {
  EXPECT_EQ(layoutText("x=2,y=4", 2, "[S(0), R]"), "[{\"x\"}, {}]");
  EXPECT_EQ(layoutText("x=2,y=4", 2, "[S(-1), S(1)]"), "[{}, {\"x\", \"y\"}]");
  EXPECT_EQ(layoutText("x=2,y=4", 1, "[S(0), S(0)]", {1}), "[{\"y\", \"x\"}]");
  EXPECT_EQ(layoutText("x=2,y=4", 1, "[P, P(sum)]"), "[{}], partial = [sum: \"x\", sum: \"y\"]");
  EXPECT_EQ(layoutText("x=2,y=4", 2, "[RS((0, 1), (5, 7)), S(0)]"),
            "[{\"y\"}, {}], ragged = {\"x\", dims = 2, units = [5, 7]}");
  EXPECT_EQ(layoutText("x=2", 0, "[RS((), (0, 1))]"),
            "[], ragged = {\"x\", dims = 0, units = [0, 1]}");
}

TEST(Placement, refusals) {
  EXPECT_EQ(layoutText("x=2,y=4", 2, "[S(2), R]"), "axis \"x\": S(2): the tensor has rank 2");
  EXPECT_EQ(layoutText("x=2,y=4", 2, "[S(-3), R]"), "axis \"x\": S(-3): the tensor has rank 2");
  EXPECT_EQ(
      layoutText("x=2,y=4", 2, "[S(0)]"),
      "1 placements [S(0)] for a mesh of 2 axes [\"x\" = 2, \"y\" = 4]; it needs one for each "
      "axis");
  EXPECT_EQ(layoutText("x=2,y=4", 1, "[P(sum), P(max)]"),
            "axis \"y\": P(max): another axis is partial by sum; two reductions on one value have "
            "no defined order");
  EXPECT_EQ(layoutText("x=2,y=2", 1, "[RS((0,), (1, 1)), RS((0,), (1, 1))]"),
            "axis \"y\": RS((0,), (1, 1)): another axis is ragged; a layout has one ragged cut");
  EXPECT_EQ(layoutText("x=2,y=4", 1, "[S(0), S(0)]", {1, 1}),
            "the order [1, 1] is not a list of different axes of the mesh [\"x\" = 2, \"y\" = 4]");
  EXPECT_EQ(error("[P(avg)]"),
            "column 4: Partial(avg): a mean over uneven shards is not the mean of "
            "means; write sum and scale by the global count");
  EXPECT_EQ(error("[RS((1,), (5, 7))]"),
            "column 5: a ragged shard flattens the first dims; (1) is not 0, 1, ...");
  EXPECT_EQ(error("[RS((0, 0), (5, 7))]"),
            "column 5: a ragged shard flattens the first dims; (0, 0) is not 0, 1, ...");
  EXPECT_EQ(error("[S]"), "column 3: expected `(` behind a placement, found `]`");
  EXPECT_EQ(error("[T(0)]"), "column 2: unknown placement `T`: known are R, S(d), P(op), IS(d, k), "
                             "RS(dims, units) and their long forms");
}

TEST(Placement, whatItCannotSay) {
  EXPECT_EQ(placementsText("x=4", "[{\"x\":(1)2}]"),
            "a placement is for a whole axis, not for \"x\":(1)2");
  EXPECT_EQ(placementsText("x=4", "[{\"x\" by 8}]"),
            "dim 0: placements have no block cut (\"x\" by 8)");
  EXPECT_EQ(placementsText("x=4,y=2", "[{\"y\", \"x\"}]"),
            "dim 0: \"x\" cuts after \"y\", but placements cut in mesh order");
}

} // namespace
