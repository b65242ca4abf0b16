//===- VectorsTest.cpp - Layouts against an independent implementation ----------------------===//
#include "VectorCases.h"

#include "layout/Legality.h"
#include "layout/Region.h"

#include <algorithm>
#include <map>

using namespace vescale::layout;

namespace {

/// Row-major indices of all elements of the boxes, sorted; repeated where boxes overlap.
std::vector<int64_t> elementsOf(const std::vector<Box> &boxes, const Shape &shape) {
  std::vector<int64_t> elements;
  std::vector<int64_t> strides = rowMajorStrides(shape);
  for (const Box &box : boxes)
    for (int64_t i = 0; i < box.elements(); ++i) {
      int64_t rest = i, at = 0;
      for (size_t d = shape.size(); d-- > 0;) {
        at += (box.offset[d] + rest % box.size[d]) * strides[d];
        rest /= box.size[d];
      }
      elements.push_back(at);
    }
  std::sort(elements.begin(), elements.end());
  return elements;
}

TEST(Vectors, localShapesAndRegionsAreThoseOfTheReference) {
  for (const auto &test : vectorCases("layouts")) {
    SCOPED_TRACE(test["id"].get<std::string>() + " " + test["layout"].get<std::string>());
    Mesh mesh = meshOf(test["mesh"]);
    Shape shape = test["shape"].get<Shape>();
    Layout layout = layoutOf(mesh, test["layout"]);
    Status legal = checkLegal(layout, shape);
    ASSERT_TRUE(legal.ok()) << legal.message();
    ASSERT_EQ(mesh.numDevices(), static_cast<int64_t>(test["shards"].size()));
    for (int64_t p = 0; p < mesh.numDevices(); ++p) {
      Coordinate coordinate = mesh.coordinate(p);
      const auto &shard = test["shards"][p];
      EXPECT_EQ(localShape(layout, shape, coordinate), shard["shape"].get<Shape>()) << "rank " << p;
      EXPECT_EQ(elementsOf(region(layout, shape, coordinate), shape),
                elementsOf(boxesOf(shard["boxes"]), shape))
          << "rank " << p;
    }
  }
}

TEST(Vectors, layoutsPrintAsTheyAreWrittenExceptForTheOrderOfPartialAxes) {
  for (const auto &test : vectorCases("layouts")) {
    Mesh mesh = meshOf(test["mesh"]);
    std::string text = test["layout"];
    Layout layout = layoutOf(mesh, text);
    EXPECT_EQ(layoutOf(mesh, layout.str()), layout);
    if (!layout.partial() || layout.partial()->axes.size() < 2) {
      EXPECT_EQ(layout.str(), text);
    }
  }
}

TEST(Vectors, faultsAreRefusedForTheirReason) {
  // The words of the reason in our messages.
  const std::map<std::string, std::string> reasons = {
      {"rank", "rank"},
      {"unknown axis", "unknown axis"},
      {"axis used twice", "axis used twice"},
      {"sub-axis does not divide", "does not divide the axis"},
      {"interleaved not divisible", "interleaved cut"},
      {"negative unit", "negative unit"},
      {"all units zero", "all units are zero"},
      {"units do not divide", "units do not divide"},
      {"ragged dims", "ragged dims"},
      {"more than one owner", "more than one owner"},
      {"uneven cut beside ragged", "uneven cut beside ragged"},
      {"unknown reduction", "unknown reduction"},
      {"text", "column"},
  };
  for (const auto &test : vectorCases("faults")) {
    SCOPED_TRACE(test["id"].get<std::string>() + " " + test["layout"].get<std::string>());
    Mesh mesh = meshOf(test["mesh"]);
    StatusOr<Layout> layout = parseLayout(mesh, test["layout"].get<std::string>());
    Status status = layout.ok() ? checkLegal(*layout, test["shape"].get<Shape>()) : layout.status();
    ASSERT_FALSE(status.ok());
    auto reason = reasons.find(test["fault"]);
    ASSERT_NE(reason, reasons.end()) << test["fault"];
    EXPECT_NE(status.message().find(reason->second), std::string::npos) << status.message();
  }
}

} // namespace
