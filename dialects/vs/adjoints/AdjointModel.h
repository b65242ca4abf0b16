//===- AdjointModel.h - A function as a DifferentiableOpInterface -----------------------------===//

#ifndef VESCALE_DIALECTS_VS_ADJOINTS_ADJOINTMODEL_H
#define VESCALE_DIALECTS_VS_ADJOINTS_ADJOINTMODEL_H

#include "dialects/vs/VsInterfaces.h"
#include "dialects/vs/formulas/Formula.h"

namespace vescale::vs {

/// One gradient per operand; null where none flows.
using Gradients = llvm::SmallVector<mlir::Value>;

/// The adjoint of an op of one result, `build(formula, op, gradient)`. It is not asked if no gradient
/// flows into the result.
template <typename Op, Gradients (*build)(Formula &, Op, mlir::Value)>
struct AdjointModel : DifferentiableOpInterface::ExternalModel<AdjointModel<Op, build>, Op> {
  llvm::LogicalResult buildAdjoint(mlir::Operation *op, mlir::OpBuilder &builder,
                                   mlir::ValueRange resultGradients,
                                   llvm::SmallVectorImpl<mlir::Value> &operandGradients) const {
    Formula formula(builder, op->getLoc());
    Gradients gradients = build(formula, llvm::cast<Op>(op), resultGradients[0]);
    operandGradients.assign(gradients.begin(), gradients.end());
    return mlir::success();
  }
};

/// An op that no gradient passes: its result does not change with its operands, or is no real number.
template <typename Op> struct NoAdjointModel : DifferentiableOpInterface::ExternalModel<NoAdjointModel<Op>, Op> {
  llvm::LogicalResult buildAdjoint(mlir::Operation *op, mlir::OpBuilder &, mlir::ValueRange,
                                   llvm::SmallVectorImpl<mlir::Value> &operandGradients) const {
    operandGradients.assign(op->getNumOperands(), mlir::Value());
    return mlir::success();
  }
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_ADJOINTS_ADJOINTMODEL_H
