//===- MostMissingTest.cpp - The busiest device found by ranges against all devices
//------------===//
#include "Generators.h"

#include "layout/MostMissing.h"
#include "layout/Parse.h"
#include "layout/Region.h"
#include "layout/Transfer.h"

#include "gtest/gtest.h"
#include <rapidcheck/gtest.h>

#include <algorithm>

using namespace vescale::layout;

namespace {

/// By a look at every device.
struct Slowly {
  const Layout &before, &after;
  const Shape &shape;

  int64_t missing() const {
    int64_t most = 0;
    for (int64_t i = 0; i < after.mesh().numDevices(); ++i) {
      std::vector<Box> there = region(after, shape, after.mesh().coordinate(i));
      int64_t count = elementCount(there);
      if (auto own = before.mesh().positionOf(after.mesh().deviceId(i)))
        count -=
            elementCount(overlap(region(before, shape, before.mesh().coordinate(*own)), there));
      most = std::max(most, count);
    }
    return most;
  }
  int64_t received() const {
    Transfer transfer = *Transfer::get(before, after, shape);
    int64_t most = 0;
    for (int64_t i = 0; i < after.mesh().numDevices(); ++i)
      most = std::max(most, transfer.receive(i).missingElements());
    return most;
  }
  int64_t held() const {
    int64_t most = 0;
    for (int64_t i = 0; i < after.mesh().numDevices(); ++i)
      most = std::max(most, localElements(after, shape, after.mesh().coordinate(i)));
    return most;
  }
  int64_t lost() const {
    int64_t most = 0;
    for (int64_t i = 0; i < after.mesh().numDevices(); ++i) {
      Coordinate device = after.mesh().coordinate(i);
      most = std::max(most,
                      localElements(before, shape, device) - localElements(after, shape, device));
    }
    return most;
  }
};

void checkBusiest(const Layout &before, const Layout &after, const Shape &shape) {
  Slowly slowly{before, after, shape};
  RC_ASSERT(mostHeld(after, shape) == slowly.held());
  RC_ASSERT(mostMissing(before, after, shape) == slowly.missing());
  RC_ASSERT(mostReceived(*Transfer::get(before, after, shape)) == slowly.received());
  if (before.mesh() == after.mesh())
    RC_ASSERT(mostLost(before, after, shape) == slowly.lost());
}

RC_GTEST_PROP(MostMissing, isWhatTheBusiestOfAllDevicesMisses, ()) {
  Mesh mesh = arbitraryMesh(48);
  Shape shape = arbitraryShape();
  checkBusiest(arbitraryLayout(mesh, shape), arbitraryLayout(mesh, shape), shape);
}

RC_GTEST_PROP(MostMissing, isWhatTheBusiestMissesBetweenMeshes, ()) {
  Shape shape = arbitraryShape();
  Layout before = arbitraryLayout(arbitraryMesh(12), shape);
  checkBusiest(before, arbitraryLayout(arbitraryMesh(12), shape), shape);
}

/// The same number of devices, so that their order counts.
RC_GTEST_PROP(MostMissing, isWhatTheBusiestMissesOnTheSameDevices, ()) {
  std::vector<const char *> meshes = {"x=12", "x=3,y=4", "a=4,b=3", "a=2,b=6", "x=2,y=2,z=3"};
  Shape shape = arbitraryShape();
  Mesh source = *parseMesh(meshes[arbitraryInteger(0, 4)]);
  Mesh target = *parseMesh(meshes[arbitraryInteger(0, 4)]);
  Layout before = arbitraryLayout(source, shape);
  checkBusiest(before, arbitraryLayout(target, shape), shape);
}

struct Pair {
  const char *before, *after;
  Shape shape;
};
void PrintTo(const Pair &pair, std::ostream *out) { *out << pair.before << " to " << pair.after; }

/// Cuts of every kind that meet, on axes that are longer than any list of cases drawn at random.
class LongAxes : public ::testing::TestWithParam<Pair> {};

TEST_P(LongAxes, areCountedLikeAllDevices) {
  Mesh mesh = *parseMesh("x=40,y=36");
  Layout before = *parseLayout(mesh, GetParam().before),
         after = *parseLayout(mesh, GetParam().after);
  Slowly slowly{before, after, GetParam().shape};
  EXPECT_EQ(mostHeld(after, GetParam().shape), slowly.held());
  EXPECT_EQ(mostLost(before, after, GetParam().shape), slowly.lost());
  EXPECT_EQ(mostMissing(before, after, GetParam().shape), slowly.missing());
  EXPECT_EQ(mostReceived(*Transfer::get(before, after, GetParam().shape)), slowly.received());
}

INSTANTIATE_TEST_SUITE_P(
    MostMissing, LongAxes,
    ::testing::Values(Pair{R"([{"x"}, {}])", R"([{}, {"x"}])", {50, 70}},
                      Pair{R"([{"x", "y"}, {}])", R"([{"y"}, {"x"}])", {1000, 41}},
                      Pair{R"([{"x", "y"}])", R"([{"y", "x"}])", {1441}},
                      Pair{R"([{"x", "y"}])", R"([{"y"}])", {2000}},
                      Pair{R"([{"y"}])", R"([{"x" by 3}])", {100}},
                      Pair{R"([{"x" / 3}])", R"([{"y"}])", {120}},
                      Pair{R"([{"x"}], partial = [sum: "y"])", R"([{"y"}])", {95}},
                      Pair{R"([{"x"}])", R"([{"y"}], partial = [sum: "x"])", {95}},
                      Pair{R"([{"x", "y"}, {}])", R"([{}, {}], partial = [sum: "y"])", {1700, 3}},
                      Pair{R"([{"x"}, {}])", R"([{}, {"y"}], partial = [sum: "x":(2)4])", {53, 40}},
                      Pair{R"([{"x":(1)8}, {"x":(8)5}])", R"([{"x":(2)10}, {}])", {80, 20}}));

} // namespace
