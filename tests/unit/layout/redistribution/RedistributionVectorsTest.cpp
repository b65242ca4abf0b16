//===- RedistributionVectorsTest.cpp - Plans against an independent search -------------------===//
#include "tests/unit/layout/redistribution/PlanChecks.h"

#include "layout/Legality.h"
#include "tests/unit/layout/VectorCases.h"

#include <gtest/gtest.h>

namespace vescale::layout {
namespace {

using nlohmann::json;

/// "7/24" of the tensor, in bytes. The element size makes every fraction whole.
int64_t bytesOf(const std::string &fraction, int64_t tensorBytes) {
  size_t slash = fraction.find('/');
  int64_t numerator = std::stoll(fraction.substr(0, slash));
  int64_t denominator = slash == std::string::npos ? 1 : std::stoll(fraction.substr(slash + 1));
  EXPECT_EQ(tensorBytes * numerator % denominator, 0) << fraction;
  return tensorBytes * numerator / denominator;
}

void checkCase(const json &example) {
  SCOPED_TRACE(example.dump());
  Mesh mesh = meshOf(example["mesh"]);
  Shape shape = example["shape"].get<Shape>();
  Layout from = layoutOf(mesh, example["from"]), to = layoutOf(mesh, example["to"]);
  const int64_t elementBytes = 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 3 * 3;
  int64_t tensor = elementCount(shape) * elementBytes;
  int64_t exchange = bytesOf(example["exchange"], tensor);
  int64_t best = bytesOf(example["best"]["bytes"], tensor);
  int launches = example["best"]["launches"];

  RedistributionOptions options;
  options.collectivesOnly = true;
  auto collective = planRedistribution(from, to, shape, elementBytes, options);
  ASSERT_TRUE(collective.ok()) << collective.message();
  EXPECT_FALSE(collective->searchCutShort());
  EXPECT_LE(collective->bytes(), best) << describe(*collective);
  if (collective->bytes() == best) {
    EXPECT_LE(collective->launches(), launches) << describe(*collective);
  }
  // The known sequences neither let a cut become partial again nor an all-to-all reorder the axes
  // that it moves, so that plans may need less.
  int64_t bound = bytesOf(example["lower_bound"], tensor);
  if (!to.partial()) {
    EXPECT_EQ(collective->lowerBoundBytes(), bound);
  } else {
    EXPECT_EQ(collective->lowerBoundBytes(), std::min(bound, collective->bytes()));
  }
  for (const Step &step : collective->steps())
    EXPECT_NE(step.kind, StepKind::exchange);
  EXPECT_EQ(checkPlan(*collective, from, to, shape, elementBytes), "") << describe(*collective);

  auto any = planRedistribution(from, to, shape, elementBytes);
  ASSERT_TRUE(any.ok()) << any.message();
  EXPECT_FALSE(any->searchCutShort());
  EXPECT_LE(any->bytes(), std::min(best, exchange)) << describe(*any);
  EXPECT_EQ(checkPlan(*any, from, to, shape, elementBytes), "") << describe(*any);
}

TEST(RedistributionVectors, plansAreAsGoodAsTheBestKnownSequences) {
  for (const json &example : vectorCases("redistributions"))
    checkCase(example);
}

TEST(RedistributionVectors, plansOfPublishedCasesAreAsGoodAsTheBestKnownSequences) {
  for (const json &example : vectorCases("reshards")) {
    checkCase(example);
    Mesh mesh = meshOf(example["mesh"]);
    Shape shape = example["shape"].get<Shape>();
    RedistributionOptions options;
    options.collectivesOnly = true;
    auto plan = planRedistribution(layoutOf(mesh, example["from"]), layoutOf(mesh, example["to"]),
                                   shape, 4, options);
    ASSERT_TRUE(plan.ok()) << plan.message();
    EXPECT_LT(plan->bytes(), bytesOf(example["published"]["bytes"], elementCount(shape) * 4))
        << example["name"];
  }
}

TEST(RedistributionVectors, exchangesReceiveExactlyWhatIsMissing) {
  for (const json &example : vectorCases("exchanges")) {
    SCOPED_TRACE(example.dump());
    Mesh mesh = meshOf(example["mesh"]);
    Shape shape = example["shape"].get<Shape>();
    Layout from = layoutOf(mesh, example["from"]), to = layoutOf(mesh, example["to"]);
    auto plan = planRedistribution(from, to, shape, 4);
    ASSERT_TRUE(plan.ok()) << plan.message();
    int64_t busiest = example["busiest"].get<int64_t>() * 4;
    EXPECT_EQ(plan->lowerBoundBytes(), busiest);
    EXPECT_EQ(plan->bytes(), busiest) << describe(*plan);
    EXPECT_LE(plan->launches(), 1) << describe(*plan);
    EXPECT_EQ(checkPlan(*plan, from, to, shape, 4), "") << describe(*plan);
    RedistributionOptions options;
    options.collectivesOnly = true;
    auto collective = planRedistribution(from, to, shape, 4, options);
    ASSERT_TRUE(collective.ok()) << collective.message();
    EXPECT_EQ(checkPlan(*collective, from, to, shape, 4), "") << describe(*collective);
  }
}

} // namespace
} // namespace vescale::layout
