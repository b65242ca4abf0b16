//===- DeviceTest.cpp - Streams, events, parking, deadlock ----------------===//

#include "layout/Layout.h"
#include "runtime/communicator/ThreadsCommunicator.h"
#include "runtime/device/CpuDevice.h"

#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

using namespace vescale::runtime;
using vescale::layout::Layout;
using vescale::layout::Mesh;
using vescale::layout::Status;

namespace {

/// Ranks with `streams` streams each, without a schedule.
struct Ranks {
  Ranks(int64_t count, int streams, WorkerPoolOptions options = {}) : pool(options) {
    for (int64_t rank = 0; rank < count; ++rank) {
      devices.push_back(std::make_unique<CpuDevice>(pool, 1, [rank](uint32_t instruction) {
        return fmt::format("rank {}: instruction {}", rank, instruction);
      }));
      EXPECT_TRUE(devices.back()->allocateArena(1 << 16).ok());
      for (int s = 0; s < streams; ++s)
        devices.back()->createStream(fmt::format("{} of rank {}", s, rank), 100000);
    }
  }

  CommandId host(int64_t rank, HostCall call) {
    return *devices[rank]->prepareHostCall(std::move(call), {});
  }
  /// An all-reduce of four f32 at the start of the arena, in place.
  CommandId allReduce(int64_t rank, StreamId stream, uint32_t id) {
    Mesh mesh = *Mesh::get({{"x", static_cast<int64_t>(devices.size())}});
    CollectiveCall call;
    call.id = id;
    call.source = *Layout::parse(mesh, "[{}], partial = [sum: \"x\"]");
    call.target = *Layout::parse(mesh, "[{}]");
    call.shape = {4};
    call.input = {devices[rank]->arena() + 64 * id, 16, Access::Read};
    call.output = {devices[rank]->arena() + 64 * id, 16, Access::Write};
    auto command = communicator.prepare(rank, *devices[rank], stream, call);
    EXPECT_TRUE(command.ok()) << command.message();
    return *command;
  }

  std::vector<std::unique_ptr<CpuDevice>> devices;
  ThreadsCommunicator communicator;
  WorkerPool pool;
};

TEST(Device, EventsOrderStreams) {
  WorkerPoolOptions options;
  options.workers = 2;
  Ranks ranks(1, 2, options);
  CpuDevice &device = *ranks.devices[0];
  EventId forth = device.createEvent(), back = device.createEvent();
  // Not atomic: only the events order the two streams.
  int64_t value = 0;
  CommandId twice = ranks.host(0, [&](const StepScalars &, const Iteration &) {
    value = 2 * value % 1000003;
    return Status();
  });
  CommandId plus = ranks.host(0, [&](const StepScalars &, const Iteration &) {
    value += 1;
    return Status();
  });
  ranks.pool.start();
  int64_t expected = 0;
  for (int step = 0; step < 5; ++step) {
    ranks.pool.begin({});
    for (uint32_t i = 0; i < 2000; ++i) {
      device.enqueue(0, twice, i, {});
      device.record(0, forth, i);
      device.wait(1, forth, i);
      device.enqueue(1, plus, i, {});
      device.record(1, back, i);
      device.wait(0, back, i);
      expected = 2 * expected % 1000003 + 1;
    }
    Status status = ranks.pool.finish();
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(value, expected);
  }
}

/// More streams that wait than workers: a waiting stream occupies none.
TEST(Device, WaitingOccupiesNoWorker) {
  WorkerPoolOptions options;
  options.workers = 1;
  Ranks ranks(8, 1, options);
  std::vector<CommandId> commands;
  for (int64_t rank = 0; rank < 8; ++rank) {
    commands.push_back(ranks.allReduce(rank, 0, 1));
    float values[4] = {1, 2, 3, static_cast<float>(rank)};
    std::memcpy(ranks.devices[rank]->arena() + 64, values, 16);
  }
  ASSERT_TRUE(ranks.communicator.connect().ok());
  ranks.pool.start();
  ranks.pool.begin({});
  for (int64_t rank = 0; rank < 8; ++rank)
    ranks.devices[rank]->enqueue(0, commands[rank], 0, {});
  Status status = ranks.pool.finish();
  ASSERT_TRUE(status.ok()) << status.message();
  for (int64_t rank = 0; rank < 8; ++rank) {
    float values[4];
    std::memcpy(values, ranks.devices[rank]->arena() + 64, 16);
    EXPECT_EQ(values[0], 8);
    EXPECT_EQ(values[3], 28);
  }
}

TEST(Device, RanksThatMeetInOtherOrdersAreADeadlock) {
  Ranks ranks(2, 1);
  CommandId first[2], second[2];
  for (int64_t rank = 0; rank < 2; ++rank) {
    first[rank] = ranks.allReduce(rank, 0, 1);
    second[rank] = ranks.allReduce(rank, 0, 2);
  }
  ASSERT_TRUE(ranks.communicator.connect().ok());
  ranks.pool.start();
  ranks.pool.begin({});
  ranks.devices[0]->enqueue(0, first[0], 10, {});
  ranks.devices[0]->enqueue(0, second[0], 11, {});
  ranks.devices[1]->enqueue(0, second[1], 20, {});
  ranks.devices[1]->enqueue(0, first[1], 21, {});
  Status status = ranks.pool.finish();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(),
            "deadlock: every stream that is not done waits\n"
            "  stream 0 of rank 0: rank 0: instruction 10 waits for ranks 1 in collective 1\n"
            "  stream 0 of rank 1: rank 1: instruction 20 waits for ranks 0 in collective 2");
}

