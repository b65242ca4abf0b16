//===- ParseTest.cpp - Texts of meshes, layouts and shapes --- ---------------------------===//
#include "Generators.h"

#include "layout/Parse.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

Mesh mesh(const char *text = "x=4,y=2,z=3") { return *parseMesh(text); }

std::string layoutError(const char *text) {
  StatusOr<Layout> layout = parseLayout(mesh(), text);
  return layout.ok() ? "accepted" : layout.message();
}

RC_GTEST_PROP(Parse, printedMeshesAndLayoutsReadBackEqual, ()) {
  Mesh mesh = arbitraryMesh();
  StatusOr<Mesh> meshAgain = parseMesh(mesh.str());
  RC_ASSERT(meshAgain.ok());
  RC_ASSERT(*meshAgain == mesh);
  RC_ASSERT(meshAgain->hash() == mesh.hash());
  Layout layout = arbitraryLayout(mesh, arbitraryShape());
  StatusOr<Layout> again = parseLayout(*meshAgain, layout.str());
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == layout);
  RC_ASSERT(again->hash() == layout.hash());
  RC_ASSERT(again->str() == layout.str());
}

RC_GTEST_PROP(Parse, layoutsWithDifferentTextsDiffer, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout a = arbitraryLayout(mesh, shape), b = arbitraryLayout(mesh, shape);
  RC_ASSERT((a == b) == (a.str() == b.str()));
}

RC_GTEST_PROP(Parse, cutShortTextsAreErrorsAndNeverCrash, ()) {
  Mesh mesh = arbitraryMesh();
  std::string text = arbitraryLayout(mesh, arbitraryShape()).str();
  size_t end = arbitraryInteger(0, text.size() - 1);
  StatusOr<Layout> layout = parseLayout(mesh, text.substr(0, end));
  // Only a cut between the dims and a further part leaves a whole layout.
  RC_ASSERT(layout.ok() == (text[end] == ',' && text.substr(0, end).back() == ']' &&
                            (text.substr(end, 6) == ", part" || text.substr(end, 6) == ", ragg")));
}

TEST(Parse, meshInBothSpellings) {
  Mesh plain = *parseMesh("dp=2,tp=4");
  EXPECT_EQ(plain.str(), "[\"dp\" = 2, \"tp\" = 4]");
  EXPECT_EQ(*parseMesh("[\"dp\" = 2,\"tp\"=4]"), plain);
  Mesh turned = *parseMesh("dp=2, tp=2, device_ids = [3, 2, 1, 0]");
  EXPECT_EQ(turned.str(), "[\"dp\" = 2, \"tp\" = 2], device_ids = [3, 2, 1, 0]");
  EXPECT_EQ(turned.deviceId(1), 2);
  EXPECT_EQ(turned.positionOf(2), 1);
  EXPECT_EQ(turned.positionOf(4), std::nullopt);
  EXPECT_EQ(*parseMesh("dp=2,device_ids=[0,1]"), *parseMesh("dp=2"));
  EXPECT_NE(turned, *parseMesh("dp=2,tp=2"));
  EXPECT_EQ(parseMesh("[]")->numDevices(), 1);
}

TEST(Parse, meshErrors) {
  auto error = [](const char *text) {
    StatusOr<Mesh> mesh = parseMesh(text);
    return mesh.ok() ? std::string("accepted") : mesh.message();
  };
  EXPECT_EQ(error("x=2,y"), "column 6: expected `=` between an axis and its size, found the end of "
                            "the text");
  EXPECT_EQ(error("x=2,x=3"), "mesh axis \"x\" is declared twice");
  EXPECT_EQ(error("x=0"), "mesh axis \"x\" has size 0; a size is at least 1");
  EXPECT_EQ(error("x=2 3"), "column 5: expected the end of the text, found `3`");
  EXPECT_EQ(error("x=2,device_ids=[1]"), "device_ids lists 1 devices, but the mesh has 2");
  EXPECT_EQ(error("x=2,device_ids=[1,1]"), "device_ids has device 1 twice");
  EXPECT_EQ(error("x=2,device_ids=[-1,1]"), "device_ids has the negative id -1");
  EXPECT_EQ(error("x=4611686018427387904,y=2"),
            "mesh axis \"y\" of size 2 makes the mesh larger than 2^62 devices");
  EXPECT_EQ(error("x=99999999999999999999"),
            "column 3: the size of an axis does not fit in 64 bits");
}

