//===- LiveBytes.h - What lies in memory while the ops of a block run -----------*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_LIVEBYTES_H
#define VESCALE_PASSES_COMM_LIVEBYTES_H

#include "passes/comm/ByteCounts.h"
#include "passes/comm/Transfers.h"
#include "passes/memory/Storage.h"

#include "llvm/ADT/DenseSet.h"

namespace vescale {

/// The bytes that are live while each op of a block runs, on the device that needs most, without
/// arguments. A transfer that has not been placed is taken to run right before its need.
class LiveBytes {
public:
  /// The limit is `budget`, or what the order of the block needs now if that is more.
  LiveBytes(mlir::Block &block, const Transfers &transfers, Storages &storages, int64_t budget);

  /// Whether transfers may start before op `before` and be over before op `over`: nowhere does that
  /// make more bytes live than the limit, or it saves bytes where they are more already. Otherwise
  /// `after` becomes the first op before which they might start.
  bool allows(llvm::ArrayRef<int> members, int before, int over, int &after) const;
  void place(llvm::ArrayRef<int> members, int before, int over);

  int64_t limit() const { return mostBytes; }

private:
  /// A storage that the block defines.
  struct Life {
    int64_t bytes = 0;
    /// Live from op `begin` to op `end`, both included.
    int begin = 0, end = 0;
    /// The last op that uses it, and the transfers that read it.
    int lastOp = 0;
    llvm::SmallVector<int, 1> readers;
  };
  struct Change {
    int begin, end; // both included
    int64_t bytes;
  };

  llvm::SmallVector<Change> changes(llvm::ArrayRef<int> members, int before, int over) const;
  /// Where a life ends if some of its readers, `members`, run elsewhere than they are placed now.
  using Members = llvm::SmallDenseSet<int, 8>;
  int endOf(const Life &life, const Members &members, int before, int over) const;

  const Transfers &transfers;
  std::vector<Life> lives;
  /// By transfer: the lives of its results and of its operands.
  std::vector<llvm::SmallVector<int, 1>> resultLives, operandLives;
  /// By transfer: until which op its operands are live.
  std::vector<int> readUntil;
  ByteCounts live;
  int64_t mostBytes = 0;
};

} // namespace vescale

#endif // VESCALE_PASSES_COMM_LIVEBYTES_H
