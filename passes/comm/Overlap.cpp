//===- Overlap.cpp - Starts collectives early and waits for them late ---------------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/comm/Passes.h"

#include "passes/comm/BlockSchedule.h"
#include "passes/comm/LaunchOrder.h"
#include "passes/comm/Machine.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_OVERLAPPASS
#include "passes/comm/Passes.h.inc"

namespace {

uint64_t nanoseconds(double seconds) { return static_cast<uint64_t>(std::llround(seconds * 1e9)); }

struct OverlapPass : impl::OverlapPassBase<OverlapPass> {
  using OverlapPassBase::OverlapPassBase;

  void runOnOperation() override {
    FailureOr<analysis::MachineModel> machine = readMachine(getOperation(), cluster);
    if (failed(machine))
      return signalPassFailure();
    auto write = [&](Transfers &transfers, const LaneSchedule &schedule) {
      writeOverlap(transfers, schedule);
      numStarted += schedule.launches.size();
      numDelayed += schedule.delayed;
      double communication = 0, exposed = 0;
      for (const Launch &launch : schedule.launches) {
        communication += launch.finish - launch.start;
        exposed += launch.exposed;
      }
      communicationNanoseconds += nanoseconds(communication);
      exposedNanoseconds += nanoseconds(exposed);
      stepNanoseconds += nanoseconds(schedule.seconds);
    };
    if (failed(scheduleBlocks(getOperation(), *machine, memoryBudget, LaneOptions(), write)))
      signalPassFailure();
  }
};

} // namespace
} // namespace vescale
