//===- BlockSchedule.h - Schedules the launches of each block of a function -----*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_BLOCKSCHEDULE_H
#define VESCALE_PASSES_COMM_BLOCKSCHEDULE_H

#include "passes/comm/LaneSimulation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace vescale {

/// Settles the views of each block that has transfers, simulates it, and hands the result to
/// `write`, which may change the block. `memoryBudget` is for the whole arena, 0 if there is none.
/// Fails where what lies in memory is not known.
mlir::LogicalResult
scheduleBlocks(mlir::func::FuncOp function, const analysis::MachineModel &machine, int64_t memoryBudget,
               const LaneOptions &options,
               const std::function<void(Transfers &, const LaneSchedule &)> &write);

} // namespace vescale

#endif // VESCALE_PASSES_COMM_BLOCKSCHEDULE_H
