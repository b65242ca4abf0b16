//===- ProvenanceTest.cpp - Which decision gave a value its layout -----------------------------===//

#include "analysis/provenance/Provenance.h"

#include "gtest/gtest.h"

using namespace vescale;
using analysis::Provenance;

namespace {

Provenance example() {
  Provenance provenance;
  provenance.record({"step", "w", R"([{"tp"}, {}])", 0, {"tp"}, "", -1, "", 1, 0, "basic"});
  provenance.record({"step", "h", R"([{}, {"tp"}])", 1, {"tp"}, "w", 0, "vs.einsum at m.mlir:3:8", 1,
                     2, "basic"});
  provenance.record({"step", "w", R"([{"tp", "dp"}, {}])", 0, {"dp"}, "", -1, "", std::nullopt, 0,
                     "further"});
  return provenance;
}

TEST(Provenance, AChainGoesBackToTheWish) {
  EXPECT_EQ(example().explain("step", "h"),
            "tp cuts dim 1 of h because it cuts dim 0 of w, and vs.einsum at m.mlir:3:8 makes them one "
            "factor (round 1, parallel factors, basic strategy).\n"
            "tp cuts dim 0 of w because a wish asks for it; it takes part from round 1.\n");
  EXPECT_EQ(example().explain("step", "y"), "y is whole on every device: no wish reached it.\n");
  EXPECT_TRUE(example().chain("evaluate", "h", "tp").empty());
  EXPECT_FALSE(example().knows("step", "y"));
}

TEST(Provenance, EachAxisHasItsOwnReason) {
  EXPECT_EQ(example().axesOf("step", "w"), (std::vector<std::string>{"tp", "dp"}));
  auto origin = [](const analysis::LayoutDecision &) { return std::string("p.json:3 asks"); };
  EXPECT_EQ(example().explain("step", "w", origin),
            "tp cuts dim 0 of w because p.json:3 asks; it takes part from round 1.\n"
            "dp cuts dim 0 of w further, after propagation, because p.json:3 asks.\n");
}

TEST(Provenance, JsonReadsBack) {
  layout::StatusOr<Provenance> read = Provenance::parse(example().json());
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->json(), example().json());
  EXPECT_EQ(read->explain("step", "h"), example().explain("step", "h"));
}

TEST(Provenance, WhatIsNoRecordIsRefused) {
  EXPECT_EQ(Provenance::parse("[]").message(),
            "not a record of decisions: expected {\"layouts\": [...]}");
  EXPECT_EQ(Provenance::parse(R"({"layouts": [{"function": "f"}]})").message(),
            "decision 0: \"value\" is missing");
}

} // namespace
