//===- CpuCommand.h - What a CPU stream can run ---------------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_CPUCOMMAND_H
#define VESCALE_RUNTIME_DEVICE_CPUCOMMAND_H

#include "runtime/device/Device.h"
#include "runtime/device/TileJob.h"

#include <string>

namespace vescale::runtime {

class CpuStream;

/// Where a command that had to wait stands; zero when it starts. The command gives the numbers
/// their meaning.
struct CommandProgress {
  uint32_t phase = 0;
  uint64_t ticket = 0;
};

/// Services for a command while it runs.
class CpuExecution {
public:
  virtual const StepScalars &scalars() const = 0;
  virtual const Iteration &iteration() const = 0;
  virtual CommandProgress &progress() = 0;

  /// Runs the function over [0, extent), in runs of whole grains, on this rank's share of workers.
  virtual void forTiles(TileFunction function, const void *context, int64_t extent,
                        int64_t grain) = 0;
  /// What these streams wait for may have happened.
  virtual void wake(const std::vector<CpuStream *> &streams) = 0;
  /// Ends the run: this status is what the step returns.
  virtual void fail(layout::Status status) = 0;

protected:
  ~CpuExecution() = default;
};

/// A prepared command. It belongs to one stream position at a time and allocates nothing when run.
class CpuCommand {
public:
  virtual ~CpuCommand() = default;

  /// Runs until it is done (true) or must wait for others (false). It is then run again, with the
  /// same progress, after `canProceed` or after its stream was woken.
  virtual bool run(CpuExecution &execution) = 0;
  virtual bool canProceed(const CommandProgress &) const { return true; }
  /// What a waiting command waits for, for the report of a deadlock.
  virtual std::string describeWait(const CommandProgress &) const { return "nothing"; }

  /// The bytes that the instruction declares.
  std::vector<AccessRange> ranges;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_CPUCOMMAND_H
