//===- WorkerPool.h - The threads that run the streams of all ranks -------===//
//
// Workers take streams that are ready and run their commands until they must wait or are empty; a
// stream that waits is parked and occupies no worker. Streams on which ranks meet go first, since
// all peers wait for the last that comes. The pool counts the streams that are ready or
// running, and the thread that enqueues: when the count falls to zero, nothing can change any more,
// so either everything has finished or the streams that are not empty wait for each other.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_WORKERPOOL_H
#define VESCALE_RUNTIME_DEVICE_WORKERPOOL_H

#include "layout/Status.h"
#include "runtime/device/Announcement.h"
#include "runtime/device/ReadySet.h"
#include "runtime/device/StepScalars.h"
#include "runtime/device/TileJob.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <vector>

namespace vescale::runtime {

class CpuStream;

struct WorkerPoolOptions {
  /// Threads; 0 is one for each core.
  int workers = 0;
  /// Streams run one command at a time, in an order drawn from `seed`: finds orders that are wrong.
  bool randomOrder = false;
  uint64_t seed = 0;
  /// Each stream has a worker of its own, whatever `workers` says.
  bool workerPerStream = underThreadSanitizer;
  /// Commands that each stream keeps for the trace; 0 records none.
  uint32_t traceCapacity = 0;
};

class WorkerPool {
public:
  explicit WorkerPool(const WorkerPoolOptions &options);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;

  const WorkerPoolOptions &options() const { return settings; }

  /// Before start. Returns the stream's index.
  uint32_t add(CpuStream *stream);
  void start();

  /// A step: begin, enqueue, finish. `finish` returns when nothing runs any more: success, the
  /// first error, or a deadlock with what each stream waits for. After an error the pool runs
  /// nothing.
  void begin(const StepScalars &scalars);
  layout::Status finish();
  const StepScalars &scalars() const { return stepScalars; }

  /// The enqueuing thread found a queue full: lets others run. Returns whether all streams have
  /// come to rest; if still nothing can be enqueued then, they wait for each other.
  bool waitForSpace();
  /// What each stream that is not empty waits for. Only while all streams rest.
  layout::Status deadlock() const;

  /// The following are called by streams and commands.
  void schedule(uint32_t stream);
  /// Whether a stream that goes first is ready.
  bool hasFirst() const {
    uint32_t any;
    return first.peek(0, any);
  }
  void activate() { active.fetch_add(1); }
  void deactivate() {
    if (active.fetch_sub(1) == 1)
      sem_post(&quiet);
  }
  /// Keeps the first error and lets all streams run empty.
  void fail(layout::Status status);
  bool failed() const { return failure.load(); }

  /// Runs the tiles of a job on up to `tiles` workers, the caller being one of them.
  void runTiles(TileJob &job, uint32_t stream, uint32_t tiles);

private:
  class RandomOrder;

  void work(uint32_t worker);
  void workPinned(uint32_t stream);
  bool workOnce(uint32_t &position, RandomOrder &random);
  void notify();
  void sleepUnlessWork();

  WorkerPoolOptions settings;
  std::vector<CpuStream *> streams;
  std::vector<std::thread> threads;
  ReadySet first, ready, jobs; // ready streams that go first, other ready streams, jobs with tiles
  std::vector<TileJob *> jobOf; // by stream
  std::unique_ptr<sem_t[]> pinned;

  std::atomic<int64_t> active{0};
  std::atomic<int> sleepers{0};
  std::atomic<bool> stopping{false}, failure{false};
  sem_t wakeUp, quiet;
  StepScalars stepScalars;
  std::mutex errorMutex;
  layout::Status error;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_WORKERPOOL_H
