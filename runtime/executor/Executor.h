//===- Executor.h - Runs a schedule, step by step -------------------------===//
//
// Everything is done once, when an executor is made: the file is verified, each rank's arena is
// allocated, streams, events and collectives exist, and every instruction is bound to its
// addresses. A run of one of the schedule's functions (the training step is the first) then only
// walks the lists of the ranks and enqueues: it allocates nothing, makes no string, hashes nothing
// and takes no lock.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_EXECUTOR_EXECUTOR_H
#define VESCALE_RUNTIME_EXECUTOR_EXECUTOR_H

#include "layout/Status.h"
#include "runtime/communicator/ThreadsCommunicator.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/executor/RankProgram.h"
#include "runtime/format/KernelTable.h"
#include "runtime/format/Verify.h"

#include <functional>
#include <memory>
#include <vector>

namespace vescale::runtime {

/// The kernels that are linked into this executable; the compiler's table, see KernelTable.h.
struct KernelImage {
  const vescale_kernel *kernels = nullptr;
  uint64_t count = 0;
  uint64_t checksum = 0;
};

struct ExecutorOptions {
  /// Threads of the process; 0 is one for each core.
  int workers = 0;
  /// How many of them one instruction of a rank may use.
  int threadsPerRank = 1;
  /// Called on a worker when a HostInput or HostOutput is reached. Calls for different ranks and
  /// streams may come at the same time. Without `input`, a schedule with inputs is refused.
  HostTransferCall input, output;
  /// Commands that each stream keeps for the trace; 0 records none.
  uint32_t traceCapacity = 0;
  /// For tests: ready instructions run in random order, and schedules with races are accepted.
  bool randomOrder = false;
  uint64_t randomSeed = 0;
  bool acceptRaces = false;
};

/// What a stream of a rank has run; the latest, oldest first.
struct StreamTrace {
  int64_t rank;
  std::string stream;
  std::vector<TraceRecord> records;
};

class Executor {
public:
  /// Makes an executor of all ranks of a schedule file. Fails, having touched nothing, with the
  /// reason: a file that is damaged or does not verify, a target other than the CPU, kernels of
  /// another schedule, an arena that cannot be allocated.
  static layout::StatusOr<std::unique_ptr<Executor>> create(const uint8_t *file, uint64_t size,
                                                            const KernelImage &image,
                                                            const ExecutorOptions &options = {});
  ~Executor();

  int64_t ranks() const { return layouts.ranks(); }
  const Schedule &schedule() const { return content; }
  const ResolvedLayouts &resolvedLayouts() const { return layouts; }
  uint64_t arenaBytes(int64_t rank) const;
  std::byte *arena(int64_t rank) const { return devices[rank]->arena(); }

  /// Runs a function, by its number in the schedule, on all ranks. Errors name the rank, the
  /// instruction and its source location; after one, the arenas are undefined and every further run
  /// fails with the same.
  layout::Status run(uint32_t function, const StepScalars &scalars);
  /// Runs the first function, the training step.
  layout::Status runStep(const StepScalars &scalars) { return run(0, scalars); }

  /// A rank's part of a tensor, in local storage order, in the first function that has it; null where
  /// there is none. Between runs only.
  std::byte *tensorData(uint32_t tensor, int64_t rank) const;
  /// Index of a tensor; none where there is no such.
  uint32_t findTensor(TensorRole role, const std::string &name) const;

  /// Between runs, with traceCapacity: what the streams have run of a function.
  std::vector<StreamTrace> trace(uint32_t function = 0) const;

private:
  explicit Executor(Schedule schedule) : content(std::move(schedule)) {}

  layout::Status prepare(const KernelImage &image, const ExecutorOptions &options);
  layout::Status prepareRank(int64_t rank, const KernelImage &image,
                             const ExecutorOptions &options);
  /// What instructions of a function are called on the device of a rank of the class, from the
  /// function's first on: those of the functions before it come first.
  uint32_t firstInstruction(size_t function, uint32_t rankClass) const;
  /// Describes an instruction by what it is called on the device.
  std::string describeInstruction(int64_t rank, uint32_t instruction) const;

  Schedule content;
  ResolvedLayouts layouts;
  std::vector<std::unique_ptr<CpuDevice>> devices;    // by rank
  std::vector<std::unique_ptr<RankProgram>> programs; // by function, then by rank
  ThreadsCommunicator communicator;
  layout::Status broken;
  std::unique_ptr<WorkerPool> pool; // the last member: its threads end before what they use
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_EXECUTOR_EXECUTOR_H
