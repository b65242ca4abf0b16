//===- BlockSchedule.cpp - Schedules the launches of each block of a function -------------===//

#include "passes/comm/BlockSchedule.h"

#include "passes/comm/LaunchOrder.h"
#include "passes/fusion/KernelKind.h"
#include "passes/memory/DeviceClasses.h"

using namespace mlir;

namespace vescale {
namespace {

/// The part of a memory budget that stays free for what no allocator can use.
constexpr int64_t unusableShare = 8;

int64_t budgetOfValues(func::FuncOp function, Storages &storages, int64_t memoryBudget) {
  int64_t persistent = 0;
  for (BlockArgument argument : function.getArguments())
    if (Storage *storage = storages.find(argument))
      persistent += storage->bytes;
  return std::max<int64_t>(0, memoryBudget - memoryBudget / unusableShare - persistent);
}

} // namespace

LogicalResult scheduleBlocks(func::FuncOp function, const analysis::MachineModel &machine,
                             int64_t memoryBudget, const LaneOptions &options,
                             const std::function<void(Transfers &, const LaneSchedule &)> &write) {
  llvm::SmallSetVector<Block *, 4> blocks;
  walkOutsideGroups(function, [&](Operation *op) {
    if (auto step = dyn_cast<dist::StepOpInterface>(op); step && !layout::isLocal(step.getStepKind()))
      blocks.insert(step->getBlock());
    return WalkResult::advance();
  });
  if (blocks.empty())
    return success();
  FailureOr<layout::RankClasses> classes = findDeviceClasses(function);
  if (failed(classes))
    return failure();
  for (Block *block : blocks) {
    settleViews(*block);
    FailureOr<Storages> storages = Storages::get(function, *classes);
    if (failed(storages))
      return failure();
    Transfers transfers(*block);
    LiveBytes live(*block, transfers, *storages, budgetOfValues(function, *storages, memoryBudget));
    write(transfers, simulateLanes(transfers, machine, live, options));
  }
  return success();
}

} // namespace vescale
