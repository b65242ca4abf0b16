//===- StepPriceTest.cpp - What one step of a redistribution costs -----------------------------===//

#include "Generators.h"

#include "layout/Redistribution.h"
#include "layout/StepPrice.h"

#include "gtest/gtest.h"
#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

Layout parse(const Mesh &mesh, const char *text) { return *Layout::parse(mesh, text); }

TEST(StepPrice, FollowsTheFormulasOfRings) {
  Mesh mesh = *Mesh::parse("x=2,y=4");
  Layout whole = parse(mesh, "[{}, {}]"), rows = parse(mesh, "[{\"y\"}, {}]"),
         columns = parse(mesh, "[{}, {\"y\"}]"),
         partial = parse(mesh, "[{}, {}], partial = [sum: \"y\"]");
  Shape shape = {16, 8}; // 512 bytes of f32.
  StepPrice gather = priceStep(StepKind::allGather, rows, whole, shape, 4);
  EXPECT_EQ(gather.payloadBytes, 512);
  EXPECT_EQ(gather.bytes, 384);
  StepPrice scatter = priceStep(StepKind::reduceScatter, partial, rows, shape, 4);
  EXPECT_EQ(scatter.payloadBytes, 512);
  EXPECT_EQ(scatter.bytes, 384);
  EXPECT_EQ(priceStep(StepKind::allReduce, partial, whole, shape, 4).bytes, 768);
  StepPrice turn = priceStep(StepKind::allToAll, rows, columns, shape, 4);
  EXPECT_EQ(turn.payloadBytes, 128);
  EXPECT_EQ(turn.bytes, 96);
  EXPECT_EQ(priceStep(StepKind::slice, whole, rows, shape, 4).bytes, 0);
}

TEST(StepPrice, CountsTheDeviceThatNeedsMost) {
  Mesh mesh = *Mesh::parse("x=4");
  Layout whole = parse(mesh, "[{}]"), cut = parse(mesh, "[{\"x\"}]");
  // 6 as 2, 2, 2, 0: the empty device receives everything.
  StepPrice price = priceStep(StepKind::allGather, cut, whole, {6}, 4);
  EXPECT_EQ(price.bytes, 24);
  EXPECT_EQ(price.payloadBytes, 24);
}

TEST(StepPrice, TakesTheSlowestLink) {
  Mesh mesh = *Mesh::parse("x=2,y=2");
  LinkCosts links = *LinkCosts::parse(
      R"({"links": [{"axis": "x", "latency": 1e-5, "bandwidth": 1e6}],
          "default": {"latency": 1e-6, "bandwidth": 1e9}})");
  Layout both = parse(mesh, "[{\"x\", \"y\"}]"), x = parse(mesh, "[{\"x\"}]"),
         whole = parse(mesh, "[{}]");
  EXPECT_DOUBLE_EQ(priceStep(StepKind::allGather, both, x, {1000}, 4, &links).seconds,
                   1e-6 + 1000 / 1e9);
  EXPECT_DOUBLE_EQ(priceStep(StepKind::allGather, both, whole, {1000}, 4, &links).seconds,
                   1e-5 + 3000 / 1e6);
}

/// The planner prices whole paths with tables of its own.
RC_GTEST_PROP(StepPrice, IsWhatThePlannerSays, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout from = arbitraryLayout(mesh, shape), to = arbitraryLayout(mesh, shape);
  RedistributionOptions options;
  options.searchLimit = 2000;
  if (*rc::gen::arbitrary<bool>())
    options.links = std::make_shared<const LinkCosts>(
        *LinkCosts::parse(R"({"default": {"latency": 1e-6, "bandwidth": 1e9}})"));
  StatusOr<Plan> plan = planRedistribution(from, to, shape, 4, options);
  RC_ASSERT(plan.ok());
  Layout at = from;
  for (const Step &step : plan->steps()) {
    StepPrice price = priceStep(step.kind, at, step.after, shape, 4, options.links.get());
    RC_LOG() << str(step.kind) << " of " << at.str() << " to " << step.after.str();
    RC_ASSERT(price.bytes == step.bytes);
    RC_ASSERT(std::abs(price.seconds - step.seconds) <= 1e-11);
    at = step.after;
  }
}

} // namespace
