// Floating-point operations per second of the prepared products, on one core, for shapes of a small
// GPT.
#include "runtime/library/MatMulKernel.h"

#include <benchmark/benchmark.h>

using namespace vescale::runtime;

namespace {

void multiply(benchmark::State &state, ElementType type) {
  MatMul d;
  int64_t batch = state.range(0);
  d.m = state.range(1), d.n = state.range(2), d.k = state.range(3);
  d.input = d.output = type;
  d.batch = {batch};
  d.a = {{d.m * d.k}, d.k, false};
  d.b = {{d.k * d.n}, state.range(4) ? d.k : d.n, state.range(4) != 0};
  d.c = {{d.m * d.n}, d.n, false};
  std::vector<char> a(batch * d.m * d.k * elementBytes(type)),
      b(batch * d.k * d.n * elementBytes(type)), c(batch * d.m * d.n * elementBytes(type));
  auto kernel = MatMulKernel::prepare(d, 1);
  if (!kernel.ok())
    return state.SkipWithError(kernel.message().c_str());
  for (auto _ : state) {
    kernel->run(0, kernel->parts(), a.data(), b.data(), c.data());
    benchmark::DoNotOptimize(c.data());
  }
  state.counters["GFLOP/s"] = benchmark::Counter(kernel->operations() * state.iterations() * 1e-9,
                                                 benchmark::Counter::kIsRate);
}

void shapes(benchmark::internal::Benchmark *bench) {
  bench->ArgNames({"batch", "m", "n", "k", "transposedB"})->MinTime(0.05);
  for (int transposed : {0, 1}) {
    bench->Args({32, 128, 128, 64, transposed})->Args({64, 16, 16, 64, transposed});
    bench->Args({1, 2048, 64, 64, transposed})->Args({1, 8, 512, 512, transposed});
    bench->Args({1, 2048, 384, 384, transposed})->Args({1, 2048, 1536, 384, transposed});
  }
}

void multiplySingle(benchmark::State &state) { multiply(state, ElementType::F32); }
void multiplyDouble(benchmark::State &state) { multiply(state, ElementType::F64); }
void multiplyBrain(benchmark::State &state) { multiply(state, ElementType::BF16); }
BENCHMARK(multiplySingle)->Apply(shapes);
BENCHMARK(multiplyDouble)->Args({1, 512, 512, 512, 0})->MinTime(0.05);
BENCHMARK(multiplyBrain)->Args({1, 512, 512, 512, 0})->Args({1, 2048, 384, 384, 1})->MinTime(0.05);

} // namespace
