//===- ExecutorBench.cpp - What the executor costs for each instruction ---===//
//
// Schedules of empty kernels: all the time is the executor's. `instruction` is the time of a step
// divided by the instructions of all ranks. Budget: 1 us.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Executor.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <benchmark/benchmark.h>

using namespace vescale::runtime;
using namespace vescale::runtime::test;

namespace {

void nothing(void *const *, const int64_t *, int64_t, int64_t) {}
const vescale_kernel kernels[] = {nothing};

constexpr int64_t launches = 10000;

/// Kernels on two streams; with `waits`, the streams take turns after every eighth kernel.
Schedule emptyKernels(int64_t ranks, bool waits) {
  ScheduleBuilder b("x=" + std::to_string(ranks));
  b.kernel("nothing");
  uint32_t streams[2] = {b.stream("compute"), b.stream("comm")};
  uint32_t buffers[2] = {b.buffer(64), b.buffer(64)};
  for (int64_t i = 0; i < launches; ++i) {
    uint32_t s = waits ? i / 8 % 2 : 0;
    if (waits && i > 0 && i % 8 == 0)
      b.order(streams[1 - s], streams[s]);
    b.emit(streams[s], LaunchKernel{0, {}, 1, 1}, {b.update(buffers[s])});
  }
  return b.schedule;
}

/// All-reduces of four numbers, one after another.
Schedule smallAllReduces(int64_t ranks) {
  ScheduleBuilder b("x=" + std::to_string(ranks));
  b.kernel("nothing");
  uint32_t comm = b.stream("comm"), buffer = b.buffer(64);
  uint32_t partial = b.layout("[{}], partial = [sum: \"x\"]"), whole = b.layout("[{}]");
  for (uint32_t i = 0; i < 1000; ++i)
    b.emit(comm, Collective{CollectiveKind::AllReduce, i, partial, whole, {16}, ElementType::F32},
           {b.read(buffer), b.write(buffer)});
  return b.schedule;
}

void runSteps(benchmark::State &state, const Schedule &schedule) {
  std::vector<uint8_t> file = encodeSchedule(schedule);
  ExecutorOptions options;
  options.workers = static_cast<int>(state.range(1));
  auto executor = Executor::create(file.data(), file.size(), {kernels, 1, 0}, options);
  if (!executor.ok())
    return state.SkipWithError(executor.message().c_str());
  for (auto _ : state)
    if (!(*executor)->runStep({}).ok())
      return state.SkipWithError("the step failed");
  double instructions =
      static_cast<double>(schedule.programs[0].instructions.size()) * state.range(0);
  state.counters["instruction"] = benchmark::Counter(
      instructions, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void kernelsInOrder(benchmark::State &state) {
  runSteps(state, emptyKernels(state.range(0), false));
}
void streamsInTurns(benchmark::State &state) {
  runSteps(state, emptyKernels(state.range(0), true));
}
void allReduces(benchmark::State &state) { runSteps(state, smallAllReduces(state.range(0))); }

void ranksAndWorkers(benchmark::internal::Benchmark *b) {
  b->ArgNames({"ranks", "workers"})->Args({1, 1})->Args({1, 2})->Args({4, 2})->UseRealTime();
}

void loading(benchmark::State &state) {
  std::vector<uint8_t> file = encodeSchedule(emptyKernels(1, true));
  for (auto _ : state) {
    auto executor = Executor::create(file.data(), file.size(), {kernels, 1, 0});
    benchmark::DoNotOptimize(executor);
  }
}

BENCHMARK(kernelsInOrder)->Apply(ranksAndWorkers);
BENCHMARK(streamsInTurns)->Apply(ranksAndWorkers);
BENCHMARK(allReduces)->Apply(ranksAndWorkers);
BENCHMARK(loading)->Unit(benchmark::kMillisecond);

} // namespace
