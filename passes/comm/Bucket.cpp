//===- Bucket.cpp - Groups collectives into common launches -------------------------------===//
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

#define GEN_PASS_DEF_BUCKETPASS
#include "passes/comm/Passes.h.inc"

namespace {

struct BucketPass : impl::BucketPassBase<BucketPass> {
  using BucketPassBase::BucketPassBase;

  void runOnOperation() override {
    FailureOr<analysis::MachineModel> machine = readMachine(getOperation(), cluster);
    if (failed(machine))
      return signalPassFailure();
    LaneOptions options;
    options.merge = true;
    auto write = [&](Transfers &transfers, const LaneSchedule &schedule) {
      numJoined += writeBuckets(transfers, schedule);
      numBuckets +=
          llvm::count_if(schedule.launches, [](const Launch &launch) { return launch.transfers.size() > 1; });
    };
    if (failed(scheduleBlocks(getOperation(), *machine, memoryBudget, options, write)))
      signalPassFailure();
  }
};

} // namespace
} // namespace vescale
