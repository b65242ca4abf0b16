//===- Joining.h - What joins contributions of which one counts -----------------------------===//
//
// Where devices hold elements of which at most one is not 0, their sum is that one. Truth values
// have no sum, which would not be one: they are joined by `or`.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_JOINING_H
#define VESCALE_DIALECTS_DIST_JOINING_H

#include "layout/Redistribution.h"

#include "mlir/IR/Types.h"

namespace vescale::dist {

/// What joins contributions of which at most one is not 0 or false.
layout::Reduction joiningReduction(mlir::Type elementType);

/// The plan from one layout to another for elements of this type: where neither is partial, what
/// becomes partial on the way has their joining reduction.
layout::Plan planForElements(const layout::Plan &plan, const layout::Layout &from,
                             const layout::Layout &to, mlir::Type elementType);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_JOINING_H
