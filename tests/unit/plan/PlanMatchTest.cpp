//===- PlanMatchTest.cpp - What a plan asks of each tensor ------------------------------------===//

#include "analysis/plan/PlanMatch.h"

#include "gtest/gtest.h"

using namespace vescale;
using analysis::NamedTensor;
using analysis::PlanFile;
using analysis::TensorRequest;

namespace {

const std::vector<NamedTensor> model = {{"h.0.attn.qkv.weight", {192, 64}},
                                        {"h.1.attn.qkv.weight", {192, 64}},
                                        {"h.0.mlp.fc.bias", {256}},
                                        {"wte.weight", {50, 64}}};

layout::StatusOr<std::vector<TensorRequest>> match(const std::string &entries,
                                                   std::vector<std::string> &warnings) {
  layout::StatusOr<PlanFile> plan = PlanFile::parse(
      R"json({"mesh": {"dp": 2, "tp": 4}, "parameters": )json" + entries + "}", "plan.json");
  EXPECT_TRUE(plan.ok()) << plan.message();
  return analysis::matchEntries(*plan, "parameters", plan->parameters, model, 1, warnings);
}

std::string refusal(const std::string &entries) {
  std::vector<std::string> warnings;
  layout::StatusOr<std::vector<TensorRequest>> requests = match(entries, warnings);
  EXPECT_FALSE(requests.ok());
  return requests.message();
}

TEST(PlanMatch, KeysMatchWholeNames) {
  std::vector<std::string> warnings;
  auto requests = match(R"json({"h\\.\\d+\\.attn\\.qkv\\.weight": ["R", "IS(0, 3)"]})json", warnings);
  ASSERT_TRUE(requests.ok()) << requests.message();
  EXPECT_EQ((*requests)[0].wish->str(), R"([{"tp" / 3}p1, {}])");
  EXPECT_EQ((*requests)[1].wish->str(), R"([{"tp" / 3}p1, {}])");
  EXPECT_FALSE((*requests)[2].wish);
  EXPECT_FALSE((*requests)[3].wish);
  EXPECT_TRUE(warnings.empty());
}

TEST(PlanMatch, LaterKeysOverrideWithAWarning) {
  std::vector<std::string> warnings;
  auto requests = match(R"json({".*weight": ["R", "S(0)"], "h.*weight": ["S(1)", "R"]})json", warnings);
  ASSERT_TRUE(requests.ok()) << requests.message();
  EXPECT_EQ((*requests)[0].wish->str(), R"([{}, {"dp"}p1])");
  EXPECT_EQ((*requests)[3].wish->str(), R"([{"tp"}p1, {}])");
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "plan.json: parameters: \"h.*weight\" overrides \".*weight\" for "
                          "h.0.attn.qkv.weight and 1 more"});
}

TEST(PlanMatch, PrioritiesAndOpenDims) {
  std::vector<std::string> warnings;
  auto requests = match(R"json({"wte.weight": {"layout": "[{\"tp\"}p7, {?}]"},
          "h.*": {"placements": ["R", "S(0)"], "priority": 0, "open": true}})json",
      warnings);
  ASSERT_TRUE(requests.ok()) << requests.message();
  EXPECT_EQ((*requests)[3].wish->str(), R"([{"tp"}p7, {?}p1])");
  EXPECT_EQ((*requests)[0].wish->str(), R"([{"tp", ?}p0, {?}p0])");
  EXPECT_EQ((*requests)[2].wish->str(), R"([{"tp", ?}p0])");
}

TEST(PlanMatch, AlsoCutByAddsToOtherEntries) {
  std::vector<std::string> warnings;
  auto requests =
      match(R"json({"wte.*": ["R", "S(0)"], ".*": {"also-cut-by": "dp"}})json", warnings);
  ASSERT_TRUE(requests.ok()) << requests.message();
  EXPECT_EQ((*requests)[3].wish->str(), R"([{"tp"}p1, {}])");
  EXPECT_EQ((*requests)[3].alsoCutBy, std::vector<int>{0});
  EXPECT_FALSE((*requests)[0].wish);
  EXPECT_EQ((*requests)[0].alsoCutBy, std::vector<int>{0});
  EXPECT_TRUE(warnings.empty());
}

TEST(PlanMatch, AKeyThatMatchesNothingIsAnError) {
  EXPECT_EQ(refusal(R"json({"h\\.\\d+\\.attn\\.qvk\\.weight": ["R", "R"]})json"),
            "plan.json: parameters: \"h\\.\\d+\\.attn\\.qvk\\.weight\": matches nothing; nearest: "
            "`h.0.attn.qkv.weight`, `wte.weight`, `h.0.mlp.fc.bias`");
}

TEST(PlanMatch, WhatDoesNotFitIsAnError) {
  std::string rank = refusal(R"json({"h.0.mlp.fc.bias": ["R", "S(1)"]})json");
  EXPECT_EQ(rank.find("plan.json: parameters: \"h.0.mlp.fc.bias\": does not fit h.0.mlp.fc.bias of "
                      "shape 256 on mesh [\"dp\" = 2, \"tp\" = 4]: "),
            0u)
      << rank;
  EXPECT_NE(refusal(R"json({"wte.weight": ["R", "IS(0, 3)"]})json").find("of shape 50x64"),
            std::string::npos);
  EXPECT_NE(refusal(R"json({"wte.weight": "[{\"pp\"}, {}]"})json").find("pp"), std::string::npos);
  EXPECT_NE(refusal(R"json({"wte.weight": "[{\"tp\"}]"})json").find("1 dims are laid out where"),
            std::string::npos);
  EXPECT_NE(refusal(R"json({"wte.(weight": ["R", "R"]})json").find("not a regular expression"),
            std::string::npos);
}

} // namespace
