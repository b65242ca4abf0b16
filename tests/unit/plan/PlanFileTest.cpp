//===- PlanFileTest.cpp - Reading plan files -------------------------------------------------===//

#include "analysis/plan/NearestNames.h"
#include "analysis/plan/PlanFile.h"

#include "gtest/gtest.h"

using namespace vescale;
using analysis::PlanFile;

namespace {

PlanFile parsed(const std::string &text) {
  layout::StatusOr<PlanFile> plan = PlanFile::parse(text, "plan.json");
  EXPECT_TRUE(plan.ok()) << plan.message();
  return *plan;
}

std::string refusal(const std::string &text) {
  layout::StatusOr<PlanFile> plan = PlanFile::parse(text, "plan.json");
  EXPECT_FALSE(plan.ok());
  return plan.message();
}

TEST(PlanFile, EverySectionIsRead) {
  PlanFile plan = parsed(R"json({
    // A comment.
    "mesh": {"dp": 2, "tp": 4},
    "parameters": { "z": ["R", "IS(0, 3)"], "a": {"layout": "[{\"tp\"}p3, {?}]"},
                    "m": {"placements": ["S(0)", "R"], "priority": 5, "open": true} },
    "values": { "h\\.\\d+\\.attn\\.input": ["S(0)", "R"] }, /* another */
    "gradients": "as-parameters",
    "optimizer_state": {"like": "parameters", "also-cut-by": "dp"},
    "recompute": ["h\\.\\d+"], "accumulate": 4, "precision": "bf16",
    "pipeline": {"axis": "dp", "schedule": "gpipe"} })json");
  EXPECT_EQ(plan.mesh().str(), R"(["dp" = 2, "tp" = 4])");
  ASSERT_EQ(plan.parameters.size(), 3u);
  EXPECT_EQ(plan.parameters[0].key, "z");
  EXPECT_EQ(plan.parameters[0].request.placements, (std::vector<std::string>{"R", "IS(0, 3)"}));
  EXPECT_EQ(plan.parameters[1].key, "a");
  EXPECT_EQ(plan.parameters[1].request.layout, R"([{"tp"}p3, {?}])");
  EXPECT_EQ(plan.parameters[2].request.priority, 5);
  EXPECT_TRUE(plan.parameters[2].request.open);
  EXPECT_EQ(plan.values.front().key, R"(h\.\d+\.attn\.input)");
  EXPECT_EQ(plan.gradients.like, "parameters");
  EXPECT_EQ(plan.optimizerState.alsoCutBy, std::vector<std::string>{"dp"});
  EXPECT_EQ(plan.recompute, std::vector<std::string>{R"(h\.\d+)"});
  EXPECT_EQ(plan.accumulate, 4);
  EXPECT_EQ(plan.precision, "bf16");
  EXPECT_EQ(plan.pipeline->axis, "dp");
  EXPECT_EQ(plan.pipeline->schedule, "gpipe");
  EXPECT_EQ(plan.pipeline->split, "uniform");
}

TEST(PlanFile, DeviceIdsPermuteTheMesh) {
  PlanFile plan = parsed(R"json({"mesh": {"x": 2}, "device_ids": [1, 0]})json");
  EXPECT_EQ(plan.mesh().deviceId(0), 1);
}

TEST(PlanFile, FaultsAreNamed) {
  EXPECT_EQ(refusal("{\n \"mesh\": {\"x\": 2},\n oops }"), "plan.json:3:2: not JSON");
  EXPECT_EQ(refusal("[1]"), "plan.json: plan: expected an object with a \"mesh\"");
  EXPECT_EQ(refusal(R"json({"mesh": {}})json"),
            "plan.json: mesh: expected an object of axis names and sizes, such as {\"dp\": 2}");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 0}})json").substr(0, 17), "plan.json: mesh: ");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "paramters": {}})json"),
            "plan.json: plan: unknown key \"paramters\"; nearest: `parameters`, `values`, "
            "`gradients`");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "values": {"a": ["R"], "a": ["S(0)"]}})json"),
            "plan.json: plan: key \"a\" stands twice in one object");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2, "y": 2}, "values": {"a": ["R"]}})json"),
            "plan.json: values: \"a\": 1 placements for the 2 axes of mesh [\"x\" = 2, \"y\" = 2]");
  EXPECT_EQ(refusal(R"json({"mesh": {"dp": 2}, "optimizer_state": {"also-cut-by": "pd"}})json"),
            "plan.json: optimizer_state: \"also-cut-by\": mesh [\"dp\" = 2] has no axis \"pd\"; "
            "nearest: `dp`");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "gradients": "as-states"})json"),
            "plan.json: gradients: expected \"as-parameters\" or an object, found \"as-states\"");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "accumulate": 0})json"),
            "plan.json: accumulate: expected a number of micro-batches from 1 on");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "precision": "f31"})json"),
            "plan.json: precision: expected one of \"f64\", \"f32\", \"bf16\", \"f16\"");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "pipeline": {"schedule": "1f1b"}})json"),
            "plan.json: pipeline: \"axis\" is missing");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "values": {"a": {"placements": ["R"], "layout": "[{}]"}}})json"),
            "plan.json: values: \"a\": \"placements\" and \"layout\" exclude each other");
  EXPECT_EQ(refusal(R"json({"mesh": {"x": 2}, "values": {"a": {"layout": "[{}]", "priority": -1}}})json"),
            "plan.json: values: \"a\": \"priority\" must be a number from 0 on");
  EXPECT_EQ(PlanFile::read("/no/such/plan.json").message(),
            "/no/such/plan.json: cannot read the plan file");
}

TEST(NearestNames, EditDistances) {
  EXPECT_EQ(analysis::editDistance("kitten", "sitting"), 3);
  EXPECT_EQ(analysis::editDistance("", "abc"), 3);
  EXPECT_EQ(analysis::editDistance("abc", "abc"), 0);
  EXPECT_EQ(analysis::nearestNames("h.0.attn.wight", {"h.0.attn.weight", "h.1.attn.weight", "wte"}),
            (std::vector<std::string>{"h.0.attn.weight", "wte"}));
}

} // namespace
