//===- LaunchOrder.h - Writes the order of launches into a block ----------------*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_LAUNCHORDER_H
#define VESCALE_PASSES_COMM_LAUNCHORDER_H

#include "passes/comm/LaneSimulation.h"

#include "dialects/dist/DistOps.h"
#include "mlir/IR/Builders.h"

namespace vescale {

/// Moves views: of what a transfer delivers right before their first user, others right behind
/// what they are views of. They execute nothing, and where they stand must delay nothing.
void settleViews(mlir::Block &block);

/// Replaces transfers by one start with a wait for each value, all where `builder` inserts. A
/// transfer that is a start already is taken over with its id. Returns the start; its waits follow.
dist::StartOp startTogether(mlir::OpBuilder &builder, llvm::ArrayRef<Transfer *> members);

/// Each launch of one transfer stays whole, and each of several becomes a start and its waits; all
/// stand right before their first need, in the order of the lane. Returns how many became one.
unsigned writeBuckets(Transfers &transfers, const LaneSchedule &schedule);

/// Each launch becomes a start where it is launched, and waits where it is over or first needed.
void writeOverlap(Transfers &transfers, const LaneSchedule &schedule);

} // namespace vescale

#endif // VESCALE_PASSES_COMM_LAUNCHORDER_H
