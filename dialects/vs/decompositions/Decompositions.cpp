//===- Decompositions.cpp - Named layers in simpler ops -------------------------------------===//

#include "dialects/vs/decompositions/Decompositions.h"

void vescale::vs::registerDecompositions(mlir::DialectRegistry &registry) {
  registerSoftmaxDecompositions(registry);
  registerNormalizationDecompositions(registry);
  registerCrossEntropyDecompositions(registry);
  registerOptimizerDecompositions(registry);
  registerContractionDecompositions(registry);
  registerRandomDecompositions(registry);
  registerAttentionDecompositions(registry);
}
