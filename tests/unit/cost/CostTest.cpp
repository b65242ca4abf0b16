//===- CostTest.cpp - Clusters and prices ------------------------------------------------------===//

#include "analysis/cost/CostModel.h"
#include "layout/Parse.h"

#include <gtest/gtest.h>

namespace vescale::analysis {
namespace {

const char *const complete = R"({
  // Comments are allowed.
  "devices": 8, "memory": 8e10, "rates": {"f32": 2e12, "bf16": 8e12}, "memory_bandwidth": 1e12,
  "links": [{"axis": "tp", "latency": 1e-6, "bandwidth": 1e11}],
  "default": {"latency": 1e-5, "bandwidth": 1e10}
})";

TEST(Cluster, ReadsAllMembers) {
  auto cluster = Cluster::parse(complete);
  ASSERT_TRUE(cluster.ok()) << cluster.message();
  EXPECT_EQ(cluster->devices, 8);
  EXPECT_EQ(cluster->memory, 80000000000);
  EXPECT_EQ(cluster->rates.at("bf16"), 8e12);
  EXPECT_EQ(cluster->memoryBandwidth, 1e12);
  EXPECT_EQ(cluster->links->link("tp").bandwidth, 1e11);
  EXPECT_EQ(cluster->links->link("dp").latency, 1e-5);
}

TEST(Cluster, SaysWhatIsWrong) {
  auto message = [](const char *text) {
    auto cluster = Cluster::parse(text);
    return cluster.ok() ? std::string() : cluster.message();
  };
  EXPECT_NE(message("[]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(message(R"({"memory_bandwidth": 1})").find("\"rates\""), std::string::npos);
  EXPECT_NE(message(R"({"rates": {"f32": -1}, "memory_bandwidth": 1})").find("\"f32\""),
            std::string::npos);
  EXPECT_NE(message(R"({"rates": {"f32": 1}})").find("\"memory_bandwidth\" is missing"),
            std::string::npos);
  EXPECT_NE(message(R"({"rates": {"f32": 1}, "memory_bandwidth": 1})").find("links"),
            std::string::npos);
  EXPECT_NE(message(R"({"memory": 0, "rates": {"f32": 1}, "memory_bandwidth": 1})").find("\"memory\""),
            std::string::npos);
  EXPECT_NE(CostModel::read("no/such/file.json").message().find("cannot be read"),
            std::string::npos);
}

TEST(Cluster, ExamplesAreReadable) {
  auto model = CostModel::read("examples/clusters/h100.json");
  EXPECT_TRUE(model.ok()) << model.message();
}

TEST(CostModel, PricesFollowTheCluster) {
  CostModel costs(*Cluster::parse(complete));
  EXPECT_DOUBLE_EQ(costs.pointSeconds(2), 2 / 8e12);
  // No rate for f64: that of the slowest type.
  EXPECT_DOUBLE_EQ(costs.pointSeconds(8), 2 / 2e12);
  EXPECT_DOUBLE_EQ(costs.writeSeconds(2e12), 2);
}

TEST(CostModel, SmallReductionsAreOneLaunch) {
  // Fewer bytes are possible with two launches, which take longer.
  auto mesh = layout::parseMesh("dp=4,tp=2");
  auto partial = layout::parseLayout(*mesh, R"([{}], partial = [sum: "dp"])");
  auto whole = layout::parseLayout(*mesh, "[{}]");
  auto plan = layout::planRedistribution(*partial, *whole, {64}, 4, CostModel().planning());
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->launches(), 1);
  EXPECT_NEAR(plan->seconds(), 1.6e-6 + 384 / 1e10, 1e-12);
}

} // namespace
} // namespace vescale::analysis
