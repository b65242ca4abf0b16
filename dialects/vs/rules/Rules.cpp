//===- Rules.cpp - The indexing rules of the ops of vs --------------------------------------===//

#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/VsDialect.h"

#include "mlir/IR/DialectRegistry.h"

void vescale::vs::registerIndexingRules(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, VsDialect *) {
    attachCreationRules(*context);
    attachElementwiseRules(*context);
    attachContractionRules(*context);
    attachReductionRules(*context);
    attachOrderRules(*context);
    attachShapeRules(*context);
    attachSliceRules(*context);
    attachIndexingRules(*context);
    attachLayerRules(*context);
    attachAttentionRules(*context);
    attachConvolutionRules(*context);
    attachStateRules(*context);
    attachStructureRules(*context);
  });
}
