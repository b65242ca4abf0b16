//===- ProvenanceTest.cpp - Which decision gave a value its layout -----------------------------===//

#include "analysis/provenance/Provenance.h"

#include "gtest/gtest.h"

using namespace vescale;
using analysis::Provenance;

namespace {

Provenance example() {
  Provenance provenance;
  provenance.record({"step", "w", R"([{"tp"}, {}])", "", "", 1, 0, "basic"});
  provenance.record({"step", "h", R"([{}, {"tp"}])", "w", "vs.einsum at m.mlir:3:8", 1, 2, "basic"});
  provenance.record({"step", "w", R"([{"tp", "dp"}, {}])", "", "", std::nullopt, 0, "basic"});
  return provenance;
}

TEST(Provenance, AChainGoesBackToTheWish) {
  // What w became later is no reason for what h learned from it.
  EXPECT_EQ(example().explain("step", "h"),
            "h is laid out [{}, {\"tp\"}] because w is, through vs.einsum at m.mlir:3:8, in round "
            "1, step 2 (basic).\n"
            "w is laid out [{\"tp\"}, {}] because a wish asks for it, in round 1.\n");
  EXPECT_EQ(example().explain("step", "y"),
            "y is whole on every device: no wish reached it.\n");
  EXPECT_TRUE(example().chain("evaluate", "h").empty());
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
