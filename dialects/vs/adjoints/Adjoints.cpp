//===- Adjoints.cpp - The adjoints of the ops of vs ------------------------------------------===//

#include "dialects/vs/adjoints/Adjoints.h"

void vescale::vs::registerAdjoints(mlir::DialectRegistry &registry) {
  registerUnaryAdjoints(registry);
  registerBinaryAdjoints(registry);
  registerContractionAdjoints(registry);
  registerReductionAdjoints(registry);
  registerShapeAdjoints(registry);
  registerIndexingAdjoints(registry);
  registerLayerAdjoints(registry);
  registerStructureAdjoints(registry);
}