TEST(Device, ARankThatNeverComesIsADeadlock) {
  Ranks ranks(3, 2);
  CommandId commands[3];
  for (int64_t rank = 0; rank < 3; ++rank)
    commands[rank] = ranks.allReduce(rank, 0, 5);
  ASSERT_TRUE(ranks.communicator.connect().ok());
  EventId event = ranks.devices[0]->createEvent();
  ranks.pool.start();
  ranks.pool.begin({});
  ranks.devices[0]->enqueue(0, commands[0], 1, {});
  ranks.devices[0]->record(0, event, 2);
  ranks.devices[0]->wait(1, event, 3);
  ranks.devices[2]->enqueue(0, commands[2], 1, {});
  Status status = ranks.pool.finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("rank 0: instruction 1 waits for ranks 1 in collective 5"),
            std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("stream 1 of rank 0: rank 0: instruction 3 waits for event 0"),
            std::string::npos)
      << status.message();
}

/// What peers wait for is not left until a stream that only computes has nothing more to do.
TEST(Device, StreamsOnWhichRanksMeetGoFirst) {
  WorkerPoolOptions options;
  options.workers = 1;
  options.workerPerStream = false;
  Ranks ranks(1, 2, options);
  CpuDevice &device = *ranks.devices[0];
  EventId event = device.createEvent();
  std::atomic<bool> enqueued{false};
  std::string order;
  auto log = [&](char letter) {
    return ranks.host(0, [&order, letter](const StepScalars &, const Iteration &) {
      order += letter;
      return Status();
    });
  };
  CommandId begin = ranks.host(0, [&](const StepScalars &, const Iteration &) {
    while (!enqueued.load())
      std::this_thread::yield();
    return Status();
  });
  CommandId a = log('a'), b = log('b'), c = log('c'), afterwards = log('!');
  CommandId meeting = ranks.allReduce(0, 1, 1);
  ASSERT_TRUE(ranks.communicator.connect().ok());
  ranks.pool.start();
  ranks.pool.begin({});
  device.enqueue(0, begin, 0, {});
  device.enqueue(0, a, 1, {});
  device.record(0, event, 2);
  device.enqueue(0, b, 3, {});
  device.enqueue(0, c, 4, {});
  device.wait(1, event, 5);
  device.enqueue(1, meeting, 6, {});
  device.enqueue(1, afterwards, 7, {});
  enqueued.store(true);
  ASSERT_TRUE(ranks.pool.finish().ok());
  EXPECT_EQ(order, "a!bc");
}

/// Many ranks, streams and steps on few workers: no wake-up is lost.
TEST(Device, ManyStreamsMeetManyTimes) {
  for (int workers : {1, 2, 5}) {
    WorkerPoolOptions options;
    options.workers = workers;
    Ranks ranks(6, 2, options);
    std::vector<CommandId> a, b;
    for (int64_t rank = 0; rank < 6; ++rank) {
      a.push_back(ranks.allReduce(rank, 0, 1));
      b.push_back(ranks.allReduce(rank, 1, 2));
    }
    ASSERT_TRUE(ranks.communicator.connect().ok());
    ranks.pool.start();
    for (int step = 0; step < 20; ++step) {
      ranks.pool.begin({});
      for (uint32_t i = 0; i < 100; ++i)
        for (int64_t rank = 0; rank < 6; ++rank) {
          ranks.devices[rank]->enqueue(0, a[rank], i, {});
          ranks.devices[rank]->enqueue(1, b[rank], i, {});
        }
      Status status = ranks.pool.finish();
      ASSERT_TRUE(status.ok()) << status.message();
    }
  }
}

TEST(Device, TilesOfOneInstructionCoverItOnce) {
  WorkerPoolOptions options;
  options.workers = 3;
  WorkerPool pool(options);
  CpuDevice device(pool, 3, [](uint32_t) { return std::string(); });
  ASSERT_TRUE(device.allocateArena(1 << 16).ok());
  device.createStream("compute", 10);
  KernelCall call;
  call.kernel = [](void *const *args, const int64_t *, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      static_cast<int32_t *>(args[0])[i] += 1;
  };
  call.arguments = {{device.arena(), 1000 * 4, Access::ReadWrite}};
  call.extent = 1000;
  call.grain = 7;
  CommandId command = *device.prepareKernel(call);
  pool.start();
  for (int step = 1; step <= 200; ++step) {
    pool.begin({});
    device.enqueue(0, command, 0, {});
    ASSERT_TRUE(pool.finish().ok());
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(reinterpret_cast<int32_t *>(device.arena())[i], step);
  }
}

} // namespace
