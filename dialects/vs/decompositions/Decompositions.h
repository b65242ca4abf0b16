//===- Decompositions.h - Named layers in simpler ops ---------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_DECOMPOSITIONS_DECOMPOSITIONS_H
#define VESCALE_DIALECTS_VS_DECOMPOSITIONS_DECOMPOSITIONS_H

#include "mlir/IR/DialectRegistry.h"

namespace vescale::vs {

/// Attaches DecomposableOpInterface to the named layers: their reference meaning, the fallback where
/// no kernel computes them, and the form in which their decomposable factors are cut.
void registerDecompositions(mlir::DialectRegistry &registry);

// One family each.
void registerSoftmaxDecompositions(mlir::DialectRegistry &registry);
void registerNormalizationDecompositions(mlir::DialectRegistry &registry);
void registerCrossEntropyDecompositions(mlir::DialectRegistry &registry);
void registerOptimizerDecompositions(mlir::DialectRegistry &registry);
void registerContractionDecompositions(mlir::DialectRegistry &registry);
void registerRandomDecompositions(mlir::DialectRegistry &registry);
void registerAttentionDecompositions(mlir::DialectRegistry &registry);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_DECOMPOSITIONS_DECOMPOSITIONS_H
