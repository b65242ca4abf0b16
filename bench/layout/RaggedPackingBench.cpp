/// Times of ragged packing: the group of a published model that takes longest, by devices and rows.
#include "bench/layout/ModelTensors.h"

#include <benchmark/benchmark.h>

using namespace vescale;
using namespace vescale::bench;

static void packGroups(benchmark::State &state, const std::vector<TensorGroup> &groups,
                       layout::PackingOrder order) {
  std::vector<layout::PackingProblem> problems;
  for (const TensorGroup &group : groups)
    problems.push_back(packingProblem(group, state.range(0), BlockedTensors::all, state.range(1)));
  double gap = 0;
  for (layout::PackingProblem &problem : problems)
    problem.order = order;
  for (auto _ : state)
    for (const layout::PackingProblem &problem : problems) {
      layout::StatusOr<layout::PackingResult> result = layout::packTensors(problem);
      gap = std::max(gap, result->gap);
      benchmark::DoNotOptimize(result);
    }
  state.counters["groups"] = static_cast<double>(problems.size());
  state.counters["gap"] = gap;
}

static void deepSeekGivenOrder(benchmark::State &state) {
  packGroups(state, deepSeekV3(), layout::PackingOrder::given);
}
static void deepSeekFreeOrder(benchmark::State &state) {
  packGroups(state, deepSeekV3(), layout::PackingOrder::free);
}
static void gptOssGivenOrder(benchmark::State &state) {
  packGroups(state, gptOss120B(), layout::PackingOrder::given);
}
static void gptOssFreeOrder(benchmark::State &state) {
  packGroups(state, gptOss120B(), layout::PackingOrder::free);
}

#define PACKING_ARGUMENTS                                                                          \
  ArgNames({"rows", "devices"})                                                                    \
      ->ArgsProduct({{1, 16, 128}, {8, 1024}})                                                     \
      ->Unit(benchmark::kMicrosecond)
BENCHMARK(deepSeekGivenOrder)->PACKING_ARGUMENTS;
BENCHMARK(deepSeekFreeOrder)->PACKING_ARGUMENTS;
BENCHMARK(gptOssGivenOrder)->PACKING_ARGUMENTS;
BENCHMARK(gptOssFreeOrder)->PACKING_ARGUMENTS;
