// Attention of a small GPT, forward and backward, beside the same with the whole matrix of scores
// and OpenBLAS products.
#include "runtime/library/AttentionKernel.h"
#include "runtime/library/OpenBlas.h"

#include <benchmark/benchmark.h>

#include <cmath>

using namespace vescale::runtime;

namespace {

Attention describe(benchmark::State &state, bool backward) {
  Attention d;
  d.backward = backward;
  d.batch = 8, d.heads = d.keyHeads = d.globalHeads = 6;
  d.queryLength = d.keyLength = d.globalQueryLength = d.globalKeyLength = state.range(0);
  d.headSize = 64;
  d.causal = true;
  d.scale = 0.125;
  d.dropout = state.range(1) / 100.0;
  d.q = d.k = d.v =
      d.output = {d.heads * d.queryLength * d.headSize, d.queryLength * d.headSize, d.headSize};
  return d;
}

void runBlocks(benchmark::State &state, bool backward) {
  Attention d = describe(state, backward);
  auto kernel = AttentionKernel::prepare(d, 1);
  std::vector<float> tensors[9];
  void *operands[9];
  for (int i = 0; i < 9; ++i) {
    tensors[i].assign(d.batch * d.heads * d.queryLength * d.headSize, 0.01f * i);
    operands[i] = tensors[i].data();
  }
  for (auto _ : state)
    kernel->run(0, kernel->parts(), operands, {});
  // A causal mask halves the work that counts.
  state.counters["GFLOP/s"] = benchmark::Counter(kernel->operations() * 0.5e-9 * state.iterations(),
                                                 benchmark::Counter::kIsRate);
}

void forward(benchmark::State &state) { runBlocks(state, false); }
void backward(benchmark::State &state) { runBlocks(state, true); }

void forwardWithAllScores(benchmark::State &state) {
  Attention d = describe(state, false);
  int64_t n = d.queryLength, size = d.headSize;
  std::vector<float> q(d.batch * d.heads * n * size, 0.01f), k = q, v = q, out = q, scores(n * n);
  for (auto _ : state)
    for (int64_t head = 0; head < d.batch * d.heads; ++head) {
      productByOpenBlas(false, true, n, n, size, 0.125f, &q[head * n * size], size,
                        &k[head * n * size], size, 0.0f, scores.data(), n);
      for (int64_t i = 0; i < n; ++i) {
        float maximum = -INFINITY, sum = 0;
        for (int64_t j = 0; j <= i; ++j)
          maximum = std::fmax(maximum, scores[i * n + j]);
        for (int64_t j = 0; j < n; ++j)
          sum += scores[i * n + j] = j <= i ? std::exp(scores[i * n + j] - maximum) : 0;
        for (int64_t j = 0; j < n; ++j)
          scores[i * n + j] /= sum;
      }
      productByOpenBlas(false, false, n, size, n, 1.0f, scores.data(), n, &v[head * n * size], size,
                        0.0f, &out[head * n * size], size);
    }
}

BENCHMARK(forward)
    ->ArgNames({"sequence", "dropout"})
    ->Args({256, 0})
    ->Args({256, 10})
    ->Args({1024, 0})
    ->MinTime(0.1);
BENCHMARK(forwardWithAllScores)
    ->ArgNames({"sequence", "dropout"})
    ->Args({256, 0})
    ->Args({1024, 0})
    ->MinTime(0.1);
BENCHMARK(backward)
    ->ArgNames({"sequence", "dropout"})
    ->Args({256, 0})
    ->Args({256, 10})
    ->Args({1024, 0})
    ->MinTime(0.1);

} // namespace
