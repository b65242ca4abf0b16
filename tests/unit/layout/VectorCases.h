//===- VectorCases.h - Reads the shared test vectors -----------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_LAYOUT_VECTORCASES_H
#define VESCALE_TESTS_UNIT_LAYOUT_VECTORCASES_H

#include "layout/Box.h"
#include "layout/Parse.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace vescale::layout {

/// All cases of tests/unit/layout/vectors/<name>.json.
inline nlohmann::json vectorCases(const std::string &name) {
  std::ifstream file("tests/unit/layout/vectors/" + name + ".json");
  nlohmann::json cases = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(cases.is_array() && !cases.empty()) << name << " has no cases";
  return cases;
}

/// The mesh of a case: [["x", 2], ["y", 4]].
inline Mesh meshOf(const nlohmann::json &axes) {
  std::vector<Axis> result;
  for (const auto &axis : axes)
    result.push_back({axis[0].get<std::string>(), axis[1].get<int64_t>()});
  StatusOr<Mesh> mesh = Mesh::get(result);
  EXPECT_TRUE(mesh.ok()) << mesh.message();
  return *mesh;
}

inline Layout layoutOf(const Mesh &mesh, const std::string &text) {
  StatusOr<Layout> layout = parseLayout(mesh, text);
  EXPECT_TRUE(layout.ok()) << text << ": " << layout.message();
  return layout.ok() ? *layout : Layout();
}

inline std::vector<Box> boxesOf(const nlohmann::json &boxes) {
  std::vector<Box> result;
  for (const auto &box : boxes)
    result.push_back({box[0].get<std::vector<int64_t>>(), box[1].get<std::vector<int64_t>>()});
  return result;
}

} // namespace vescale::layout

#endif
