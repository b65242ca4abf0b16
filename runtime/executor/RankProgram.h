//===- RankProgram.h - A program, bound to one rank's device --------------===//
#ifndef VESCALE_RUNTIME_EXECUTOR_RANKPROGRAM_H
#define VESCALE_RUNTIME_EXECUTOR_RANKPROGRAM_H

#include "layout/Status.h"
#include "runtime/communicator/Communicator.h"
#include "runtime/device/Device.h"
#include "runtime/format/Verify.h"

#include <functional>
#include <vector>

namespace vescale::runtime {

/// The host's access to a rank's part of a tensor, at the point of a step where the schedule has
/// it.
struct HostTransfer {
  int64_t rank;
  uint32_t tensor; // index in the schedule
  std::byte *data; // in local storage order
  uint64_t bytes;
  StepScalars scalars;
  Iteration iteration;
};
using HostTransferCall = std::function<layout::Status(const HostTransfer &)>;

/// What binding needs to know besides the schedule.
struct BindContext {
  const Schedule &schedule;
  const ResolvedLayouts &layouts;
  int64_t rank;
  Device &device;
  Communicator &communicator;
  const vescale_kernel *kernels;
  HostTransferCall input, output;
  /// Number of the program in the schedule.
  size_t program = 0;
  /// What the first instruction is called on the device, where programs of several functions are.
  uint32_t firstInstruction = 0;
};

/// The list that the walking thread goes through, and where it stands.
class RankProgram {
public:
  /// Creates the program's events on the rank's device and prepares every instruction. The arena
  /// must be allocated and the streams of the rank's class must exist.
  layout::Status bind(const BindContext &context);

  void restart();
  /// Enqueues until the run is completely enqueued (true) or a queue is full (false). Sets
  /// `progress` where anything was enqueued.
  bool walk(Device &device, bool &progress);

private:
  struct Issue {
    enum class Kind : uint32_t { command, record, wait, loopBegin, loopEnd } kind;
    uint32_t stream = 0;
    uint32_t index = 0; // command, event, number of iterations, or start of the loop's body
    uint32_t instruction = 0;
  };

  std::vector<Issue> issues;
  size_t next = 0;
  size_t depth = 0;
  Iteration iteration;
  uint32_t counts[4] = {0, 0, 0, 0};
};

/// How often each stream of a program is enqueued on in a run, loops counted.
std::vector<uint64_t> entriesByStream(const Program &program);

/// Resolves what depends on the rank.
BoundScalar bindScalar(const Scalar &scalar, const ResolvedLayouts &layouts, int64_t rank);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_EXECUTOR_RANKPROGRAM_H
