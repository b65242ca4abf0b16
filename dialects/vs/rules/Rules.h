//===- Rules.h - The indexing rules of the ops of vs ----------------------------------------===//
//
// Each family of ops states its rules in its own file, as models of dist::IndexingRuleOpInterface
// that are attached when the dialect is loaded. Declarations of ops stay free of what only the
// distribution of a program needs.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_RULES_RULES_H
#define VESCALE_DIALECTS_VS_RULES_RULES_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace vescale::vs {

/// Attaches the rules of all families when the vs dialect is loaded.
void registerIndexingRules(mlir::DialectRegistry &registry);

// One per family.
void attachCreationRules(mlir::MLIRContext &context);
void attachElementwiseRules(mlir::MLIRContext &context);
void attachContractionRules(mlir::MLIRContext &context);
void attachReductionRules(mlir::MLIRContext &context);
void attachOrderRules(mlir::MLIRContext &context);
void attachShapeRules(mlir::MLIRContext &context);
void attachSliceRules(mlir::MLIRContext &context);
void attachIndexingRules(mlir::MLIRContext &context);
void attachLayerRules(mlir::MLIRContext &context);
void attachAttentionRules(mlir::MLIRContext &context);
void attachConvolutionRules(mlir::MLIRContext &context);
void attachStateRules(mlir::MLIRContext &context);
void attachStructureRules(mlir::MLIRContext &context);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_RULES_RULES_H
