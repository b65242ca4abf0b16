//===- RedistributionBench.cpp - Time to plan redistributions --------------------------------===//
#include "layout/Parse.h"
#include "layout/Redistribution.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
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

/// The same changes of layout on 16 and on 16,384 devices: the time is to depend on what the layouts
/// say, not on how many devices hear it.
struct Change {
  const char *name, *from, *to;
  Shape shape;
};
const Change changes[] = {
    {"even, one axis", R"([{"x"}, {}])", R"([{}, {"x"}])", {4096, 8192}},
    {"even, two axes", R"([{"x"}, {"y"}])", R"([{"y"}, {"x"}])", {4096, 8192}},
    {"even, nested", R"([{"x", "y"}, {}])", R"([{"y"}, {"x"}])", {32768, 8192}},
    {"even, partial", R"([{}, {}], partial = [sum: "x", sum: "y"])", R"([{"x"}, {}])", {4096, 8192}},
    {"even, to partial", R"([{"x"}, {"y"}])", R"([{"y"}, {}], partial = [sum: "x"])", {4096, 8192}},
    {"uneven, one axis", R"([{"x"}, {}])", R"([{}, {"x"}])", {4097, 1000}},
    {"uneven, two axes", R"([{"x"}, {"y"}])", R"([{"y"}, {"x"}])", {4097, 1000}},
    {"uneven, nested", R"([{"x", "y"}, {}])", R"([{"y"}, {"x"}])", {50257, 1000}},
    {"uneven, partial", R"([{}, {}], partial = [sum: "x", sum: "y"])", R"([{"x"}, {}])",
     {4097, 1000}},
    {"uneven, to partial", R"([{"x"}, {"y"}])", R"([{"y"}, {}], partial = [sum: "x"])",
     {4097, 1000}},
    {"blocks", R"([{"x" by 8}, {}])", R"([{"y"}, {"x"}])", {4097, 1000}},
    {"ragged", R"([{"y"}, {}])", R"([{"y"}, {}], ragged = {"x", dims = 1, units = [3, 1 x N]})",
     {32768, 100}},
};

void planOnMesh(benchmark::State &state) {
  const Change &change = changes[state.range(0)];
  int64_t side = state.range(1);
  Mesh mesh = *Mesh::get({{"x", side}, {"y", side}});
  auto layout = [&](std::string text) {
    if (size_t at = text.find(" x N"); at != std::string::npos)
      text.replace(at, 4, fmt::format(" x {}, 0, 0", side - 3));
    return *parseLayout(mesh, text);
  };
  Layout from = layout(change.from), to = layout(change.to);
  bool cutShort = false;
  for (auto _ : state) {
    forgetRedistributionPlans();
    auto plan = planRedistribution(from, to, change.shape, 2);
    cutShort = plan->searchCutShort();
    benchmark::DoNotOptimize(plan);
  }
  state.SetLabel(fmt::format("{} devices, {}{}", mesh.numDevices(), change.name,
                             cutShort ? " (cut short)" : ""));
}

BENCHMARK(planOnMesh)
    ->ArgsProduct({benchmark::CreateDenseRange(0, std::size(changes) - 1, 1), {4, 128}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(firstPlan)->ArgsProduct({{0, 1, 2, 3}, {0, 1}})->Unit(benchmark::kMicrosecond);
BENCHMARK(rememberedPlan)->ArgsProduct({{0, 3}, {0}});
BENCHMARK(randomFirstPlans)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace vescale::layout

BENCHMARK_MAIN();
