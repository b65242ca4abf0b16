//===- Transfers.h - The steps of a block that send, and what they depend on ----*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_TRANSFERS_H
#define VESCALE_PASSES_COMM_TRANSFERS_H

#include "dialects/dist/StepInterface.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace vescale {

/// A step that sends, whole or as start and waits.
struct Transfer {
  dist::StepOpInterface step;
  /// For each pair, the values that hold its result: that of a whole step, or of the waits.
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 1>, 1> results;
  /// Number of different ops and transfers of the block that its operands come from.
  int inputs = 0;
  /// The first op that needs the result of each pair, by way of other transfers too, and the first
  /// of all: indices of Transfers::ops.
  llvm::SmallVector<int, 1> needs;
  int need = 0;
};

/// A block as ops that compute, in their order, and transfers between them.
class Transfers {
public:
  explicit Transfers(mlir::Block &block);

  /// Everything but transfers and their waits; the terminator is the last.
  std::vector<mlir::Operation *> ops;
  /// In the order of the block.
  std::vector<Transfer> all;
  /// The transfers that an op needs, and those that an op or a transfer gives operands to.
  std::vector<llvm::SmallVector<int, 2>> neededByOp, afterOp, afterTransfer;

  /// Steps that one launch can move have equal keys: kind, mesh, axes, element type. Keys count
  /// from 0.
  int keyOf(int transfer) const { return keys[transfer]; }
  int numKeys() const { return keyCount; }

private:
  std::vector<int> keys;
  int keyCount = 0;
};

} // namespace vescale

#endif // VESCALE_PASSES_COMM_TRANSFERS_H
