//===- Settler.h - Ops of a function get layouts that their rules accept ---------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_SETTLER_H
#define VESCALE_PASSES_PLACEMENT_SETTLER_H

#include "passes/placement/SettleTable.h"

namespace vescale {

struct SettleStatistics {
  int64_t redistributions = 0;
  int64_t decomposed = 0;
  int64_t improvements = 0;
};

/// On entry the type of each value says where propagation wants it; on return where it is.
class Settler {
public:
  Settler(mlir::func::FuncOp function, layout::Mesh mesh, OptionMemory &options)
      : function(function), mesh(std::move(mesh)), options(options) {}

  mlir::LogicalResult run();

  SettleStatistics statistics;

private:
  /// Layouts of an op's operands and results; nothing for what is not a tensor.
  struct OpLayoutNumbers {
    llvm::SmallVector<int, 4> operands, results;
    bool decomposes = false;
  };
  /// Takes away redistributions that only hand a value on to the end of a region or the function,
  /// which say themselves where they want it.
  void dropMovesToEnds();
  /// Replaces ops that are cut where only their decomposition can be; true if there was one.
  mlir::FailureOr<bool> decomposeCutOps(SettleTable &table);
  mlir::LogicalResult decompose(mlir::Operation *op, const OpLayoutNumbers &layouts);

  mlir::func::FuncOp function;
  layout::Mesh mesh;
  OptionMemory &options;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_SETTLER_H
