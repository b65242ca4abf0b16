//===- ShortestPathTest.cpp - Plans against the shortest paths over all layouts -------------===//
//
// The nodes are all plain layouts of a mesh and a shape, and every step that is legal between two
// of them is an edge, exchanges to every layout included. Plans, which look at fewer layouts and at
// fewer exchanges, must cost as little as the shortest path: by bytes and then launches; in seconds
// where there are collectives only.
//
// Where a cut is uneven the search leaves out parts of axes by design, and where an axis of 6 can
// be taken apart as 2, 3 and 3, 2, an all-to-all keeps one of the two orders. There the test counts
// how many plans cost more, so that they can only become fewer. Partial targets are left out. The
// bounds that searches go by hold for all.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/Parse.h"
#include "layout/Redistribution.h"
#include "layout/StepLegality.h"
#include "layout/StepPrice.h"
#include "tests/unit/layout/redistribution/LayoutSets.h"
#include "tests/unit/layout/redistribution/PlanChecks.h"

#include <gtest/gtest.h>
#include <limits>
#include <queue>

namespace vescale::layout {
namespace {

/// Divisible by every group size of these tests, so that no step rounds.
constexpr int64_t elementBytes = 24;

/// Bytes or seconds, then launches.
struct Price {
  double primary = std::numeric_limits<double>::infinity();
  int launches = 0;

  bool operator<(const Price &other) const {
    return primary != other.primary ? primary < other.primary : launches < other.launches;
  }
};

struct Edge {
  size_t to;
  bool isExchange;
  Price price;
};

struct Setting {
  const char *mesh;
  Shape shape;
  /// How many plans may cost more: by bytes, and in seconds.
  int dearerByBytes = 0, dearerBySeconds = 0;
};

void PrintTo(const Setting &setting, std::ostream *out) {
  *out << setting.mesh << " " << ::testing::PrintToString(setting.shape);
}

class ShortestPaths : public ::testing::TestWithParam<Setting> {
protected:
  void build(const LinkCosts *links) {
    edges.assign(layouts.size(), {});
    for (size_t i = 0; i < layouts.size(); ++i)
      for (size_t j = 0; j < layouts.size(); ++j)
        for (StepKind kind : {StepKind::slice, StepKind::allGather, StepKind::allToAll,
                              StepKind::permute, StepKind::reduceScatter, StepKind::allReduce,
                              StepKind::toPartial, StepKind::exchange}) {
          if (i == j || !checkStep(kind, layouts[i], layouts[j], shape).ok())
            continue;
          StepPrice step = priceStep(kind, layouts[i], layouts[j], shape, elementBytes, links);
          Price price{links ? step.seconds : static_cast<double>(step.bytes), step.bytes > 0};
          edges[i].push_back({j, kind == StepKind::exchange, price});
        }
  }

  std::vector<Price> shortest(size_t from, bool collectivesOnly) const {
    std::vector<Price> known(layouts.size());
    auto later = [](const std::pair<Price, size_t> &a, const std::pair<Price, size_t> &b) {
      return b.first < a.first;
    };
    std::priority_queue<std::pair<Price, size_t>, std::vector<std::pair<Price, size_t>>,
                        decltype(later)>
        queue(later);
    known[from] = {0, 0};
    queue.push({known[from], from});
    while (!queue.empty()) {
      auto [price, at] = queue.top();
      queue.pop();
      if (known[at] < price)
        continue;
      for (const Edge &edge : edges[at]) {
        if (collectivesOnly && edge.isExchange)
          continue;
        Price next{price.primary + edge.price.primary, price.launches + edge.price.launches};
        if (next < known[edge.to]) {
          known[edge.to] = next;

          queue.push({next, edge.to});
        }
      }
    }
    return known;
  }

  /// What a search says before it has begun that every plan costs.
  double boundOf(const Layout &from, const Layout &to, RedistributionOptions options) const {
    options.searchLimit = 1;
    auto plan = planRedistribution(from, to, shape, elementBytes, options);
    EXPECT_TRUE(plan.ok()) << plan.message();
    double price = options.links ? plan->seconds() : static_cast<double>(plan->bytes());
    return plan->searchCutShort() ? price * (1 - plan->gap()) : 0;
  }

  void check(std::shared_ptr<const LinkCosts> links) {
    build(links.get());
    int dearer = 0;
    std::string first;
    for (size_t i = 0; i < layouts.size(); ++i)
      for (bool collectivesOnly : {false, true}) {
        if (links && !collectivesOnly)
          continue;
        std::vector<Price> prices = shortest(i, collectivesOnly);
        for (size_t j = 0; j < layouts.size(); ++j) {
          RedistributionOptions options;
          options.collectivesOnly = collectivesOnly;
          options.links = links;
          ASSERT_LE(boundOf(layouts[i], layouts[j], options), prices[j].primary * (1 + 1e-5))
              << layouts[i].str() << " to " << layouts[j].str();
          if (layouts[j].partial())
            continue;
          options.searchLimit = 100000;
          auto plan = planRedistribution(layouts[i], layouts[j], shape, elementBytes, options);
          ASSERT_TRUE(plan.ok());
          double primary = links ? plan->seconds() : static_cast<double>(plan->bytes());
          bool more =
              primary > prices[j].primary * (1 + 1e-5) ||
              (!links && primary == prices[j].primary && plan->launches() > prices[j].launches);
          if (more && dearer++ < 4)
            first += layouts[i].str() + " to " + layouts[j].str() +
                     (collectivesOnly ? " by collectives" : "") + " costs " +
                     std::to_string(primary) + " in " + std::to_string(plan->launches()) +
                     " launches, could cost " + std::to_string(prices[j].primary) + " in " +
                     std::to_string(prices[j].launches) + "\n" + describe(*plan);
        }
      }
    EXPECT_LE(dearer, links ? GetParam().dearerBySeconds : GetParam().dearerByBytes) << first;
  }

  Mesh mesh = *parseMesh(GetParam().mesh);
  Shape shape = GetParam().shape;
  std::vector<Layout> layouts = plainLayouts(mesh, shape);
  std::vector<std::vector<Edge>> edges;
};

TEST_P(ShortestPaths, byBytesAreFound) { check(nullptr); }

TEST_P(ShortestPaths, bySecondsAreFound) {
  check(std::make_shared<const LinkCosts>(*LinkCosts::parse(
      R"({"links": [{"axis": "x", "latency": 1e-6, "bandwidth": 1e8}],
          "default": {"latency": 1e-7, "bandwidth": 1e9}})")));
}

INSTANTIATE_TEST_SUITE_P(
    Redistribution, ShortestPaths,
    ::testing::Values(Setting{"x=2,y=2", {8}}, Setting{"x=2,y=2", {4, 8}},
                      Setting{"x=2,y=2", {2, 4, 8}}, Setting{"x=2,y=2", {2, 2, 2, 2}},
                      Setting{"x=4", {8, 4}}, Setting{"x=4", {4, 8, 4}}, Setting{"x=6", {12}},
                      Setting{"x=6", {12, 6}, 6, 6}, Setting{"x=3,y=2", {6}},
                      Setting{"x=3,y=2", {6, 12}}, Setting{"x=4,y=2", {8}},
                      Setting{"x=2,y=2,z=2", {8}}, Setting{"x=2,y=2", {3, 5}, 0, 2},
                      Setting{"x=4", {10}, 10, 6}, Setting{"x=6", {7, 6}, 237, 208},
                      Setting{"x=3,y=2", {5, 6}, 7, 14}, Setting{"x=2,y=2,z=2", {6}, 36, 44}));

} // namespace
} // namespace vescale::layout
