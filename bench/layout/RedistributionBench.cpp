//===- RedistributionBench.cpp - Time to plan redistributions --------------------------------===//
#include "layout/Parse.h"
#include "layout/Redistribution.h"

#include <benchmark/benchmark.h>
#include <random>

namespace vescale::layout {
namespace {

struct Case {
  const char *mesh, *from, *to;
};

/// Three dims and six prime axes, 64 devices.
constexpr Case cases[] = {
    {"a=2,b=2,c=2,d=2,e=2,f=2", "[{\"a\", \"b\"}, {\"c\", \"d\"}, {\"e\", \"f\"}]",
     "[{\"c\", \"f\"}, {\"e\", \"b\"}, {\"a\", \"d\"}]"},
    {"a=2,b=2,c=2,d=2,e=2,f=2", "[{\"a\", \"b\"}, {\"c\"}, {}], partial = [sum: \"d\", sum: \"e\"]",
     "[{\"d\"}, {\"e\", \"f\"}, {\"c\"}]"},
    {"x=8,y=8", "[{\"x\"}, {\"y\"}, {}]", "[{}, {\"x\"}, {\"y\"}]"},
    {"dp=16,fs=8,tp=8,pp=16", "[{\"dp\", \"fs\"}, {}, {\"tp\"}]", "[{}, {\"tp\"}, {\"fs\"}]"},
};
const Shape shape = {4096, 4096, 4096};

void plan(benchmark::State &state, bool remembered) {
  const Case &example = cases[state.range(0)];
  Mesh mesh = *parseMesh(example.mesh);
  Layout from = *parseLayout(mesh, example.from), to = *parseLayout(mesh, example.to);
  RedistributionOptions options;
  options.collectivesOnly = state.range(1);
  bool cutShort = false;
  for (auto _ : state) {
    if (!remembered)
      forgetRedistributionPlans();
    auto plan = planRedistribution(from, to, shape, 2, options);
    cutShort = plan->searchCutShort();
    benchmark::DoNotOptimize(plan);
  }
  state.SetLabel(std::string(example.mesh) + (options.collectivesOnly ? " collectives" : "") +
                 (cutShort ? " (cut short)" : ""));
}

void firstPlan(benchmark::State &state) { plan(state, false); }
void rememberedPlan(benchmark::State &state) { plan(state, true); }

/// Random layouts of three dims on six prime axes, some partial.
void randomFirstPlans(benchmark::State &state) {
  Mesh mesh = *parseMesh("a=2,b=2,c=2,d=2,e=2,f=2");
  std::mt19937 random(1);
  auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  std::vector<Layout> layouts;
  while (layouts.size() < 64) {
    std::vector<Dim> dims(3);
    std::vector<SubAxis> partial, axes;
    for (int axis = 0; axis < mesh.rank(); ++axis)
      axes.insert(axes.begin() + below(axis + 1), wholeAxis(mesh, axis));
    // Every second one can be a source with a pending reduction.
    for (const SubAxis &axis : axes)
      if (layouts.size() % 2 && below(6) == 0)
        partial.push_back(axis);
      else if (int place = below(4); place < 3)
        dims[place].push_back({axis});
    layouts.push_back(*Layout::get(mesh, dims, Partial{Reduction::sum, partial}));
  }
  size_t next = 0;
  for (auto _ : state) {
    forgetRedistributionPlans();
    const Layout &from = layouts[next % 64], &to = layouts[next * 7 % 32 * 2];
    benchmark::DoNotOptimize(planRedistribution(from, to, shape, 2));
    ++next;
  }
}

BENCHMARK(firstPlan)->ArgsProduct({{0, 1, 2, 3}, {0, 1}})->Unit(benchmark::kMicrosecond);
BENCHMARK(rememberedPlan)->ArgsProduct({{0, 3}, {0}});
BENCHMARK(randomFirstPlans)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace vescale::layout

BENCHMARK_MAIN();
