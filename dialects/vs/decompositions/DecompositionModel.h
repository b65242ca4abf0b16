//===- DecompositionModel.h - A function as a DecomposableOpInterface ------------------------===//

#ifndef VESCALE_DIALECTS_VS_DECOMPOSITIONS_DECOMPOSITIONMODEL_H
#define VESCALE_DIALECTS_VS_DECOMPOSITIONS_DECOMPOSITIONMODEL_H

#include "dialects/vs/VsInterfaces.h"
#include "dialects/vs/formulas/Formula.h"

namespace vescale::vs {

/// The interface of `Op` from a function that builds one value per result.
template <typename Op, llvm::SmallVector<mlir::Value> (*build)(Formula &, Op)>
struct DecompositionModel
    : DecomposableOpInterface::ExternalModel<DecompositionModel<Op, build>, Op> {
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> decompose(mlir::Operation *op,
                                                            mlir::OpBuilder &builder) const {
    Formula formula(builder, op->getLoc());
    return build(formula, llvm::cast<Op>(op));
  }
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_DECOMPOSITIONS_DECOMPOSITIONMODEL_H
