//===- Device.h - What a rank's device can do -----------------------------===//
//
// A device has an arena, streams and events. What an instruction does is prepared once, bound to
// its addresses, and gives a command; a step then enqueues commands. Meanings are those of CUDA: a
// stream runs its commands in order; record marks a place in a stream; wait holds a stream until
// the place that was recorded last before the wait was enqueued has been reached.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_DEVICE_H
#define VESCALE_RUNTIME_DEVICE_DEVICE_H

#include "layout/Status.h"
#include "runtime/device/StepScalars.h"
#include "runtime/format/KernelTable.h"
#include "runtime/format/Schedule.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace vescale::runtime {

using StreamId = uint32_t;
using EventId = uint32_t;
using CommandId = uint32_t;

/// Bytes of the arena that a command touches.
struct AccessRange {
  std::byte *address = nullptr;
  uint64_t bytes = 0;
  Access access = Access::Read;
};

/// A generated kernel, bound to addresses.
struct KernelCall {
  vescale_kernel kernel = nullptr;
  std::vector<AccessRange> arguments;
  std::vector<BoundScalar> scalars;
  int64_t extent = 1, grain = 1;
};

/// Attention, bound to addresses. `operands` are those of the instruction, in its order.
struct AttentionCall {
  Attention description;
  std::vector<AccessRange> operands;
  /// The values of the description's scalars.
  BoundScalar batchStart, headStart, queryStart, keyStart, drawId;
};

/// Runs on the host when the stream reaches it. May be called from any thread, for one stream never
/// twice at a time.
using HostCall = std::function<layout::Status(const StepScalars &, const Iteration &)>;

class Device {
public:
  virtual ~Device() = default;

  /// Allocates the arena, once; it is aligned as its buffers are, and zero.
  virtual layout::Status allocateArena(uint64_t bytes) = 0;
  virtual std::byte *arena() const = 0;

  /// `capacity` is the number of commands, records and waits that are enqueued on it in a step.
  virtual StreamId createStream(const std::string &name, uint64_t capacity) = 0;
  virtual EventId createEvent() = 0;

  virtual layout::StatusOr<CommandId> prepareKernel(KernelCall call) = 0;
  /// `ranges` are a, b, c.
  virtual layout::StatusOr<CommandId> prepareMatMul(const MatMul &description,
                                                    std::vector<AccessRange> ranges) = 0;
  virtual layout::StatusOr<CommandId> prepareAttention(AttentionCall call) = 0;
  virtual layout::StatusOr<CommandId> prepareCopy(AccessRange from, AccessRange to) = 0;
  virtual layout::StatusOr<CommandId> prepareHostCall(HostCall call, AccessRange range) = 0;

  /// The following allocate nothing, take no lock, and return false where the stream's queue is
  /// full: the caller tries again later. `instruction` is what reports and traces call the command.
  virtual bool enqueue(StreamId stream, CommandId command, uint32_t instruction,
                       const Iteration &iteration) = 0;
  virtual bool record(StreamId stream, EventId event, uint32_t instruction) = 0;
  virtual bool wait(StreamId stream, EventId event, uint32_t instruction) = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_DEVICE_H
