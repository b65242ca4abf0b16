//===- ExecutorTest.cpp - Schedules executed against direct computation ---===//

#include "runtime/executor/Executor.h"
#include "runtime/executor/GlobalTensor.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

using namespace vescale::runtime;
using namespace vescale::runtime::test;
using vescale::layout::Status;

namespace {

//===----------------------------------------------------------------------===//
// Kernels, as the compiler would generate them.
//===----------------------------------------------------------------------===//

/// y[i] = 2 * x[i] + params[0]
void doublePlus(void *const *args, const int64_t *params, int64_t begin, int64_t end) {
  const float *x = static_cast<const float *>(args[0]);
  float *y = static_cast<float *>(args[1]);
  for (int64_t i = begin; i < end; ++i)
    y[i] = 2 * x[i] + static_cast<float>(params[0]);
}

/// y[i] += x[i]
void accumulate(void *const *args, const int64_t *, int64_t begin, int64_t end) {
  const float *x = static_cast<const float *>(args[0]);
  float *y = static_cast<float *>(args[1]);
  for (int64_t i = begin; i < end; ++i)
    y[i] += x[i];
}

/// y[i] = params[0] + i: a global index, where params[0] is the start of the region.
void index(void *const *args, const int64_t *params, int64_t begin, int64_t end) {
  float *y = static_cast<float *>(args[0]);
  for (int64_t i = begin; i < end; ++i)
    y[i] = static_cast<float>(params[0] + i);
}

/// Takes 20 ms.
void slow(void *const *, const int64_t *, int64_t, int64_t) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

const vescale_kernel kernels[] = {doublePlus, accumulate, index, slow};
const KernelImage image{kernels, 4, 42};

void addKernels(ScheduleBuilder &b) {
  for (const char *name : {"double_plus", "accumulate", "index", "slow"})
    b.kernel(name);
  b.schedule.kernelsChecksum = 42;
}
enum : uint32_t { doublePlusKernel, accumulateKernel, indexKernel, slowKernel };

std::unique_ptr<Executor> makeExecutor(const Schedule &schedule,
                                       const ExecutorOptions &options = {}) {
  std::vector<uint8_t> file = encodeSchedule(schedule);
  auto executor = Executor::create(file.data(), file.size(), image, options);
  EXPECT_TRUE(executor.ok()) << executor.message();
  return executor.ok() ? std::move(*executor) : nullptr;
}

std::vector<float> floats(const Executor &executor, const std::string &name,
                          TensorRole role = TensorRole::State) {
  auto bytes = readTensor(executor, executor.findTensor(role, name));
  EXPECT_TRUE(bytes.ok()) << bytes.message();
  std::vector<float> result(bytes->size() / 4);
  std::memcpy(result.data(), bytes->data(), bytes->size());
  return result;
}

void set(Executor &executor, const std::string &name, const std::vector<float> &values,
         TensorRole role = TensorRole::State) {
  Status status =
      writeTensor(executor, executor.findTensor(role, name),
                  reinterpret_cast<const std::byte *>(values.data()), values.size() * 4);
  EXPECT_TRUE(status.ok()) << status.message();
}

std::vector<float> sequence(int64_t count, float start = 0) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = start + static_cast<float>(i);
  return values;
}

//===----------------------------------------------------------------------===//

