//===- DeviceClasses.h - the classes of devices of a function ---*- C++ -*-===//

#ifndef VESCALE_PASSES_MEMORY_DEVICECLASSES_H
#define VESCALE_PASSES_MEMORY_DEVICECLASSES_H

#include "layout/RankClass.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace vescale {

/// The classes of devices on which all tensors of `functions` (one or more) have the same local shapes.
/// Functions without any layout are for one device, on the mesh without axes. Emits an error and fails
/// where layouts are on different meshes, or some types have a layout and others none.
mlir::FailureOr<layout::RankClasses> findDeviceClasses(llvm::ArrayRef<mlir::func::FuncOp> functions);

/// The type itself where it has a layout, otherwise with the layout of one device.
mlir::RankedTensorType withAnyLayout(mlir::RankedTensorType type);

/// Bytes of the part of a tensor, or of what a future holds, on the device at `coordinate`; 0 for
/// other types. An i1 takes a byte.
int64_t localBytes(mlir::Type type, const layout::Coordinate &coordinate);

/// The tensor type of a value that lies in the arena: its own, or that of the future; else null.
mlir::RankedTensorType storedType(mlir::Type type);

} // namespace vescale

#endif // VESCALE_PASSES_MEMORY_DEVICECLASSES_H
