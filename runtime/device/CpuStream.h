//===- CpuStream.h - A queue of commands that workers run in order --------===//
//
// One thread enqueues, one worker at a time runs. States:
//
//   idle     empty, in nobody's hands
//   ready    to be taken by a worker
//   running  in a worker's hands
//   parked   its first command waits for an event or a peer
//
// A worker stores idle or parked and then looks once more at what it lacked; who provides it stores
// that first and then looks at the state. So one of the two sees the other, and no wake-up is lost.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_CPUSTREAM_H
#define VESCALE_RUNTIME_DEVICE_CPUSTREAM_H

#include "runtime/device/CpuCommand.h"
#include "runtime/device/WorkerPool.h"

#include <atomic>
#include <memory>

namespace vescale::runtime {

class CpuDevice;

/// One command that a stream has run. Times are nanoseconds of the steady clock.
struct TraceRecord {
  uint32_t instruction = 0;
  Iteration iteration;
  int64_t step = 0;
  int64_t begin = 0, end = 0;
};

class CpuStream {
public:
  CpuStream(CpuDevice &device, WorkerPool &pool, std::string name, uint64_t capacity);

  enum class Kind : uint32_t { command, record, wait };
  struct Entry {
    Kind kind = Kind::command;
    uint32_t index = 0;      // of the command or event
    uint32_t generation = 0; // of the event
    uint32_t instruction = 0;
    Iteration iteration;
  };

  /// False where the queue is full.
  bool enqueue(const Entry &entry);

  /// Runs commands until the stream is empty or must wait. Called by a worker that took the stream.
  /// Returns whether it could go on but gave way to a stream that goes first.
  bool run();

  /// The stream waits for something that may have happened.
  void wakeParked() { wake(State::parked); }

  /// On streams that go first ranks meet: their commands are short, and peers wait for them. Others
  /// give way to them between two commands. Before the pool starts.
  void setGoesFirst() { first = true; }
  bool goesFirst() const { return first; }

  bool empty() const { return head.load() == tail.load(); }
  /// `stream compute of rank 2: instruction 7 waits for ...`
  std::string describeWait() const;

  const std::string &name() const { return label; }
  TileJob &tileJob() { return job; }
  uint32_t index() const { return poolIndex; }

  /// The latest records, oldest first. Not while a step runs.
  std::vector<TraceRecord> trace() const;

private:
  enum class State : uint32_t { idle, ready, running, parked };
  class Execution;

  void wake(State from);
  bool execute(const Entry &entry);
  bool executeCommand(const Entry &entry);
  bool canProceed(const Entry &entry, const CommandProgress &progress) const;
  bool release(State state);

  CpuDevice &device;
  WorkerPool &pool;
  std::string label;
  uint32_t poolIndex;
  bool first = false;

  std::unique_ptr<Entry[]> ring;
  uint64_t mask;
  alignas(64) std::atomic<uint64_t> tail{0};
  alignas(64) std::atomic<uint64_t> head{0};
  std::atomic<State> state{State::idle};
  CommandProgress progress;
  bool resumed = false; // the first command has been run before
  int64_t startedAt = 0;
  TileJob job;
  std::vector<TraceRecord> records;
  uint64_t recorded = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_CPUSTREAM_H
