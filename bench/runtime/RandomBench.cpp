// Elements per second of the random fills, on one core.
#include "runtime/random/Random.h"

#include <benchmark/benchmark.h>

using namespace vescale::runtime;

namespace {

template <typename Real> void fillTensor(benchmark::State &state) {
  std::vector<Real> values(1 << 16);
  auto distribution = state.range(0) ? Distribution::normal : Distribution::uniform;
  uint32_t step = 0;
  for (auto _ : state) {
    fillRandom<Real>(values.data(), 0, values.size(), distribution, {1, ++step, 7});
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * values.size());
}

BENCHMARK_TEMPLATE(fillTensor, float)->ArgName("normal")->Arg(0)->Arg(1)->MinTime(0.1);
BENCHMARK_TEMPLATE(fillTensor, double)->ArgName("normal")->Arg(0)->Arg(1)->MinTime(0.1);

} // namespace
