//===- Settler.h - Ops of a function get layouts that their rules accept ---------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_SETTLER_H
#define VESCALE_PASSES_PLACEMENT_SETTLER_H

#include "passes/placement/CutChoice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace vescale {

struct SettleStatistics : ChoiceStatistics {
  int64_t redistributions = 0;
  int64_t decomposed = 0;
};

/// Walks a function in order. On entry the type of each value says where propagation wants it;
/// once an op is settled, the types of its results say where they are.
class Settler {
public:
  Settler(mlir::func::FuncOp function, layout::Mesh mesh) : function(function), mesh(mesh) {}

  mlir::LogicalResult run();

  SettleStatistics statistics;

private:
  mlir::LogicalResult settleBlock(mlir::Block &block);
  mlir::LogicalResult settle(mlir::Operation *op);
  mlir::LogicalResult settleRuled(mlir::Operation *op);
  mlir::LogicalResult decompose(mlir::Operation *op,
                                const std::vector<std::optional<layout::Layout>> &wanted);
  /// Sends what an op with regions, or a terminator, hands over into the types of the targets.
  void settleSources(llvm::ArrayRef<std::pair<mlir::OpOperand *, mlir::Type>> sources);
  /// Lets a value that `op` accumulates in a loop stay partial, if `op` adds a partial value to it.
  void keepAccumulatorPartial(mlir::Operation *op, const dist::IndexingRule &rule);

  ChoiceTensor operandOf(mlir::Value value);
  /// The value in another layout, made at the use unless it exists.
  mlir::Value inLayout(mlir::Value value, const layout::Layout &layout, mlir::Operation *use);
  /// Gives a result its layout, and the rest of the program the layout that it wants unless that
  /// needs a reduction, which waits for a use.
  void place(mlir::OpResult result, const layout::Layout &natural,
             const std::optional<layout::Layout> &wanted);

  mlir::func::FuncOp function;
  layout::Mesh mesh;
  /// Where the reduced value of a partial one is wanted.
  llvm::DenseMap<mlir::Value, layout::Layout> wantedReduced;
  /// The copies of a value in other layouts, in its block.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> copies;
  /// For each argument of a loop's body: all targets of its edge and its sources.
  struct Carried {
    llvm::SmallVector<mlir::Value, 2> targets;
    mlir::OpOperand *initial = nullptr;
    mlir::OpOperand *yielded = nullptr;
  };
  llvm::DenseMap<mlir::Value, Carried> carried;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_SETTLER_H
