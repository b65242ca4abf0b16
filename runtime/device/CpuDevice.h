//===- CpuDevice.h - A rank's share of the CPU ----------------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_CPUDEVICE_H
#define VESCALE_RUNTIME_DEVICE_CPUDEVICE_H

#include "runtime/device/CpuStream.h"
#include "runtime/device/Device.h"

#include <deque>
#include <functional>
#include <memory>

namespace vescale::runtime {

/// The device of one rank. The devices of all ranks of a process share one pool of workers.
class CpuDevice final : public Device {
public:
  /// `threads` is how many workers one instruction may use; `describe` names an instruction, with
  /// its rank, in messages.
  CpuDevice(WorkerPool &pool, int threads, std::function<std::string(uint32_t)> describe);
  ~CpuDevice() override;

  layout::Status allocateArena(uint64_t bytes) override;
  std::byte *arena() const override { return memory; }
  StreamId createStream(const std::string &name, uint64_t capacity) override;
  EventId createEvent() override;

  layout::StatusOr<CommandId> prepareKernel(KernelCall call) override;
  layout::StatusOr<CommandId> prepareMatMul(const MatMul &description,
                                            std::vector<AccessRange> ranges) override;
  layout::StatusOr<CommandId> prepareAttention(AttentionCall call) override;
  layout::StatusOr<CommandId> prepareCopy(AccessRange from, AccessRange to) override;
  layout::StatusOr<CommandId> prepareHostCall(HostCall call, AccessRange range) override;

  bool enqueue(StreamId stream, CommandId command, uint32_t instruction,
               const Iteration &iteration) override;
  bool record(StreamId stream, EventId event, uint32_t instruction) override;
  bool wait(StreamId stream, EventId event, uint32_t instruction) override;

  /// A command of another kind, e.g. of a communicator.
  CommandId add(std::unique_ptr<CpuCommand> command);

  int threads() const { return share; }
  std::string describe(uint32_t instruction) const { return describer(instruction); }
  CpuStream &stream(StreamId id) { return *streams[id]; }
  CpuCommand &command(CommandId id) const { return *commands[id]; }
  std::atomic<uint32_t> &event(EventId id) { return events[id].completed; }
  /// Streams that wait for an event look at it again.
  void wakeParked();

private:
  struct Event {
    std::atomic<uint32_t> completed{0}; // generation that was reached
    uint32_t issued = 0; // generation that was recorded last, of the enqueuing thread
  };

  WorkerPool &pool;
  int share;
  std::function<std::string(uint32_t)> describer;
  std::byte *memory = nullptr;
  uint64_t mapped = 0;
  std::vector<std::unique_ptr<CpuStream>> streams;
  std::deque<Event> events;
  std::vector<std::unique_ptr<CpuCommand>> commands;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_CPUDEVICE_H
