//===- LaneSimulation.h - When the collectives of a block are launched ----------*- C++ -*-===//
//
// A list scheduler on two resources. The compute lane runs the ops of a block in their order; the
// communication lane runs one launch after another. Whenever the communication lane is free, it
// takes, of all transfers whose operands exist, the one whose result is needed first. An op that
// needs a result which is not there yet waits for it. Nothing depends on addresses or hashes, so
// equal IR gives equal orders.
//
//   compute        |-- a --|---- b ----|-- c --|-- d (needs x and y) --|
//   communication          |- x of a -|  |--- y of b ---|
//
// Memory limits how early a launch may be: it makes its result live from there on. Assumed at first
// is that each transfer runs where its result is needed; a launch that would raise the bytes
// that are live somewhere above the limit is put off until they fit or the result is needed.
//
//===----------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_COMM_LANESIMULATION_H
#define VESCALE_PASSES_COMM_LANESIMULATION_H

#include "analysis/cost/MachineModel.h"
#include "passes/comm/LiveBytes.h"
#include "passes/comm/Transfers.h"

namespace vescale {

/// Transfers that start together.
struct Launch {
  /// Indices of the transfers, in the order of their needs.
  llvm::SmallVector<int, 2> transfers;
  /// It stands before this op of Transfers::ops. All operands exist there.
  int before = 0;
  /// It is over, as predicted, before this op: no later than its first need.
  int over = 0;
  /// Seconds from the start of the block.
  double start = 0, finish = 0;
  /// Seconds that ops wait for it.
  double exposed = 0;
};

struct LaneSchedule {
  /// In the order of the communication lane.
  std::vector<Launch> launches;
  double seconds = 0;
  /// Launches that memory put off.
  int delayed = 0;
};

struct LaneOptions {
  /// Whether transfers that one launch can move are launched together where that is predicted to
  /// cost less: one launch instead of two, against needs that have to wait for more bytes.
  bool merge = false;
};

LaneSchedule simulateLanes(const Transfers &transfers, const analysis::MachineModel &machine,
                           LiveBytes &live, const LaneOptions &options);

} // namespace vescale

#endif // VESCALE_PASSES_COMM_LANESIMULATION_H