/// x (cut by dp) -> 2 x + learning-rate step count; gathered; multiplied by w (m x 4, replicated).
TEST(Executor, KernelsCollectivesAndMatMulsGiveTheDirectResult) {
  for (int64_t ranks : {1, 2, 4, 8}) {
    SCOPED_TRACE(ranks);
    ScheduleBuilder b("dp=" + std::to_string(ranks));
    addKernels(b);
    uint32_t compute = b.stream("compute"), comm = b.stream("comm");
    uint32_t cut = b.layout("[{\"dp\"}, {}]"), whole = b.layout("[{}, {}]");
    uint64_t rows = 8 / ranks;
    uint32_t x = b.buffer(rows * 4 * 4), y = b.buffer(rows * 4 * 4), gathered = b.buffer(8 * 4 * 4),
             w = b.buffer(4 * 3 * 4), product = b.buffer(8 * 3 * 4);
    b.tensor("x", TensorRole::State, {8, 4}, ElementType::F32, cut, x);
    b.tensor("w", TensorRole::State, {4, 3}, ElementType::F32, whole, w);
    b.tensor("product", TensorRole::State, {8, 3}, ElementType::F32, whole, product);
    uint32_t step = b.scalar({ScalarKind::Step, 10, 1, none, {}, 0, 0});
    b.emit(compute, LaunchKernel{doublePlusKernel, {step}, static_cast<int64_t>(rows * 4), 1},
           {b.read(x), b.write(y)}, "double");
    b.order(compute, comm);
    b.emit(comm, Collective{CollectiveKind::AllGather, 1, cut, whole, {8, 4}, ElementType::F32},
           {b.read(y), b.write(gathered)}, "gather");
    b.order(comm, compute);
    MatMul m;
    m.m = 8, m.n = 3, m.k = 4;
    m.a.leading = 4, m.b.leading = 3, m.c.leading = 3;
    b.emit(compute, m, {b.read(gathered), b.read(w), b.write(product)}, "product");

    for (int threads : {1, 3}) {
      ExecutorOptions options;
      options.threadsPerRank = threads;
      options.workers = 3;
      auto executor = makeExecutor(b.schedule, options);
      ASSERT_TRUE(executor);
      set(*executor, "x", sequence(32));
      set(*executor, "w", sequence(12, -5));
      for (int64_t s = 0; s < 4; ++s) {
        Status status = executor->runStep({s, 0.1, 7});
        ASSERT_TRUE(status.ok()) << status.message();
        std::vector<float> result = floats(*executor, "product");
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 3; ++j) {
            float expected = 0;
            for (int k = 0; k < 4; ++k)
              expected += (2.f * (i * 4 + k) + 10.f * s + 1) * (k * 3 + j - 5.f);
            EXPECT_EQ(result[i * 3 + j], expected);
          }
      }
    }
  }
}

/// Three ranks hold 10 elements as 4, 4, 2: two classes; each writes global indices.
TEST(Executor, RegionStartsAreGlobal) {
  ScheduleBuilder b("x=3");
  addKernels(b);
  b.schedule.classMap = {{{{2, 1}, {0, 1}}}, {0, 1}};
  b.useClass(1);
  uint32_t cut = b.layout("[{\"x\"}]"), y = none;
  for (uint32_t c : {0u, 1u}) {
    b.useClass(c);
    uint32_t compute = b.stream("compute");
    int64_t local = c == 0 ? 4 : 2;
    uint32_t buffer = b.buffer(local * 4);
    if (c == 0)
      y = b.tensor("y", TensorRole::State, {10}, ElementType::F32, cut, buffer);
    else
      b.place(y, buffer);
    uint32_t start = b.scalar({ScalarKind::RegionStart, 1, 0, cut, {10}, 0, 0});
    b.emit(compute, LaunchKernel{indexKernel, {start}, local, 1}, {b.write(buffer)});
  }
  auto executor = makeExecutor(b.schedule);
  ASSERT_TRUE(executor);
  ASSERT_TRUE(executor->runStep({}).ok());
  EXPECT_EQ(floats(*executor, "y"), sequence(10));
}

