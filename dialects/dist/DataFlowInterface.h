//===- DataFlowInterface.h - Values that are one value across regions ----------------------===//

#ifndef VESCALE_DIALECTS_DIST_DATAFLOWINTERFACE_H
#define VESCALE_DIALECTS_DIST_DATAFLOWINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace vescale::dist {

/// Values that are one value: what the sources hold goes to the targets. A loop's carried value
/// has two sources, the initial value and what the body yields, and two targets, the body's
/// argument and the result.
struct DataFlowEdge {
  llvm::SmallVector<mlir::OpOperand *, 2> sources;
  llvm::SmallVector<mlir::Value, 2> targets;
  /// Whether the value goes round: a target feeds a source.
  bool carried = false;
};

} // namespace vescale::dist

#include "dialects/dist/DataFlowInterface.h.inc"

#endif // VESCALE_DIALECTS_DIST_DATAFLOWINTERFACE_H
