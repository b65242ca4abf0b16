//===- PlanOriginTest.cpp - Which line of a plan asks for a tensor's layout ----------------------===//

#include "analysis/plan/PlanOrigin.h"

#include "gtest/gtest.h"

using namespace vescale::analysis;

namespace {

PlanFile plan() {
  return *PlanFile::parse(R"json({
  // "w" alone
  "mesh": {"dp": 2, "tp": 2},
  "parameters": {
    ".*": ["R", "S(0)"],
    "h\\.\\d+\\.w": ["S(1)", "R"]
  },
  "values": {
    ".*": "[{\"dp\"}, {}]"
  },
  "gradients": "as-parameters",
  "optimizer_state": {"like": "parameters", "also-cut-by": "dp"}
})json",
                          "p.json");
}

TEST(PlanOrigin, NamesTheLastKeyThatMatches) {
  EXPECT_EQ(originOf(plan(), PlanSection::parameters, "b"), "p.json:5: parameters \".*\": [R, S(0)]");
  EXPECT_EQ(originOf(plan(), PlanSection::parameters, "h.3.w"),
            "p.json:6: parameters \"h\\.\\d+\\.w\": [S(1), R]");
}

TEST(PlanOrigin, LooksForAKeyInItsSection) {
  EXPECT_EQ(originOf(plan(), PlanSection::values, "tokens"), "p.json:9: values \".*\": [{\"dp\"}, {}]");
}

TEST(PlanOrigin, FollowsParameters) {
  EXPECT_EQ(originOf(plan(), PlanSection::gradients, "h.0.w"),
            "gradients as parameters, p.json:6: parameters \"h\\.\\d+\\.w\": [S(1), R]");
  EXPECT_EQ(originOf(plan(), PlanSection::optimizerState, "h.0.w.m", /*further=*/true),
            "p.json: optimizer_state: also-cut-by dp");
  EXPECT_EQ(originOf(plan(), PlanSection::parameters, "b", /*further=*/true), "");
}

TEST(PlanOrigin, KnowsTheNamesOfGradients) {
  EXPECT_EQ(parameterOfGradient("h.0.w.gradient"), "h.0.w");
  EXPECT_EQ(parameterOfGradient("h.0.w"), "");
  EXPECT_EQ(parameterOfGradient(".gradient"), "");
}

} // namespace