/// Two nested loops with a host input in the inner one: sum over all iterations.
TEST(Executor, LoopsRunTheirBodiesAndKnowTheirIterations) {
  ScheduleBuilder b("x=1");
  addKernels(b);
  uint32_t input = b.stream("input"), compute = b.stream("compute");
  uint32_t whole = b.layout("[{}]");
  uint32_t batch = b.buffer(16), scaled = b.buffer(16), sum = b.buffer(16), rate = b.buffer(4);
  uint32_t x = b.tensor("x", TensorRole::Batch, {4}, ElementType::F32, whole, batch);
  b.tensor("sum", TensorRole::State, {4}, ElementType::F32, whole, sum);
  b.tensor("rate", TensorRole::State, {}, ElementType::F32, b.layout("[]"), rate);
  uint32_t outer = b.scalar({ScalarKind::LoopIndex, 100, 0, none, {}, 0, 0});
  uint32_t taken = b.event(), ready = b.event();
  b.emit(compute, ScalarUpdate{HostScalar::LearningRate, ElementType::F32}, {b.write(rate)});
  b.emit(compute, LoopBegin{2});
  b.emit(compute, LoopBegin{3});
  b.emit(input, WaitEvent{taken}); // the batch of the iteration before has been used
  b.emit(input, HostInput{x}, {b.write(batch)});
  b.emit(input, RecordEvent{ready});
  b.emit(compute, WaitEvent{ready});
  b.emit(compute, LaunchKernel{doublePlusKernel, {outer}, 4, 1}, {b.read(batch), b.write(scaled)});
  b.emit(compute, RecordEvent{taken});
  b.emit(compute, LaunchKernel{accumulateKernel, {}, 4, 1}, {b.read(scaled), b.update(sum)});
  b.emit(compute, LoopEnd{});
  b.emit(compute, LoopEnd{});

  for (uint64_t seed = 0; seed < 20; ++seed) {
    ExecutorOptions options;
    options.randomOrder = seed > 0;
    options.randomSeed = seed;
    options.workers = seed > 0 ? 1 : 2;
    options.input = [](const HostTransfer &t) {
      for (int i = 0; i < 4; ++i)
        reinterpret_cast<float *>(t.data)[i] =
            static_cast<float>(t.iteration.loops[0] * 3 + t.iteration.loops[1] + i);
      return Status();
    };
    auto executor = makeExecutor(b.schedule, options);
    ASSERT_TRUE(executor);
    set(*executor, "sum", {0, 0, 0, 0});
    Status status = executor->runStep({0, 0.25, 0});
    ASSERT_TRUE(status.ok()) << status.message();
    // Batches 0 to 5, doubled, and 100 in each of the three iterations of the second outer one.
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(floats(*executor, "sum")[i], 2 * 15 + 6 * 2 * i + 300.f);
    EXPECT_EQ(floats(*executor, "rate")[0], 0.25f);
  }
}

TEST(Executor, HostErrorsNameRankInstructionAndLocation) {
  ScheduleBuilder b("x=2");
  addKernels(b);
  uint32_t compute = b.stream("compute"), other = b.stream("other");
  uint32_t cut = b.layout("[{\"x\"}]"), whole = b.layout("[{}]");
  uint32_t batch = b.buffer(16), all = b.buffer(32);
  uint32_t x = b.tensor("tokens", TensorRole::Batch, {8}, ElementType::F32, cut, batch);
  b.emit(compute, HostInput{x}, {b.write(batch)}, "tokens");
  b.order(compute, other);
  b.emit(other, Collective{CollectiveKind::AllGather, 1, cut, whole, {8}, ElementType::F32},
         {b.read(batch), b.write(all)});
  ExecutorOptions options;
  options.input = [](const HostTransfer &t) {
    return t.rank == 1 ? Status::error("the file ends") : Status();
  };
  auto executor = makeExecutor(b.schedule, options);
  ASSERT_TRUE(executor);
  Status status = executor->runStep({});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "rank 1: instruction 0 (host_input \"tokens\" at model.mlir:1:1) of "
                              "class 0: the file ends");
  EXPECT_EQ(executor->runStep({}).message(), status.message());
}