TEST(Parse, everyPartOfALayoutPrintsAsItIsWritten) {
  for (const char *text :
       {"[]", "[{}, {}]", "[{\"x\", \"y\"}, {}]", "[{\"x\":(1)2, \"y\"}, {\"x\":(2)2}]",
        "[{\"x\" / 3}, {\"y\" by 8}]", "[{}], partial = [sum: \"x\", sum: \"y\"]",
        "[{}], partial = [max: \"x\"]", "[{}], partial = [min: \"x\"]",
        "[{}], partial = [prod: \"x\"]", "[{}], partial = [and: \"x\"]",
        "[{}], partial = [or: \"x\":(2)2]",
        "[{\"y\"}], partial = [sum: \"z\"], ragged = {\"x\", dims = 1, units = [5, 7, 0, 12]}"}) {
    StatusOr<Layout> layout = parseLayout(mesh(), text);
    ASSERT_TRUE(layout.ok()) << text << ": " << layout.message();
    EXPECT_EQ(layout->str(), text);
  }
}

TEST(Parse, otherSpellingsOfTheSameLayout) {
  auto layout = [](const char *text) { return *parseLayout(mesh(), text); };
  EXPECT_EQ(layout(" [ {\"x\" / 1},{ \"y\"by 1} ] ").str(), "[{\"x\"}, {\"y\"}]");
  EXPECT_EQ(layout("[{\"x\":(1)4}]").str(), "[{\"x\"}]");
  // Partial axes are a set.
  EXPECT_EQ(layout("[], partial = [sum: \"y\", sum: \"x\"]"),
            layout("[], partial = [sum: \"x\", sum: \"y\"]"));
  EXPECT_EQ(
      layout("[{}], ragged = {\"x\", dims = 1, units = [1 x 3, 1]}, partial = [sum: \"y\"]"),
      layout("[{}], partial = [sum: \"y\"], ragged = {\"x\", dims = 1, units = [1, 1, 1, 1]}"));
}

TEST(Parse, unitsPrintAsRuns) {
  Mesh wide = *parseMesh("dp=1024");
  const char *text = "[{}], ragged = {\"dp\", dims = 1, units = [0 x 17, 5, 12 x 1006]}";
  StatusOr<Layout> layout = parseLayout(wide, text);
  ASSERT_TRUE(layout.ok()) << layout.message();
  EXPECT_EQ(layout->str(), text);
  EXPECT_EQ(layout->ragged()->units.sum(), 5 + 12 * 1006);
}

TEST(Parse, layoutErrorsNameTheColumn) {
  EXPECT_EQ(layoutError("[{x}]"), "column 3: expected an axis name in quotes, found `x`");
  EXPECT_EQ(layoutError("[{\"x\" \"y\"}]"),
            "column 7: expected `}` after the axes of a dim, found `\"`");
  EXPECT_EQ(layoutError("[{\"w\"}]"),
            "column 3: unknown axis \"w\"; the mesh is [\"x\" = 4, \"y\" = 2, \"z\" = 3]");
  EXPECT_EQ(layoutError("[{\"x}]"), "column 3: an axis name has no closing quote");
  EXPECT_EQ(layoutError("[{\"x\", ?}]"),
            "column 8: `?` leaves a dim open, which is a wish; a layout is closed");
  EXPECT_EQ(layoutError("[{}], partial = []"), "column 18: partial lists no axis; leave it out");
  EXPECT_EQ(layoutError("[{}], partial = [mean: \"x\"]"),
            "column 18: unknown reduction `mean`: a mean over uneven shards is not the mean of "
            "means; write sum and scale by the global count");
  EXPECT_EQ(layoutError("[{}], partial = [sum: \"x\", max: \"y\"]"),
            "column 28: partial by sum and by max on one value has no defined order; reduce one of "
            "them first");
  EXPECT_EQ(layoutError("[{}], ragged = {\"y\", units = [1, 1]}"), "column 22: expected `dims =`");
  EXPECT_EQ(layoutError("[{}], ragged = {\"y\", dims = 1, units = [1 x 0, 1]}"),
            "column 45: a run of 0 units; it has at least 1");
  EXPECT_EQ(layoutError("[{}], replicated = [\"x\"]"),
            "column 7: `replicated` is a wish; in a layout an unused axis replicates");
  EXPECT_EQ(layoutError("[{}], partial = [sum: \"x\"], partial = [sum: \"y\"]"),
            "column 29: `partial` is given twice");
  EXPECT_EQ(layoutError("[{}], other = 1"),
            "column 7: expected `partial` or `ragged`, found `other`");
  EXPECT_EQ(layoutError("[{}] x"), "column 6: expected the end of the text, found `x`");
  EXPECT_EQ(layoutError(""), "column 1: expected `[` before the dims, found the end of the text");
  StatusOr<Layout> layout = parseLayout(mesh(), "[{}, {\"w\"}]");
  EXPECT_EQ(layout.status().column(), 7);
}

TEST(Parse, shapes) {
  EXPECT_EQ(*parseShape("10x6"), (Shape{10, 6}));
  EXPECT_EQ(*parseShape(""), Shape{});
  EXPECT_EQ(*parseShape("0"), Shape{0});
  EXPECT_EQ(parseShape("10x").message(),
            "column 4: expected the size of a dim, found the end of the text");
  EXPECT_EQ(parseShape("4x-2").message(), "column 3: dim 1 has the negative size -2");
}

} // namespace
