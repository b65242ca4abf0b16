//===- Rules.cpp - The indexing rules of the ops of vs --------------------------------------===//

#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/VsDialect.h"

#include "mlir/IR/DialectRegistry.h"

void vescale::vs::registerIndexingRules(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, VsDialect *) {
    attachElementwiseRules(*context);
    attachContractionRules(*context);
    attachReductionRules(*context);
    attachShapeRules(*context);
    attachStateRules(*context);
    attachStructureRules(*context);
  });
}
