//===- AllocationTest.cpp - A step allocates nothing ----------------------===//

#include "runtime/executor/Executor.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace vescale::runtime;
using namespace vescale::runtime::test;

// Sanitizers have an allocator of their own, which cannot be counted in this way.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<int64_t> allocations{0};
}

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
}

namespace {

void nothing(void *const *, const int64_t *, int64_t, int64_t) {}
const vescale_kernel kernels[] = {nothing};

/// Kernels, products, collectives of each form, copies, host transfers, loops.
Schedule busySchedule() {
  ScheduleBuilder b("x=4");
  b.kernel("nothing");
  uint32_t compute = b.stream("compute"), comm = b.stream("comm");
  uint32_t rows = b.layout("[{\"x\"}, {}]"), columns = b.layout("[{}, {\"x\"}]"),
           whole = b.layout("[{}, {}]"), partial = b.layout("[{}, {}], partial = [sum: \"x\"]");
  uint32_t cut = b.buffer(16 * 4), turned = b.buffer(16 * 4), full = b.buffer(64 * 4),
           sum = b.buffer(64 * 4), product = b.buffer(64 * 4), rate = b.buffer(4);
  uint32_t batch = b.tensor("batch", TensorRole::Batch, {8, 8}, ElementType::F32, rows, cut);
  uint32_t value = b.tensor("value", TensorRole::Value, {8, 8}, ElementType::F32, whole, product);
  uint32_t step = b.scalar({ScalarKind::Step, 1, 0, none, {}, 0, 0});
  b.emit(compute, LoopBegin{5});
  b.emit(compute, ScalarUpdate{HostScalar::LearningRate, ElementType::F32}, {b.write(rate)});
  b.emit(compute, HostInput{batch}, {b.write(cut)});
  b.emit(compute, LaunchKernel{0, {step}, 1000, 1}, {b.update(cut)});
  b.order(compute, comm);
  auto collective = [&](CollectiveKind kind, uint32_t id, uint32_t from, uint32_t to, uint32_t in,
                        uint32_t out) {
    b.emit(comm, Collective{kind, id, from, to, {8, 8}, ElementType::F32},
           {b.read(in), b.write(out)});
  };
  collective(CollectiveKind::AllToAll, 1, rows, columns, cut, turned);
  collective(CollectiveKind::AllGather, 2, columns, whole, turned, full);
  collective(CollectiveKind::AllReduce, 3, partial, whole, full, sum);
  collective(CollectiveKind::ReduceScatter, 4, partial, rows, sum, cut);
  b.order(comm, compute);
  MatMul m;
  m.m = m.n = m.k = 8;
  m.a.leading = m.b.leading = m.c.leading = 8;
  b.emit(compute, m, {b.read(full), b.read(sum), b.write(product)});
  b.emit(compute, HostOutput{value}, {b.read(product)});
  b.order(compute, comm);
  b.emit(comm, Copy{}, {b.read(product), b.write(full)});
  b.order(comm, compute);
  b.emit(compute, LoopEnd{});
  return b.schedule;
}

TEST(Allocation, AStepAllocatesNothing) {
  std::vector<uint8_t> file = encodeSchedule(busySchedule());
  for (int threads : {1, 2}) {
    ExecutorOptions options;
    options.workers = 2;
    options.threadsPerRank = threads;
    options.traceCapacity = 64;
    std::atomic<int64_t> transfers{0};
    options.input = options.output = [&](const HostTransfer &) {
      ++transfers;
      return vescale::layout::Status();
    };
    auto executor = Executor::create(file.data(), file.size(), {kernels, 1, 0}, options);
    ASSERT_TRUE(executor.ok()) << executor.message();
    // Libraries may set up what is theirs once per thread.
    for (int64_t step = 0; step < 5; ++step)
      ASSERT_TRUE((*executor)->runStep({step, 0.1, 1}).ok());
    int64_t before = allocations.load();
    ASSERT_GT(before, 0) << "the count does not count";
    for (int64_t step = 5; step < 25; ++step)
      ASSERT_TRUE((*executor)->runStep({step, 0.1, 1}).ok());
    EXPECT_EQ(allocations.load() - before, 0);
    EXPECT_EQ(transfers.load(), 25 * 5 * 4 * 2);
  }
}

} // namespace

#endif
