//===- StepInterface.h - The steps that move tensors ---------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_STEPINTERFACE_H
#define VESCALE_DIALECTS_DIST_STEPINTERFACE_H

#include "layout/StepKind.h"
#include "layout/SubAxis.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>
#include <vector>

namespace vescale::dist {

/// Checks that a step of this kind turns a tensor of type `before` into one of type `after`: the
/// constraints that all step ops state. Reports the first that is broken as an error of `op`.
llvm::LogicalResult verifyStepTypes(mlir::Operation *op, layout::StepKind kind,
                                    mlir::RankedTensorType before, mlir::RankedTensorType after);

/// Checks the id and every pair of types of a step.
llvm::LogicalResult verifyStep(mlir::Operation *op);

} // namespace vescale::dist

#include "dialects/dist/StepInterface.h.inc"

namespace vescale::dist {

/// The axes along which pair `index` of a step moves data; see layout::stepAxes.
std::vector<layout::SubAxis> stepAxes(StepOpInterface step, unsigned index = 0);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_STEPINTERFACE_H
