//===- RedistributionTest.cpp - Plans that are known, remembered or refused ------------------===//
#include "layout/Redistribution.h"
#include "layout/Parse.h"
#include "layout/Transfer.h"
#include "tests/unit/layout/redistribution/PlanChecks.h"

#include <gtest/gtest.h>

namespace vescale::layout {
namespace {

Layout parsed(const Mesh &mesh, const char *text) {
  auto layout = parseLayout(mesh, text);
  EXPECT_TRUE(layout.ok()) << text << ": " << layout.message();
  return *layout;
}

struct Expected {
  const char *name, *mesh, *from, *to;
  Shape shape;
  std::vector<StepKind> steps;
  int64_t bytes;
};

void PrintTo(const Expected &expected, std::ostream *out) { *out << expected.name; }

class KnownPlans : public ::testing::TestWithParam<Expected> {};

TEST_P(KnownPlans, areFound) {
  const Expected &expected = GetParam();
  Mesh mesh = *parseMesh(expected.mesh);
  Layout from = parsed(mesh, expected.from), to = parsed(mesh, expected.to);
  auto plan = planRedistribution(from, to, expected.shape, 4);
  ASSERT_TRUE(plan.ok()) << plan.message();
  std::vector<StepKind> kinds;
  for (const Step &step : plan->steps())
    kinds.push_back(step.kind);
  EXPECT_EQ(kinds, expected.steps) << describe(*plan);
  EXPECT_EQ(plan->bytes(), expected.bytes) << describe(*plan);
  EXPECT_EQ(checkPlan(*plan, from, to, expected.shape, 4), "");
}

using Kind = StepKind;

INSTANTIATE_TEST_SUITE_P(
    Redistribution, KnownPlans,
    ::testing::Values(
        Expected{"replicateToShard", "x=4", "[{}]", "[{\"x\"}]", {8}, {Kind::slice}, 0},
        Expected{"shardToReplicateOverTwoAxes",
                 "x=2,y=2",
                 "[{\"x\"}, {\"y\"}]",
                 "[{}, {}]",
                 {4, 4},
                 {Kind::allGather},
                 48},
        Expected{
            "shardToShard", "x=4", "[{\"x\"}, {}]", "[{}, {\"x\"}]", {8, 8}, {Kind::allToAll}, 48},
        Expected{"partialToReplicateOverAllAxes",
                 "x=2,y=2",
                 "[{}], partial = [sum: \"x\", sum: \"y\"]",
                 "[{}]",
                 {8},
                 {Kind::allReduce},
                 48},
        Expected{"partialToShardOverAllAxes",
                 "x=2,y=2",
                 "[{}], partial = [sum: \"x\", sum: \"y\"]",
                 "[{\"x\", \"y\"}]",
                 {8},
                 {Kind::reduceScatter},
                 24},
        Expected{"partialToOneCut",
                 "x=2,y=2",
                 "[{}], partial = [max: \"x\", max: \"y\"]",
                 "[{\"x\"}]",
                 {8},
                 {Kind::reduceScatter, Kind::allReduce},
                 32},
        Expected{"partialToRagged",
                 "x=4",
                 "[{}], partial = [sum: \"x\"]",
                 "[{}], ragged = {\"x\", dims = 1, units = [1, 3, 2, 2]}",
                 {8},
                 {Kind::reduceScatter},
                 28},
        Expected{"partialToOneOwner",
                 "x=2",
                 "[{}], partial = [sum: \"x\"]",
                 "[{}], ragged = {\"x\", dims = 0, units = [0, 1]}",
                 {8},
                 {Kind::reduceScatter},
                 32},
        Expected{"raggedToRagged",
                 "x=3",
                 "[{}], ragged = {\"x\", dims = 1, units = [4, 4, 4]}",
                 "[{}], ragged = {\"x\", dims = 1, units = [2, 4, 6]}",
                 {12},
                 {Kind::exchange},
                 8},
        Expected{"raggedToOneOwner",
                 "x=2",
                 "[{}], ragged = {\"x\", dims = 1, units = [5, 3]}",
                 "[{}], ragged = {\"x\", dims = 0, units = [1, 0]}",
                 {8},
                 {Kind::exchange},
                 12},
        Expected{"oneOwnerToRagged",
                 "x=2",
                 "[{}], ragged = {\"x\", dims = 0, units = [1, 0]}",
                 "[{}], ragged = {\"x\", dims = 1, units = [5, 3]}",
                 {8},
                 {Kind::exchange},
                 12},
        Expected{
            "interleavedToPlain", "x=2", "[{\"x\" / 3}]", "[{\"x\"}]", {12}, {Kind::exchange}, 8},
        Expected{"replicateToInterleaved", "x=2", "[{}]", "[{\"x\" / 3}]", {12}, {Kind::slice}, 0},
        Expected{"outOfOrder",
                 "x=2,y=2",
                 "[{\"x\", \"y\"}]",
                 "[{\"y\", \"x\"}]",
                 {8},
                 {Kind::permute},
                 8},
        Expected{"anAllToAllThatReorders",
                 "x=2,y=2",
                 "[{\"x\", \"y\"}, {}]",
                 "[{}, {\"y\", \"x\"}]",
                 {4, 8},
                 {Kind::allToAll},
                 24},
        Expected{"nestedCutToItsMinorAxis",
                 "x=2,y=2",
                 "[{\"x\", \"y\"}]",
                 "[{\"y\"}]",
                 {8},
                 {Kind::exchange},
                 16}));

TEST(Redistribution, anExchangeFoldsAPermutationIntoAnAllToAll) {
  Mesh mesh = *parseMesh("x=2,y=2");
  Layout from = parsed(mesh, "[{\"x\"}, {\"y\"}, {}]"), to = parsed(mesh, "[{\"y\"}, {}, {\"x\"}]");
  Shape shape = {4, 4, 4};
  RedistributionOptions options;
  options.collectivesOnly = true;
  auto apart = planRedistribution(from, to, shape, 4, options);
  EXPECT_EQ(apart->launches(), 2) << describe(*apart);
  EXPECT_EQ(checkPlan(*apart, from, to, shape, 4), "");
  auto folded = planRedistribution(from, to, shape, 4);
  ASSERT_EQ(folded->steps().size(), 1u) << describe(*folded);
  EXPECT_EQ(folded->steps()[0].kind, StepKind::exchange);
  EXPECT_LE(folded->bytes(), apart->bytes());
  EXPECT_EQ(checkPlan(*folded, from, to, shape, 4), "");
  // The table of overlaps: by peers, what one sends is what the other receives, and the busiest
  // receives what the plan says.
  Transfer table = *Transfer::get(from, to, shape);
  int64_t sent[4][4] = {}, received[4][4] = {}, busiest = 0;
  for (int64_t rank = 0; rank < 4; ++rank) {
    for (const Dispatch &dispatch : table.send(rank))
      sent[rank][dispatch.target] += dispatch.copy.elements();
    Reception reception = table.receive(rank);
    for (const BoxCopy &copy : reception.copies)
      received[copy.source][rank] += copy.elements();
    busiest = std::max(busiest, reception.missingElements());
  }
  for (int64_t source = 0; source < 4; ++source)
    for (int64_t target = 0; target < 4; ++target)
      EXPECT_EQ(sent[source][target], received[source][target]) << source << " to " << target;
  EXPECT_EQ(busiest * 4, folded->bytes());
}

TEST(Redistribution, equalLayoutsNeedNoStep) {
  Layout layout = parsed(*parseMesh("x=2"), "[{\"x\"}]");
  auto plan = planRedistribution(layout, layout, {8}, 4);
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(plan->steps().empty());
}

TEST(Redistribution, partsThatMergeEvenlyAreNoStepOfTheirOwn) {
  Mesh mesh = *parseMesh("x=4,y=2");
  // Cut by "y", nothing is left for the minor half of "x".
  Layout from = parsed(mesh, "[{\"y\", \"x\":(1)2, \"x\":(2)2}, {}, {}]");
  Layout to = parsed(mesh, "[{\"x\"}, {}, {}], partial = [sum: \"y\"]");
  auto plan = planRedistribution(from, to, {4, 2, 8}, 4);
  ASSERT_TRUE(plan.ok()) << plan.message();
  EXPECT_EQ(checkPlan(*plan, from, to, {4, 2, 8}, 4), "") << describe(*plan);
}

TEST(Redistribution, plansCrossMeshesByExchange) {
  Mesh left = *Mesh::get({{"x", 2}}, {0, 1}), right = *Mesh::get({{"a", 2}}, {2, 3});
  auto plan = planRedistribution(parsed(left, "[{\"x\"}]"), parsed(right, "[{\"a\"}]"), {8}, 4);
  ASSERT_TRUE(plan.ok()) << plan.message();
  ASSERT_EQ(plan->steps().size(), 1u);
  EXPECT_EQ(plan->steps()[0].kind, StepKind::exchange);
  EXPECT_EQ(plan->bytes(), 16);
}

TEST(Redistribution, slowLinksAreLeftToFewBytes) {
  Mesh mesh = *parseMesh("slow=2,fast=2");
  RedistributionOptions options;
  options.links = std::make_shared<const LinkCosts>(*LinkCosts::parse(
      R"({"links": [{"axis": "slow", "latency": 1e-5, "bandwidth": 1e6},
                    {"axis": "fast", "latency": 1e-6, "bandwidth": 1e9}]})"));
  Layout from = parsed(mesh, "[{}], partial = [sum: \"slow\", sum: \"fast\"]");
  Layout to = parsed(mesh, "[{}]");
  Shape shape = {1 << 16};
  // All at once is least by bytes, but most of them would cross the slow links.
  EXPECT_EQ(planRedistribution(from, to, shape, 4)->steps().size(), 1u);
  auto plan = planRedistribution(from, to, shape, 4, options);
  ASSERT_TRUE(plan.ok()) << plan.message();
  ASSERT_EQ(plan->steps().size(), 3u) << describe(*plan);
  EXPECT_EQ(plan->steps()[0].kind, StepKind::reduceScatter);
  EXPECT_EQ(plan->steps()[0].axes, std::vector<SubAxis>{wholeAxis(mesh, 1)});
  EXPECT_EQ(plan->steps()[1].kind, StepKind::allReduce);
  EXPECT_EQ(plan->steps()[1].axes, std::vector<SubAxis>{wholeAxis(mesh, 0)});
  EXPECT_EQ(plan->steps()[2].kind, StepKind::allGather);
  double expected = 1e-6 + 131072 / 1e9 + 1e-5 + 131072 / 1e6 + 1e-6 + 131072 / 1e9;
  EXPECT_NEAR(plan->seconds(), expected, 1e-9);
  EXPECT_EQ(checkPlan(*planRedistribution(from, to, {8}, 4, options), from, to, {8}, 4), "");
}

TEST(Redistribution, theRunnerUpIsNamedWithTheReasonWhyItLost) {
  Mesh mesh = *parseMesh("x=2,y=2");
  auto permuted = planRedistribution(parsed(mesh, "[{\"x\", \"y\"}]"),
                                     parsed(mesh, "[{\"y\", \"x\"}]"), {8}, 4);
  EXPECT_EQ(permuted->runnerUp(),
            "exchange (8 bytes, 1 launch) costs the same, and collectives are preferred");
  auto reduced = planRedistribution(parsed(mesh, "[{}], partial = [sum: \"x\"]"),
                                    parsed(mesh, "[{}]"), {8}, 4);
  EXPECT_EQ(reduced->runnerUp(),
            "exchange (32 bytes, 1 launch) costs the same, and collectives are "
            "preferred");
  auto exchanged =
      planRedistribution(parsed(mesh, "[{\"x\", \"y\"}]"), parsed(mesh, "[{\"y\"}]"), {8}, 4);
  EXPECT_EQ(exchanged->runnerUp(),
            "permute, all_gather (16 bytes, 2 launches) needs 1 launch more");
}

TEST(Redistribution, aSearchThatReachesItsLimitSaysSo) {
  Mesh mesh = *parseMesh("x=8,y=8");
  Layout from =
      parsed(mesh, "[{\"y\":(4)2, \"y\":(2)2, \"x\":(4)2, \"x\":(1)2}, {}, {\"x\":(2)2}]");
  Layout to = parsed(mesh, "[{}, {\"y\":(1)2, \"y\":(4)2}, {\"x\":(4)2, \"y\":(2)2, \"x\":(1)2}]");
  RedistributionOptions options;
  options.collectivesOnly = true;
  options.searchLimit = 10;
  auto cut = planRedistribution(from, to, {16, 16, 16}, 4, options);
  ASSERT_TRUE(cut.ok());
  EXPECT_TRUE(cut->searchCutShort());
  EXPECT_EQ(checkPlan(*cut, from, to, {16, 16, 16}, 4), "");
  options.searchLimit = 1000000;
  auto whole = planRedistribution(from, to, {16, 16, 16}, 4, options);
  EXPECT_FALSE(whole->searchCutShort());
  EXPECT_EQ(whole->gap(), 0);
  EXPECT_LE(whole->bytes(), cut->bytes());
  EXPECT_GE(whole->bytes(), (1 - cut->gap()) * cut->bytes());
}

TEST(Redistribution, theGapOfASearchCutShortHoldsTheCheapestPlan) {
  Mesh mesh = *parseMesh("a=2,b=2,c=2,d=2,e=2");
  Layout from = parsed(mesh, "[{\"a\", \"b\"}, {\"c\"}, {\"d\"}]");
  Layout to = parsed(mesh, "[{\"d\"}, {\"e\", \"a\"}, {\"b\"}]");
  Shape shape = {8, 8, 8};
  for (bool inSeconds : {false, true}) {
    RedistributionOptions options;
    options.collectivesOnly = true;
    if (inSeconds)
      options.links = std::make_shared<const LinkCosts>(*LinkCosts::parse(
          R"({"links": [{"axis": "a", "latency": 1e-8, "bandwidth": 1e8}],
              "default": {"latency": 1e-9, "bandwidth": 1e9}})"));
    auto price = [&](const Plan &plan) { return inSeconds ? plan.seconds() : plan.bytes(); };
    options.searchLimit = 2000000;
    auto best = planRedistribution(from, to, shape, 32, options);
    ASSERT_FALSE(best->searchCutShort());
    int cut = 0;
    for (int limit : {1, 30, 300, 3000}) {
      options.searchLimit = limit;
      auto plan = planRedistribution(from, to, shape, 32, options);
      EXPECT_EQ(checkPlan(*plan, from, to, shape, 32), "") << describe(*plan);
      EXPECT_GE(price(*plan) * (1 + 1e-9), price(*best));
      EXPECT_LE(price(*plan) * (1 - plan->gap()), price(*best) * (1 + 1e-9)) << limit;
      EXPECT_LT(plan->gap(), 1) << limit;
      if (!plan->searchCutShort()) {
        EXPECT_EQ(plan->gap(), 0);
      }
      cut += plan->searchCutShort();
    }
    EXPECT_GE(cut, 2);
  }
}

TEST(Redistribution, tensorsOfOnePatternShareAPlanWithTheirOwnBytes) {
  Mesh mesh = *parseMesh("x=4");
  Layout from = parsed(mesh, "[{\"x\"}, {}]"), to = parsed(mesh, "[{}, {\"x\"}]");
  auto small = planRedistribution(from, to, {8, 8}, 4);
  auto large = planRedistribution(from, to, {40, 24}, 2);
  EXPECT_EQ(small->bytes(), 8 * 8 * 4 * 3 / 16);
  EXPECT_EQ(large->bytes(), 40 * 24 * 2 * 3 / 16);
  auto uneven = planRedistribution(from, to, {8, 6}, 4);
  EXPECT_EQ(checkPlan(*uneven, from, to, {8, 6}, 4), "");
}

TEST(Redistribution, wrongQuestionsAreRefusedWithTheReason) {
  Mesh mesh = *parseMesh("x=2");
  Layout cut = parsed(mesh, "[{\"x\" / 3}]"), whole = parsed(mesh, "[{}]");
  auto illegal = planRedistribution(cut, whole, {8}, 4);
  ASSERT_FALSE(illegal.ok());
  EXPECT_EQ(illegal.message().rfind("from: ", 0), 0u) << illegal.message();
  auto ranks = planRedistribution(whole, parsed(mesh, "[{}, {}]"), {8}, 4);
  ASSERT_FALSE(ranks.ok());
  EXPECT_EQ(ranks.message().rfind("to: ", 0), 0u) << ranks.message();
  EXPECT_FALSE(planRedistribution(whole, parsed(mesh, "[{\"x\"}]"), {8}, 0).ok());
  RedistributionOptions options;
  options.collectivesOnly = true;
  EXPECT_FALSE(planRedistribution(whole, parsed(*parseMesh("y=2"), "[{}]"), {8}, 4, options).ok());
}

TEST(LinkCosts, areReadFromTheDescriptionOfACluster) {
  auto links = LinkCosts::parse(R"({"devices": 8, "default": {"latency": 2e-6, "bandwidth": 1e10},
                                    "links": [{"axis": "dp", "latency": 1e-5, "bandwidth": 5e9}]})");
  ASSERT_TRUE(links.ok()) << links.message();
  EXPECT_EQ(links->link("dp"), (Link{1e-5, 5e9}));
  EXPECT_EQ(links->link("tp"), (Link{2e-6, 1e10}));
  EXPECT_EQ(slowest(links->link("dp"), Link{1e-4, 1e10}), (Link{1e-4, 5e9}));
}

TEST(LinkCosts, namesWhatIsWrong) {
  auto message = [](const char *text) { return LinkCosts::parse(text).message(); };
  EXPECT_EQ(message("{"), "cluster: the text is not JSON");
  EXPECT_EQ(message("{}"), "cluster: neither \"links\" nor \"default\" gives a link");
  EXPECT_EQ(message(R"({"links": [{"latency": 0, "bandwidth": 1}]})"),
            "cluster: links[0]: \"axis\" must be the name of a mesh axis");
  EXPECT_EQ(message(R"({"links": [{"axis": "x", "latency": "1", "bandwidth": 1}]})"),
            "cluster: links[0]: \"latency\" must be a number");
  EXPECT_EQ(message(R"({"default": {"latency": 0, "bandwidth": 0}})"),
            "cluster: default: bandwidth 0 is not a positive number of bytes per second");
}

} // namespace
} // namespace vescale::layout