TEST(Executor, OutputsReachTheHost) {
  ScheduleBuilder b("x=2");
  addKernels(b);
  uint32_t compute = b.stream("compute");
  uint32_t cut = b.layout("[{\"x\"}]");
  uint32_t y = b.buffer(8);
  uint32_t gradient = b.tensor("w", TensorRole::Gradient, {4}, ElementType::F32, cut, y);
  uint32_t start = b.scalar({ScalarKind::RegionStart, 1, 0, cut, {4}, 0, 0});
  b.emit(compute, LaunchKernel{indexKernel, {start}, 2, 1}, {b.write(y)});
  b.emit(compute, HostOutput{gradient}, {b.read(y)});
  std::mutex mutex;
  std::set<std::pair<int64_t, float>> seen;
  ExecutorOptions options;
  options.output = [&](const HostTransfer &t) {
    std::lock_guard<std::mutex> lock(mutex);
    EXPECT_EQ(t.tensor, gradient);
    EXPECT_EQ(t.bytes, 8u);
    seen.insert({t.rank, reinterpret_cast<const float *>(t.data)[1]});
    return Status();
  };
  auto executor = makeExecutor(b.schedule, options);
  ASSERT_TRUE(executor);
  ASSERT_TRUE(executor->runStep({}).ok());
  EXPECT_EQ(seen, (std::set<std::pair<int64_t, float>>{{0, 1.f}, {1, 3.f}}));
}

TEST(Executor, TraceShowsCommunicationBesideCompute) {
  ScheduleBuilder b("x=1");
  addKernels(b);
  uint32_t compute = b.stream("compute"), comm = b.stream("comm");
  b.emit(compute, LaunchKernel{slowKernel, {}, 1, 1}, {}, "compute");
  b.emit(comm, LaunchKernel{slowKernel, {}, 1, 1}, {}, "communication");
  ExecutorOptions options;
  options.workers = 2;
  options.traceCapacity = 8;
  auto executor = makeExecutor(b.schedule, options);
  ASSERT_TRUE(executor);
  ASSERT_TRUE(executor->runStep({3, 0, 0}).ok());
  auto trace = executor->trace();
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace[1].stream, "comm");
  ASSERT_EQ(trace[0].records.size(), 1u);
  ASSERT_EQ(trace[1].records.size(), 1u);
  const TraceRecord &first = trace[0].records[0], &second = trace[1].records[0];
  EXPECT_EQ(first.step, 3);
  EXPECT_EQ(second.instruction, 1u);
  EXPECT_GE(first.end - first.begin, 19'000'000);
  EXPECT_LT(std::max(first.begin, second.begin), std::min(first.end, second.end));
}

TEST(Executor, KernelsOfAnotherScheduleAreRefused) {
  ScheduleBuilder b("x=1");
  b.stream("compute");
  b.kernel("one");
  b.schedule.kernelsChecksum = 42;
  std::vector<uint8_t> file = encodeSchedule(b.schedule);
  auto executor = Executor::create(file.data(), file.size(), image);
  ASSERT_FALSE(executor.ok());
  EXPECT_NE(executor.message().find("not those of the schedule"), std::string::npos);
}

TEST(Executor, QueuesLongerThanTheirRingAreFedInTurns) {
  ScheduleBuilder b("x=2");
  addKernels(b);
  uint32_t compute = b.stream("compute");
  uint32_t partial = b.layout("[{}], partial = [sum: \"x\"]"), whole = b.layout("[{}]");
  uint32_t sum = b.buffer(4), one = b.buffer(4);
  b.tensor("sum", TensorRole::State, {1}, ElementType::F32, whole, sum);
  b.tensor("one", TensorRole::State, {1}, ElementType::F32, whole, one);
  // Rings end at 2^20 entries.
  b.emit(compute, LoopBegin{600000});
  b.emit(compute, LaunchKernel{accumulateKernel, {}, 1, 1}, {b.read(one), b.update(sum)});
  b.emit(compute, Copy{}, {b.read(sum), b.write(one)});
  b.emit(compute, LoopEnd{});
  b.emit(compute, Collective{CollectiveKind::AllReduce, 1, partial, whole, {1}, ElementType::F32},
         {b.read(one), b.write(sum)});
  auto executor = makeExecutor(b.schedule);
  ASSERT_TRUE(executor);
  set(*executor, "sum", {0});
  set(*executor, "one", {0});
  Status status = executor->runStep({});
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(floats(*executor, "sum")[0], 0.f);
}

} // namespace
