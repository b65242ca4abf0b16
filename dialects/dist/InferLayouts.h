//===- InferLayouts.h - Layouts inside a decomposed op -----------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_INFERLAYOUTS_H
#define VESCALE_DIALECTS_DIST_INFERLAYOUTS_H

#include "layout/Mesh.h"

#include "mlir/IR/Operation.h"

namespace vescale::dist {

/// Gives layouts to the values between `ops`, in program order, so that every op is accepted by its rule without any
/// redistribution. Operands from outside and values whose type has a layout already are fixed.
///
/// The fixed layouts determine the others: a value gets its layout as soon as the rule of an op that has it knows all
/// of its factors from other operands and results; a factor that nothing determines is whole. So a bias that is
/// broadcast to an activation cut by batch is broadcast to the device's rows only.
///
/// Fails, with an error at the op, where the fixed layouts contradict each other or an op has no rule.
mlir::LogicalResult inferLayouts(llvm::ArrayRef<mlir::Operation *> ops, const layout::Mesh &mesh);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_INFERLAYOUTS_H
