//===- RaceTest.cpp - Waits that are missing ------------------------------===//
//
// A schedule that overlaps communication with compute. Each of its waits is deleted in turn: the
// verifier must see that, and execution in random order must show that it matters.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/GlobalTensor.h"
#include "runtime/format/Verify.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace vescale::runtime;
using namespace vescale::runtime::test;
using vescale::layout::Status;

namespace {

/// y[i] = 3 * x[i] + 1
void step(void *const *args, const int64_t *, int64_t begin, int64_t end) {
  const float *x = static_cast<const float *>(args[0]);
  float *y = static_cast<float *>(args[1]);
  for (int64_t i = begin; i < end; ++i)
    y[i] = 3 * x[i] + 1;
}
/// y[i] += x[i]
void accumulate(void *const *args, const int64_t *, int64_t begin, int64_t end) {
  const float *x = static_cast<const float *>(args[0]);
  float *y = static_cast<float *>(args[1]);
  for (int64_t i = begin; i < end; ++i)
    y[i] += x[i];
}
const vescale_kernel kernels[] = {step, accumulate};
const KernelImage image{kernels, 2, 0};

/// Two chains that share buffers: `a` is computed, gathered and used, then its buffer is reused for
/// the second chain, which must wait until the first gather has read it. The last wait is between
/// iterations of a loop.
Schedule overlapped() {
  ScheduleBuilder b("x=2");
  b.kernel("step");
  b.kernel("accumulate");
  uint32_t compute = b.stream("compute"), comm = b.stream("comm");
  uint32_t cut = b.layout("[{\"x\"}]"), whole = b.layout("[{}]");
  uint32_t x = b.buffer(16), a = b.buffer(16), gathered = b.buffer(32), result = b.buffer(32);
  b.tensor("x", TensorRole::State, {8}, ElementType::F32, cut, x);
  b.tensor("result", TensorRole::State, {8}, ElementType::F32, whole, result);
  auto launch = [&](uint32_t from, uint32_t to, int64_t extent) {
    b.emit(compute, LaunchKernel{0, {}, extent, 1}, {b.read(from), b.write(to)}, "step");
  };
  auto gather = [&](uint32_t id) {
    b.emit(comm, Collective{CollectiveKind::AllGather, id, cut, whole, {8}, ElementType::F32},
           {b.read(a), b.write(gathered)}, "gather");
  };
  b.emit(compute, LoopBegin{3});
  launch(x, a, 4);        // a = step(x)
  b.order(compute, comm); // the gather reads a
  gather(1);
  b.order(comm, compute); // step reads gathered and then writes a and x anew
  launch(gathered, result, 8);
  launch(a, x, 4);
  b.emit(compute, LoopEnd{});
  return b.schedule;
}

/// Batches are filled ahead on a stream of their own; what the ranks made of them is accumulated,
/// so that an error in any iteration stays visible.
Schedule prefetched() {
  ScheduleBuilder b("x=2");
  b.kernel("step");
  b.kernel("accumulate");
  uint32_t input = b.stream("input"), compute = b.stream("compute"), comm = b.stream("comm");
  uint32_t cut = b.layout("[{\"x\"}]"), whole = b.layout("[{}]");
  uint32_t batch = b.buffer(16), a = b.buffer(16), gathered = b.buffer(32), result = b.buffer(32);
  uint32_t x = b.tensor("x", TensorRole::Batch, {8}, ElementType::F32, cut, batch);
  b.tensor("result", TensorRole::State, {8}, ElementType::F32, whole, result);
  uint32_t taken = b.event(), sent = b.event(), filled = b.event(), computed = b.event();
  b.emit(compute, LoopBegin{4});
  b.emit(input, WaitEvent{taken});
  b.emit(input, HostInput{x}, {b.write(batch)}, "batch");
  b.emit(input, RecordEvent{filled});
  b.emit(compute, WaitEvent{filled});
  b.emit(compute, WaitEvent{sent}); // of the iteration before: a may be written anew
  b.emit(compute, LaunchKernel{0, {}, 4, 1}, {b.read(batch), b.write(a)}, "step");
  b.emit(compute, RecordEvent{taken});
  b.emit(compute, RecordEvent{computed});
  b.emit(comm, WaitEvent{computed});
  b.emit(comm, Collective{CollectiveKind::AllGather, 1, cut, whole, {8}, ElementType::F32},
         {b.read(a), b.write(gathered)}, "gather");
  b.emit(comm, LaunchKernel{1, {}, 8, 1}, {b.read(gathered), b.update(result)}, "accumulate");
  b.emit(comm, RecordEvent{sent});
  b.emit(compute, LoopEnd{});
  return b.schedule;
}

std::vector<size_t> waits(const Schedule &schedule) {
  std::vector<size_t> result;
  for (size_t i = 0; i < schedule.programs[0].instructions.size(); ++i)
    if (std::holds_alternative<WaitEvent>(schedule.programs[0].instructions[i].operation))
      result.push_back(i);
  return result;
}

/// What a step computes, in the order that a seed draws; by threads, as they come, for seed 0.
std::vector<float> run(const Schedule &schedule, uint64_t seed) {
  ExecutorOptions options;
  options.acceptRaces = true;
  options.randomOrder = seed != 0;
  options.randomSeed = seed;
  options.workers = seed != 0 ? 1 : 2;
  options.input = [](const HostTransfer &t) {
    for (int i = 0; i < 4; ++i)
      reinterpret_cast<float *>(t.data)[i] =
          static_cast<float>(t.rank * 4 + i + 10 * t.iteration.loops[0]);
    return Status();
  };
  std::vector<uint8_t> file = encodeSchedule(schedule);
  auto executor = Executor::create(file.data(), file.size(), image, options);
  EXPECT_TRUE(executor.ok()) << executor.message();
  uint32_t x = (*executor)->findTensor(TensorRole::State, "x");
  std::vector<float> start = {1, 2, 3, 4, 5, 6, 7, 8};
  if (x != none)
    EXPECT_TRUE(writeTensor(**executor, x, reinterpret_cast<std::byte *>(start.data()), 32).ok());
  Status status = (*executor)->runStep({});
  EXPECT_TRUE(status.ok()) << status.message();
  uint32_t result = (*executor)->findTensor(TensorRole::State, "result");
  std::vector<float> all;
  for (int64_t rank = 0; rank < 2; ++rank) {
    std::vector<float> values(8);
    std::memcpy(values.data(), (*executor)->tensorData(result, rank), 32);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void deleteEachWait(const Schedule &schedule, size_t expectedWaits) {
  Status whole = verifySchedule(schedule);
  ASSERT_TRUE(whole.ok()) << whole.message();
  std::vector<float> right = run(schedule, 1);
  for (uint64_t seed = 0; seed < 40; ++seed)
    ASSERT_EQ(run(schedule, seed), right) << "seed " << seed;

  ASSERT_EQ(waits(schedule).size(), expectedWaits);
  for (size_t wait : waits(schedule)) {
    SCOPED_TRACE("without the wait of instruction " + std::to_string(wait));
    Schedule broken = schedule;
    auto &instructions = broken.programs[0].instructions;
    instructions.erase(instructions.begin() + static_cast<ptrdiff_t>(wait));
    Status status = verifySchedule(broken);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.message().substr(0, 5), "race:") << status.message();
    EXPECT_NE(status.message().find(" at model.mlir:"), std::string::npos) << status.message();
    bool wrong = false;
    for (uint64_t seed = 1; seed < 200 && !wrong; ++seed)
      wrong = run(broken, seed) != right;
    EXPECT_TRUE(wrong);
  }
}

#ifdef VESCALE_THREAD_SANITIZER
/// The sanitizer sees that a wait is missing from what the commands announce, in threads as they
/// come.
void sanitizerReportsEachMissingWait(const Schedule &schedule) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (size_t wait : waits(schedule)) {
    SCOPED_TRACE("without the wait of instruction " + std::to_string(wait));
    Schedule broken = schedule;
    auto &instructions = broken.programs[0].instructions;
    instructions.erase(instructions.begin() + static_cast<ptrdiff_t>(wait));
    EXPECT_EXIT(
        {
          for (int repeat = 0; repeat < 10; ++repeat)
            run(broken, 0);
          std::exit(0);
        },
        testing::ExitedWithCode(66), "data race");
  }
}

TEST(Race, TheSanitizerReportsMissingWaitsOfGathers) {
  sanitizerReportsEachMissingWait(overlapped());
}

TEST(Race, TheSanitizerReportsMissingWaitsOfALoop) {
  sanitizerReportsEachMissingWait(prefetched());
}
#endif

TEST(Race, EachWaitOfOverlappedGathersIsNeeded) { deleteEachWait(overlapped(), 2); }

TEST(Race, EachWaitOfAPrefetchingLoopIsNeeded) { deleteEachWait(prefetched(), 4); }

TEST(Race, ReadsDoNotRace) {
  ScheduleBuilder b("x=1");
  uint32_t one = b.stream("one"), two = b.stream("two");
  uint32_t from = b.buffer(64), a = b.buffer(64), c = b.buffer(64);
  b.emit(one, Copy{}, {b.read(from), b.write(a)});
  b.emit(two, Copy{}, {b.read(from), b.write(c)});
  Status status = verifySchedule(b.schedule);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(Race, BuffersThatShareBytesRace) {
  ScheduleBuilder b("x=1");
  uint32_t one = b.stream("one"), two = b.stream("two");
  uint32_t a = b.buffer(128), c = b.buffer(64), d = b.buffer(64);
  uint32_t rate = b.buffer(4);
  b.program().buffers[rate] = {b.program().buffers[a].offset + 64, 64};
  b.emit(one, Copy{}, {{a, 64, 32, Access::Read}, {c, 0, 32, Access::Write}});
  b.emit(two, Copy{}, {b.read(d), {rate, 0, 64, Access::Write}});
  Status status = verifySchedule(b.schedule);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("bytes [64, 96)"), std::string::npos) << status.message();
  // The halves that do not touch are no race.
  b.program().instructions[0].operands[0].offset = 0;
  EXPECT_TRUE(verifySchedule(b.schedule).ok());
}

} // namespace
