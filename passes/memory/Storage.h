//===- Storage.h - what of a function lies in memory, and for how long -*- C++ -*-===//
//
// Values that share memory by nature (an operand and its view, a future and what it delivers, what a loop
// carries) are one *storage*. Positions number the ops of the function in program order; a storage is needed
// from the position where its first value is defined to that of its last use, or to the end of the loop in
// which it is used but not defined.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_MEMORY_STORAGE_H
#define VESCALE_PASSES_MEMORY_STORAGE_H

#include "layout/RankClass.h"
#include "passes/fusion/OpPattern.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace vescale {

/// The attributes that the memory stage writes.
inline constexpr llvm::StringLiteral offsetsAttributeName = "sched.offsets";
inline constexpr llvm::StringLiteral offsetAttributeName = "sched.offset";
inline constexpr llvm::StringLiteral arenaAttributeName = "sched.arena_bytes";

struct Storage {
  /// The value that defines it; others are views.
  mlir::Value root;
  /// Positions of the definition and of the last need. Arguments begin at 0.
  int64_t begin = 0, end = 0;
  /// Positions of the ops that use it, ascending.
  llvm::SmallVector<int64_t, 4> uses;
  /// On the device that needs most, a multiple of 64.
  int64_t bytes = 0;
  /// The storage in whose memory this one is computed, since it replaces its content: its number, or -1.
  int replaces = -1;
  int64_t offset = -1;

  bool isFunctionArgument() const { return begin == 0; }
};

/// A value that shall end up in the memory of another storage: what a function returns for an argument, or
/// a loop's body yields for what it carries.
struct Replacement {
  mlir::Value value;
  /// A value of the storage to be replaced.
  mlir::Value target;
  /// Where the replaced content is not needed any more: the position of the terminator.
  int64_t position = 0;
  mlir::Operation *terminator = nullptr;
};

class Storages {
public:
  /// Finds the storages of a function. Fails with an error at an op whose memory is not understood.
  static mlir::FailureOr<Storages> get(mlir::func::FuncOp function, const layout::RankClasses &classes);

  llvm::MutableArrayRef<Storage> all() { return storages; }
  /// The storage of a value, or null where the value does not lie in memory.
  Storage *find(mlir::Value value);
  int indexOf(const Storage &storage) const { return static_cast<int>(&storage - storages.data()); }
  /// In program order: those of loops, then those of the function.
  llvm::ArrayRef<Replacement> replacements() const { return replaced; }
  /// Whether the value of a replacement can be computed in the memory of its target.
  bool canReplace(const Storage &value, const Storage &target, const Replacement &replacement);
  /// Patterns of groups about which canReplace had to ask how they are computed.
  size_t groupsAsked() const { return inPlace.size(); }
  /// One more than the position of the last op.
  int64_t end() const { return numOps + 1; }

private:
  class Finder;

  llvm::SmallVector<Storage, 0> storages;
  llvm::DenseMap<mlir::Value, unsigned> storageOf;
  llvm::SmallVector<Replacement, 0> replaced;
  /// Whether groups of a pattern can be computed in place.
  PatternMap<bool> inPlace;
  int64_t numOps = 0;
};

/// Whether `op` may write its results into the memory of operands that it needs for the last time: it
/// is a group that reads exactly those elements of each large operand that it is about to write.
bool computesInPlace(mlir::Operation *op);

/// For an op whose region runs in a loop: the operand, argument, yielded value and result of each carried
/// value, or failure for any other op.
struct CarriedValue {
  mlir::Value initial, argument, yielded, result;
};
mlir::FailureOr<llvm::SmallVector<CarriedValue>> carriedValues(mlir::Operation *op);

/// Whether the op's region runs exactly once and hands its operands in and what it yields out.
bool runsOnce(mlir::Operation *op);

/// The offset that the memory stage gave a value; fails with an error where it gave none.
mlir::FailureOr<int64_t> assignedOffset(mlir::Value value);

} // namespace vescale

#endif // VESCALE_PASSES_MEMORY_STORAGE_H
