//===- LayoutTypes.h - Layouts in tensor types ---------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_LAYOUTTYPES_H
#define VESCALE_DIALECTS_DIST_LAYOUTTYPES_H

#include "dialects/dist/DistAttributes.h"

#include "mlir/IR/Value.h"

namespace vescale::dist {

/// The layout of a tensor type, or null where the type has none or is no ranked tensor. The
/// pointer lives as long as the context, and is the same for equal layouts.
const layout::Layout *getLayout(mlir::Type type);
inline const layout::Layout *getLayout(mlir::Value value) { return getLayout(value.getType()); }

/// The type with this layout in place of the one that it has. The layout must be legal for its
/// shape (layout::checkLegal); building a type does not check.
mlir::RankedTensorType withLayout(mlir::RankedTensorType type, const layout::Layout &layout);

/// The type without its layout: what a tensor is on one logical device.
mlir::RankedTensorType globalType(mlir::RankedTensorType type);

/// The type of what the device at `coordinate` holds, without layout: the global type where
/// the type has no layout, a flat one where the layout is ragged. Dims may have size 0.
mlir::RankedTensorType localType(mlir::RankedTensorType type,
                                 const layout::Coordinate &coordinate);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_LAYOUTTYPES_H
