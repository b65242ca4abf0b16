//===- LayoutWriting.h - Layouts become types ------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_LAYOUTWRITING_H
#define VESCALE_PASSES_PLACEMENT_LAYOUTWRITING_H

#include "layout/Layout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace vescale {

/// The layout of a value; nothing for what keeps the type that it has.
using ValueLayout = llvm::function_ref<std::optional<layout::Layout>(mlir::Value)>;
/// The layout of a result of the function.
using ResultLayout = llvm::function_ref<std::optional<layout::Layout>(unsigned)>;

/// Writes layouts into the types of all values of a function, arguments of regions included, and
/// into its signature.
void writeLayouts(mlir::func::FuncOp function, ValueLayout ofValue, ResultLayout ofResult);

/// Writes the layout of one value.
void writeLayout(mlir::Value value, const layout::Layout &layout);

/// The value in the layout of `type`: itself, or a new `dist.redistribute` of it at the builder's
/// insertion point.
mlir::Value redistributed(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value,
                          mlir::Type type);

/// Whether the two layouts store the same elements at the same places of the same devices.
bool sameLayout(const layout::Layout &left, const layout::Layout &right,
                llvm::ArrayRef<int64_t> shape);

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_LAYOUTWRITING_H
