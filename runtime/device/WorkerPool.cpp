//===- WorkerPool.cpp - The threads that run the streams of all ranks -----===//

#include "runtime/device/WorkerPool.h"
#include "runtime/device/CpuStream.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Status;

namespace {

/// A semaphore may be interrupted by a signal.
void waitFor(sem_t &semaphore) {
  while (sem_wait(&semaphore) != 0) {
  }
}

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Looks for work this often before a worker sleeps: about the time that waking it would take.
constexpr int spinsBeforeSleep = 64;

} // namespace

/// Priorities of the streams, drawn anew from time to time. How often differs from one stretch to the
/// next, from every command to once in 128: some faults show only where one stream runs far
/// ahead of another (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of
/// Finding Bugs", ASPLOS 2010).
class WorkerPool::RandomOrder {
public:
  RandomOrder(uint64_t seed, size_t streams) : state(seed), order(streams) {
    for (size_t i = 0; i < streams; ++i)
      order[i] = static_cast<uint32_t>(i);
  }

  bool take(ReadySet &ready, uint32_t &found) {
    if (next() % stretch == 0) {
      stretch = uint64_t(1) << next() % 8;
      for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[next() % i]);
    }
    for (uint32_t stream : order)
      if (ready.takeThis(stream)) {
        found = stream;
        return true;
      }
    return false;
  }

private:
  /// Xorshift (Marsaglia 2003).
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }

  uint64_t state, stretch = 1;
  std::vector<uint32_t> order;
};

WorkerPool::WorkerPool(const WorkerPoolOptions &options) : settings(options) {
  if (settings.workers <= 0)
    settings.workers = std::max(1u, std::thread::hardware_concurrency());
  sem_init(&wakeUp, 0, 0);
  sem_init(&quiet, 0, 0);
}

WorkerPool::~WorkerPool() {
  stopping.store(true);
  for (size_t i = 0; i < threads.size(); ++i)
    sem_post(settings.workerPerStream ? &pinned[i] : &wakeUp);
  for (std::thread &thread : threads)
    thread.join();
  if (pinned)
    for (size_t i = 0; i < streams.size(); ++i)
      sem_destroy(&pinned[i]);
  sem_destroy(&wakeUp);
  sem_destroy(&quiet);
}

uint32_t WorkerPool::add(CpuStream *stream) {
  streams.push_back(stream);
  jobOf.push_back(&stream->tileJob());
  return static_cast<uint32_t>(streams.size() - 1);
}

void WorkerPool::start() {
  first.reset(static_cast<uint32_t>(streams.size()));
  ready.reset(static_cast<uint32_t>(streams.size()));
  jobs.reset(static_cast<uint32_t>(streams.size()));
  if (settings.workerPerStream) {
    pinned = std::make_unique<sem_t[]>(streams.size());
    for (size_t i = 0; i < streams.size(); ++i)
      sem_init(&pinned[i], 0, 0);
    for (uint32_t i = 0; i < streams.size(); ++i)
      threads.emplace_back([this, i] { workPinned(i); });
    return;
  }
  for (int i = 0; i < settings.workers; ++i)
    threads.emplace_back([this, i] { work(static_cast<uint32_t>(i)); });
}

void WorkerPool::begin(const StepScalars &scalars) {
  stepScalars = scalars;
  activate();
}

Status WorkerPool::finish() {
  deactivate();
  waitFor(quiet);
  if (failed()) {
    std::lock_guard<std::mutex> lock(errorMutex);
    return error;
  }
  for (const CpuStream *stream : streams)
    if (!stream->empty()) {
      Status status = deadlock();
      fail(status);
      return status;
    }
  return Status();
}

bool WorkerPool::waitForSpace() {
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  // The caller itself counts as active.
  return active.load() == 1;
}

Status WorkerPool::deadlock() const {
  std::string message = "deadlock: every stream that is not done waits";
  for (const CpuStream *stream : streams)
    if (!stream->empty())
      message += "\n  " + stream->describeWait();
  return Status::error(message);
}

void WorkerPool::fail(Status status) {
  {
    std::lock_guard<std::mutex> lock(errorMutex);
    if (failure.load())
      return;
    error = std::move(status);
    failure.store(true);
  }
  for (CpuStream *stream : streams)
    stream->wakeParked();
}

void WorkerPool::schedule(uint32_t stream) {
  if (settings.workerPerStream) {
    sem_post(&pinned[stream]);
    return;
  }
  bool goesFirst = streams[stream]->goesFirst() && !settings.randomOrder;
  (goesFirst ? first : ready).insert(stream);
  notify();
}

/// Pairs with sleepUnlessWork: either the sleeper's last look sees the new work, or this sees the
/// sleeper.
void WorkerPool::notify() {
  int waiting = sleepers.load();
  while (waiting > 0)
    if (sleepers.compare_exchange_weak(waiting, waiting - 1)) {
      sem_post(&wakeUp);
      return;
    }
}

void WorkerPool::sleepUnlessWork() {
  sleepers.fetch_add(1);
  uint32_t any;
  if (first.peek(0, any) || ready.peek(0, any) || jobs.peek(0, any) || stopping.load()) {
    int waiting = sleepers.load();
    while (waiting > 0)
      if (sleepers.compare_exchange_weak(waiting, waiting - 1))
        return;
    // Somebody counted this worker as asleep and posted for it: takes that post.
  }
  waitFor(wakeUp);
}

bool WorkerPool::workOnce(uint32_t &position, RandomOrder &random) {
  uint32_t found;
  if (jobs.peek(position, found) && jobOf[found]->help())
    return true;
  if (first.take(position, found)) {
    streams[found]->run();
    return true;
  }
  if (!(settings.randomOrder ? random.take(ready, found) : ready.take(position, found)))
    return false;
  bool gaveWay = streams[found]->run();
  // The next look begins behind this stream, so that none is passed over for long; one that gave
  // way comes next, while its data are in the caches.
  position = gaveWay ? found : (found + 1) % static_cast<uint32_t>(streams.size());
  return true;
}

void WorkerPool::work(uint32_t worker) {
  uint32_t position = streams.empty() ? 0 : worker % static_cast<uint32_t>(streams.size());
  RandomOrder random(settings.seed * 0x9e3779b97f4a7c15ull + worker + 1, streams.size());
  while (!stopping.load(std::memory_order_relaxed)) {
    bool worked = false;
    for (int spin = 0; spin < spinsBeforeSleep && !worked; ++spin) {
      worked = !streams.empty() && workOnce(position, random);
      if (!worked)
        relax();
    }
    if (!worked)
      sleepUnlessWork();
  }
}

void WorkerPool::workPinned(uint32_t stream) {
  while (true) {
    waitFor(pinned[stream]);
    if (stopping.load())
      return;
    streams[stream]->run();
  }
}

void WorkerPool::runTiles(TileJob &job, uint32_t stream, uint32_t tiles) {
  jobs.insert(stream);
  for (uint32_t i = 1; i < tiles; ++i)
    notify();
  while (job.help()) {
  }
  jobs.erase(stream);
  // Others are in the middle of a tile; each is as long as those that this worker just ran.
  for (int spin = 0; !job.finished(); ++spin) {
    if (spin < 1024)
      relax();
    else
      std::this_thread::yield();
  }
}
