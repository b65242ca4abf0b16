//===- LibraryCallInterface.h - ops that a library computes -----*- C++ -*-===//

#ifndef VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_H
#define VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_H

#include "layout/Mesh.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace vescale {

/// Where an instruction stands that a library call becomes: the class of devices and its program.
struct LibraryCallSite {
  /// A member of the class.
  const layout::Coordinate &coordinate;
  int64_t stream = 0;
  /// The `sched.buffer` of an operand or result of the op.
  llvm::function_ref<mlir::Value(mlir::Value)> buffer;
  /// A `sched.scalar` that does not change.
  llvm::function_ref<mlir::Value(int64_t)> constant;
  /// The `sched.scalar` of the draw that a draw id of a generator is; 0 where there is no generator.
  llvm::function_ref<mlir::Value(mlir::Value, int64_t)> draw;
  /// The `sched.scalar` of where the device's part of a tensor of this type starts in dim `dim`.
  llvm::function_ref<mlir::Value(mlir::RankedTensorType, int64_t)> start;
  /// Local shape of a value on the devices of the class.
  llvm::SmallVector<int64_t> localShape(mlir::Value value) const;
};

} // namespace vescale

#include "passes/fusion/LibraryCallInterface.h.inc"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace vescale {

/// Attaches the interface to the ops of vs that a library computes.
void registerLibraryCalls(mlir::DialectRegistry &registry);

} // namespace vescale

#endif // VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_H
