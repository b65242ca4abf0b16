//===- RedistributionPropertyTest.cpp - Laws of the prices of plans --------------------------===//
#include "layout/Legality.h"
#include "layout/Parse.h"
#include "layout/Redistribution.h"
#include "tests/unit/layout/Generators.h"
#include "tests/unit/layout/redistribution/LayoutSets.h"
#include "tests/unit/layout/redistribution/PlanChecks.h"

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vescale::layout {
namespace {

/// Divisible by every group size of these tests, so that no step rounds.
constexpr int64_t elementBytes = 2 * 2 * 2 * 3;

int64_t bytes(const Layout &from, const Layout &to, const Shape &shape, bool collectivesOnly) {
  RedistributionOptions options;
  options.collectivesOnly = collectivesOnly;
  auto plan = planRedistribution(from, to, shape, elementBytes, options);
  EXPECT_TRUE(plan.ok()) << plan.message();
  EXPECT_FALSE(plan->searchCutShort());
  return plan->bytes();
}

std::shared_ptr<const LinkCosts> someLinks() {
  return std::make_shared<const LinkCosts>(*LinkCosts::parse(
      R"({"links": [{"axis": "x", "latency": 1e-5, "bandwidth": 1e8}],
          "default": {"latency": 1e-6, "bandwidth": 1e9}})"));
}

double seconds(const Layout &from, const Layout &to, const Shape &shape) {
  RedistributionOptions options;
  options.links = someLinks();
  options.collectivesOnly = true;
  auto plan = planRedistribution(from, to, shape, elementBytes, options);
  EXPECT_TRUE(plan.ok()) << plan.message();
  return plan->seconds();
}

struct Setting {
  const char *mesh;
  Shape shape;
};

void PrintTo(const Setting &setting, std::ostream *out) {
  *out << setting.mesh << " " << ::testing::PrintToString(setting.shape);
}

class Laws : public ::testing::TestWithParam<Setting> {
protected:
  Mesh mesh = *parseMesh(GetParam().mesh);
  Shape shape = GetParam().shape;
  std::vector<Layout> layouts = plainLayouts(mesh, shape);

  /// Drawn inside a property.
  const Layout &any() const { return layouts[arbitraryInteger(0, layouts.size() - 1)]; }
};

TEST_P(Laws, goingThroughAThirdLayoutIsNeverCheaper) {
  EXPECT_TRUE(rc::check([&] {
    const Layout &a = any(), &b = any(), &c = any();
    RC_LOG(a.str() + " to " + c.str() + " through " + b.str());
    // Exchanges go straight to the target or its cuts. While it is partial, or a reduction is
    // pending whose axis cannot be taken apart as the target needs it, other layouts between could
    // do.
    bool direct = !c.partial() && !(a.partial() && mesh.axisSize(0) == 6);
    for (bool collectivesOnly : {false, true})
      if (collectivesOnly || direct)
        RC_ASSERT(bytes(a, c, shape, collectivesOnly) <=
                  bytes(a, b, shape, collectivesOnly) + bytes(b, c, shape, collectivesOnly));
  }));
}

TEST_P(Laws, goingThroughAThirdLayoutByCollectivesIsNeverFaster) {
  EXPECT_TRUE(rc::check([&] {
    const Layout &a = any(), &b = any(), &c = any();
    RC_LOG(a.str() + " to " + c.str() + " through " + b.str());
    RC_ASSERT(seconds(a, c, shape) <= (seconds(a, b, shape) + seconds(b, c, shape)) * (1 + 1e-6));
  }));
}

TEST_P(Laws, noPlanIsBelowTheBoundAndExchangeReachesIt) {
  EXPECT_TRUE(rc::check([&] {
    const Layout &from = any(), &to = any();
    RC_LOG(from.str() + " to " + to.str());
    auto plan = planRedistribution(from, to, shape, elementBytes);
    RC_ASSERT(plan->bytes() >= plan->lowerBoundBytes());
    RC_ASSERT(plan->bytes() <= bytes(from, to, shape, true));
    if (!from.partial() && !to.partial())
      RC_ASSERT(plan->bytes() == plan->lowerBoundBytes());
  }));
}

TEST_P(Laws, plansBySecondsAreExactAndNoSlowerThanPlansByBytes) {
  EXPECT_TRUE(rc::check([&] {
    const Layout &from = any(), &to = any();
    RedistributionOptions options;
    options.links = someLinks();
    auto fast = planRedistribution(from, to, shape, elementBytes, options);
    auto small = planRedistribution(from, to, shape, elementBytes);
    RC_LOG(from.str() + " to " + to.str() + "\n" + describe(*fast) + describe(*small));
    RC_ASSERT(checkPlan(*fast, from, to, shape, elementBytes) == "");
    double sum = 0;
    for (const Step &step : fast->steps()) {
      sum += step.seconds;
      RC_ASSERT((step.seconds > 0) == (step.launches > 0));
    }
    RC_ASSERT(std::abs(sum - fast->seconds()) < 1e-12);
    // The other plan's steps, priced one by one over the slowest of the axes they name.
    double others = 0;
    for (const Step &step : small->steps()) {
      // Which axes an exchange or permutation crosses is the planner's to find out.
      if (step.kind == StepKind::exchange || step.kind == StepKind::permute)
        return;
      if (!step.launches)
        continue;
      Link link{0, 1e300};
      for (const SubAxis &axis : step.axes)
        link = slowest(link, options.links->link(mesh.axis(axis.axis).name));
      others += link.latency + step.bytes / link.bandwidth;
    }
    RC_ASSERT(fast->seconds() <= others * (1 + 1e-6) + 1e-11);
  }));
}

RC_GTEST_PROP(ArbitraryLayouts, plansLeaveExactlyTheTargetsShards, ()) {
  // Any mixture of uneven, interleaved, block, ragged and partial cuts, sizes 0 and 1 among them.
  Mesh mesh = arbitraryMesh(8);
  Shape shape = arbitraryShape();
  Layout from = arbitraryLayout(mesh, shape), to = arbitraryLayout(mesh, shape);
  RC_LOG(from.str() + " to " + to.str());
  RedistributionOptions options;
  int64_t bytesOfCollectives = 0;
  for (bool collectivesOnly : {true, false}) {
    options.collectivesOnly = collectivesOnly;
    auto plan = planRedistribution(from, to, shape, 840, options);
    RC_ASSERT(plan.ok());
    RC_ASSERT(checkPlan(*plan, from, to, shape, 840) == "");
    if (collectivesOnly)
      bytesOfCollectives = plan->bytes();
    else if (!plan->searchCutShort())
      RC_ASSERT(plan->bytes() <= bytesOfCollectives);
  }
}

INSTANTIATE_TEST_SUITE_P(Redistribution, Laws,
                         ::testing::Values(Setting{"x=2,y=2,z=2", {8, 8}},
                                           Setting{"x=4,y=2", {8, 8}}, Setting{"x=3,y=2", {6, 12}},
                                           Setting{"x=6", {12, 6}}));

/// The bytes of reducing, moving, gathering and cutting one whole axis after the other, each axis
/// by the collective that suits it best, over even cuts by whole axes.
int64_t oneAxisAtATime(const Layout &from, const Layout &to, const Shape &shape) {
  std::vector<Dim> dims = from.dims();
  std::vector<SubAxis> partial = from.partial() ? from.partial()->axes : std::vector<SubAxis>();
  std::vector<SubAxis> wanted = to.partial() ? to.partial()->axes : std::vector<SubAxis>();
  int64_t local = elementCount(shape) * elementBytes, total = 0;
  for (const Dim &dim : dims)
    for (const Cut &cut : dim)
      local /= cut.axis.size;
  auto common = [&](int d) {
    size_t n = 0;
    while (n < dims[d].size() && n < to.dim(d).size() && dims[d][n] == to.dim(d)[n])
      ++n;
    return n;
  };
  /// The dim whose next cut in the target is this axis, with nothing else in the way; else -1.
  auto home = [&](const SubAxis &axis) {
    for (size_t d = 0; d < dims.size(); ++d)
      if (common(d) == dims[d].size() && common(d) < to.dim(d).size() &&
          to.dim(d)[common(d)].axis == axis)
        return static_cast<int>(d);
    return -1;
  };
  for (const SubAxis &axis : partial) {
    if (std::find(wanted.begin(), wanted.end(), axis) != wanted.end())
      continue;
    int d = home(axis);
    int64_t step = local - local / axis.size;
    total += d < 0 ? 2 * step : step;
    if (d >= 0) {
      dims[d].push_back({axis});
      local /= axis.size;
    }
  }
  for (size_t d = 0; d < dims.size(); ++d)
    while (dims[d].size() > common(d)) {
      SubAxis axis = dims[d].back().axis;
      dims[d].pop_back();
      int target = home(axis);
      if (target >= 0) {
        total += local - local / axis.size;
        dims[target].push_back({axis});
      } else {
        total += local * (axis.size - 1);
        local *= axis.size;
      }
    }
  return total;
}

TEST(Laws, plansAreNeverAboveOneAxisAtATime) {
  int64_t below = 0;
  for (const Setting &setting : {Setting{"x=2,y=2,z=2", {8, 16}}, Setting{"x=3,y=2", {12, 6}}}) {
    Mesh mesh = *parseMesh(setting.mesh);
    std::vector<Layout> layouts = plainLayouts(mesh, setting.shape);
    for (size_t i = 0; i < layouts.size(); ++i)
      for (size_t j = i % 3; j < layouts.size(); j += 3) {
        int64_t simple = oneAxisAtATime(layouts[i], layouts[j], setting.shape);
        for (bool collectivesOnly : {false, true}) {
          int64_t planned = bytes(layouts[i], layouts[j], setting.shape, collectivesOnly);
          ASSERT_LE(planned, simple) << layouts[i].str() << " to " << layouts[j].str();
          below += planned < simple;
        }
      }
  }
  // Considering all axes at once pays.
  EXPECT_GT(below, 100);
}

} // namespace
} // namespace vescale::layout
