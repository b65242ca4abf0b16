// Elements per second of the random fills, on one core.
#include "runtime/random/Random.h"

#include <benchmark/benchmark.h>

using namespace vescale::runtime;

namespace {

template <typename Real> void fill(benchmark::State &state, Distribution distribution) {
  std::vector<Real> values(1 << 16);
  uint32_t step = 0;
  for (auto _ : state) {
    fillRandom<Real>(values.data(), 0, values.size(), distribution, {1, ++step, 7});
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations() * values.size());
}

BENCHMARK_CAPTURE(fill<float>, uniform_f32, Distribution::uniform)->MinTime(0.1);
BENCHMARK_CAPTURE(fill<float>, normal_f32, Distribution::normal)->MinTime(0.1);
BENCHMARK_CAPTURE(fill<double>, normal_f64, Distribution::normal)->MinTime(0.1);

} // namespace
