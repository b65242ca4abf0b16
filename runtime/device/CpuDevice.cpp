//===- CpuDevice.cpp - A rank's share of the CPU --------------------------===//

#include "runtime/device/CpuDevice.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

using namespace vescale::runtime;
using vescale::layout::Status;

CpuDevice::CpuDevice(WorkerPool &pool, int threads, std::function<std::string(uint32_t)> describe)
    : pool(pool), share(std::clamp<int>(threads, 1, maximumTiles)), describer(std::move(describe)) {
}

CpuDevice::~CpuDevice() {
  if (memory)
    munmap(memory, mapped);
}

Status CpuDevice::allocateArena(uint64_t bytes) {
  // Pages of the system are zero, aligned well beyond a buffer, and taken only when touched.
  mapped = std::max<uint64_t>(bytes, 1);
  void *address = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED)
    return Status::error(
        fmt::format("cannot allocate the arena of {} bytes: {}", bytes, std::strerror(errno)));
  madvise(address, mapped, MADV_HUGEPAGE);
  memory = static_cast<std::byte *>(address);
  return Status();
}

StreamId CpuDevice::createStream(const std::string &name, uint64_t capacity) {
  streams.push_back(std::make_unique<CpuStream>(*this, pool, name, capacity));
  return static_cast<StreamId>(streams.size() - 1);
}

EventId CpuDevice::createEvent() {
  events.emplace_back();
  return static_cast<EventId>(events.size() - 1);
}

CommandId CpuDevice::add(std::unique_ptr<CpuCommand> command) {
  commands.push_back(std::move(command));
  return static_cast<CommandId>(commands.size() - 1);
}

bool CpuDevice::enqueue(StreamId stream, CommandId command, uint32_t instruction,
                        const Iteration &iteration) {
  return streams[stream]->enqueue({CpuStream::Kind::command, command, 0, instruction, iteration});
}

bool CpuDevice::record(StreamId stream, EventId event, uint32_t instruction) {
  uint32_t generation = events[event].issued + 1;
  if (!streams[stream]->enqueue({CpuStream::Kind::record, event, generation, instruction, {}}))
    return false;
  events[event].issued = generation;
  return true;
}

bool CpuDevice::wait(StreamId stream, EventId event, uint32_t instruction) {
  return streams[stream]->enqueue(
      {CpuStream::Kind::wait, event, events[event].issued, instruction, {}});
}

void CpuDevice::wakeParked() {
  for (const std::unique_ptr<CpuStream> &stream : streams)
    stream->wakeParked();
}
