//===- WishTest.cpp - Wishes and the layouts that grant them ---------------------------------===//
#include "layout/Wish.h"
#include "layout/Parse.h"

#include <gtest/gtest.h>

using namespace vescale::layout;

namespace {

Mesh mesh() { return *parseMesh("x=4,y=2,z=3"); }

std::string wishError(const char *text) {
  StatusOr<Wish> wish = Wish::parse(mesh(), text);
  return wish.ok() ? "accepted" : wish.message();
}

TEST(Wish, everyPartPrintsAsItIsWritten) {
  for (const char *text :
       {"[]", "[{\"x\"}, {}]", "[{\"x\", ?}p0, {?}p1, {}p12]", "[{?}], replicated = [\"y\", \"z\"]",
        "[{\"x\":(2)2, ?}], partial = [sum: \"y\"], replicated = [\"x\":(1)2]",
        "[{?}], ragged = {\"y\", dims = 1, units = [1, 2]}"}) {
    StatusOr<Wish> wish = Wish::parse(mesh(), text);
    ASSERT_TRUE(wish.ok()) << text << ": " << wish.message();
    EXPECT_EQ(wish->str(), text);
    EXPECT_EQ(*Wish::parse(mesh(), wish->str()), *wish);
    EXPECT_EQ(Wish::parse(mesh(), wish->str())->hash(), wish->hash());
  }
  EXPECT_EQ(Wish::open(mesh(), 2).str(), "[{?}, {?}]");
  EXPECT_NE(*Wish::parse(mesh(), "[{?}p0]"), *Wish::parse(mesh(), "[{?}]"));
  EXPECT_NE(*Wish::parse(mesh(), "[{\"x\", ?}]"), *Wish::parse(mesh(), "[{\"x\"}]"));
}

TEST(Wish, errors) {
  EXPECT_EQ(wishError("[{?, \"x\"}]"),
            "column 4: expected `}` after `?`, which is the last of a dim, found `,`");
  EXPECT_EQ(wishError("[{?}q0]"), "column 5: expected `]` after the dims, found `q0`");
  EXPECT_EQ(wishError("[{?}px]"), "column 5: `px` is no priority; write p and a number: p0");
  EXPECT_EQ(wishError("[{\"x\"}], replicated = [\"x\":(1)2]"),
            "replicated: axis used twice: \"x\":(1)2 must stay unused, but \"x\" is in use");
  EXPECT_EQ(wishError("[{}], replicated = [\"y\", \"y\"]"),
            "replicated: axis used twice: \"y\" must stay unused, but \"y\" is in use");
  EXPECT_EQ(wishError("[{}], replicated = []"),
            "column 21: replicated lists no axis; leave it out");
}

TEST(Wish, isGrantedByLayoutsThatKeepIt) {
  Wish wish = *Wish::parse(mesh(), "[{\"x\":(1)2, ?}, {\"y\"}], replicated = [\"z\"]");
  auto granted = [&](const char *text) {
    return wish.checkGranted(*parseLayout(mesh(), text)).message();
  };
  EXPECT_EQ(granted("[{\"x\":(1)2}, {\"y\"}]"), "");
  EXPECT_EQ(granted("[{\"x\":(1)2, \"x\":(2)2}, {\"y\"}]"), "");
  EXPECT_EQ(granted("[{\"x\":(2)2, \"x\":(1)2}, {\"y\"}]"),
            "dim 0: {\"x\":(1)2} is asked for at least, the layout has {\"x\":(2)2, \"x\":(1)2}");
  EXPECT_EQ(granted("[{\"x\":(1)2}, {\"y\", \"x\":(2)2}]"),
            "dim 1: {\"y\"} is asked for and no more, the layout has {\"y\", \"x\":(2)2}");
  EXPECT_EQ(granted("[{\"x\":(1)2, \"z\"}, {\"y\"}]"),
            "\"z\" must stay unused, but the layout uses \"z\"");
  EXPECT_NE(granted("[{\"x\":(1)2}, {\"y\"}], partial = [sum: \"x\":(2)2]"), "");
}

} // namespace
