//===- Adjoints.h - The adjoints of the ops of vs --------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_ADJOINTS_ADJOINTS_H
#define VESCALE_DIALECTS_VS_ADJOINTS_ADJOINTS_H

#include "mlir/IR/DialectRegistry.h"

namespace vescale::vs {

/// Attaches DifferentiableOpInterface to every op through which gradients flow, and to those that
/// gradients never pass (comparisons, integers), which then give none.
void registerAdjoints(mlir::DialectRegistry &registry);

// One family each.
void registerUnaryAdjoints(mlir::DialectRegistry &registry);
void registerBinaryAdjoints(mlir::DialectRegistry &registry);
void registerContractionAdjoints(mlir::DialectRegistry &registry);
void registerReductionAdjoints(mlir::DialectRegistry &registry);
void registerShapeAdjoints(mlir::DialectRegistry &registry);
void registerIndexingAdjoints(mlir::DialectRegistry &registry);
void registerLayerAdjoints(mlir::DialectRegistry &registry);
void registerStructureAdjoints(mlir::DialectRegistry &registry);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_ADJOINTS_ADJOINTS_H
