//===- CpuStream.cpp - A queue of commands that workers run in order ------===//

#include "runtime/device/CpuStream.h"
#include "runtime/device/CpuDevice.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Status;

namespace {

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Generations are compared as distances, so that they may wrap around.
bool reached(uint32_t completed, uint32_t generation) {
  return static_cast<int32_t>(completed - generation) >= 0;
}

} // namespace

/// What the command in front of the stream sees.
class CpuStream::Execution final : public CpuExecution {
public:
  Execution(CpuStream &stream, const Entry &entry) : stream(stream), entry(entry) {}

  const StepScalars &scalars() const override { return stream.pool.scalars(); }
  const Iteration &iteration() const override { return entry.iteration; }
  CommandProgress &progress() override { return stream.progress; }
  void wake(const std::vector<CpuStream *> &streams) override {
    for (CpuStream *other : streams)
      if (other != &stream)
        other->wakeParked();
  }
  void fail(Status status) override {
    stream.pool.fail(
        Status::error(stream.device.describe(entry.instruction) + ": " + status.message()));
  }
  void forTiles(TileFunction function, const void *context, int64_t extent,
                int64_t grain) override {
    if (extent <= 0)
      return;
    int64_t grains = (extent + grain - 1) / grain;
    int64_t tiles = std::min<int64_t>(stream.device.threads(), grains);
    if (tiles <= 1) {
      function(context, 0, extent);
      return;
    }
    stream.job.open(function, context, extent, grain, static_cast<uint32_t>(tiles));
    stream.pool.runTiles(stream.job, stream.poolIndex, static_cast<uint32_t>(tiles));
  }

private:
  CpuStream &stream;
  const Entry &entry;
};

CpuStream::CpuStream(CpuDevice &device, WorkerPool &pool, std::string name, uint64_t capacity)
    : device(device), pool(pool), label(std::move(name)) {
  // A queue of a million entries is long enough to keep the workers busy while more are enqueued.
  uint64_t size = 2;
  while (size < std::min<uint64_t>(capacity, uint64_t(1) << 20))
    size *= 2;
  ring = std::make_unique<Entry[]>(size);
  mask = size - 1;
  records.resize(pool.options().traceCapacity);
  poolIndex = pool.add(this);
}

bool CpuStream::enqueue(const Entry &entry) {
  uint64_t position = tail.load(std::memory_order_relaxed);
  if (position - head.load(std::memory_order_acquire) > mask)
    return false;
  ring[position & mask] = entry;
  tail.store(position + 1);
  wake(State::idle);
  return true;
}

void CpuStream::wake(State from) {
  if (state.load() != from)
    return;
  // Counted before it is visible, so that the count never falls to zero in between.
  pool.activate();
  State expected = from;
  if (state.compare_exchange_strong(expected, State::ready))
    pool.schedule(poolIndex);
  else
    pool.deactivate();
}

/// The worker, having stored idle or parked, takes the stream back; false where somebody woke it.
bool CpuStream::release(State stored) {
  if (state.compare_exchange_strong(stored, State::running))
    return true;
  pool.deactivate();
  return false;
}

bool CpuStream::run() {
  state.store(State::running);
  while (true) {
    uint64_t position = head.load(std::memory_order_relaxed);
    if (position == tail.load()) {
      state.store(State::idle);
      if (position == tail.load()) {
        pool.deactivate();
        return false;
      }
      if (!release(State::idle))
        return false;
      continue;
    }
    // Copies: once parked, another worker may run the stream while this one still looks.
    Entry entry = ring[position & mask];
    if (!execute(entry)) {
      CommandProgress reachedSoFar = progress;
      state.store(State::parked);
      if (!canProceed(entry, reachedSoFar)) {
        pool.deactivate();
        return false;
      }
      if (!release(State::parked))
        return false;
      continue;
    }
    progress = CommandProgress();
    resumed = false;
    head.store(position + 1);
    bool givesWay = !first && pool.hasFirst();
    if (givesWay || pool.options().randomOrder) {
      state.store(State::ready);
      pool.schedule(poolIndex);
      return givesWay;
    }
  }
}

bool CpuStream::canProceed(const Entry &entry, const CommandProgress &reachedSoFar) const {
  if (pool.failed())
    return true;
  if (entry.kind == Kind::wait)
    return reached(device.event(entry.index).load(), entry.generation);
  return device.command(entry.index).canProceed(reachedSoFar);
}

bool CpuStream::execute(const Entry &entry) {
  // After an error everything is passed over, so that the streams run empty.
  if (pool.failed())
    return true;
  switch (entry.kind) {
  case Kind::command:
    return executeCommand(entry);
  case Kind::record:
    device.event(entry.index).store(entry.generation);
    device.wakeParked();
    return true;
  case Kind::wait:
    return reached(device.event(entry.index).load(), entry.generation);
  }
  return true;
}

bool CpuStream::executeCommand(const Entry &entry) {
  CpuCommand &command = device.command(entry.index);
  if (!resumed) {
    resumed = true;
    if (!records.empty())
      startedAt = now();
    for (const AccessRange &range : command.ranges)
      announce(range);
  }
  Execution execution(*this, entry);
  bool done = command.run(execution);
  if (done && !records.empty())
    records[recorded++ % records.size()] = {entry.instruction, entry.iteration, pool.scalars().step,
                                            startedAt, now()};
  return done;
}

std::string CpuStream::describeWait() const {
  Entry entry = ring[head.load() & mask];
  std::string what;
  if (entry.kind == Kind::wait)
    what = fmt::format("event {}", entry.index);
  else if (entry.kind == Kind::command)
    what = device.command(entry.index).describeWait(progress);
  return fmt::format("stream {}: {} waits for {}", label, device.describe(entry.instruction), what);
}

std::vector<TraceRecord> CpuStream::trace() const {
  std::vector<TraceRecord> result;
  uint64_t first = recorded > records.size() ? recorded - records.size() : 0;
  for (uint64_t i = first; i < recorded; ++i)
    result.push_back(records[i % records.size()]);
  return result;
}
