//===- VsTraits.h - Traits of ops that compare shapes, never layouts -----------------------===//
//
// MLIR's SameOperandsAndResultType compares encodings too and would reject a partial operand beside
// a replicated one, which is legal where an op is linear. Whether the layouts of operands and results
// fit together is said by the op's indexing rule.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_VSTRAITS_H
#define VESCALE_DIALECTS_VS_VSTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace vescale::vs {

/// Checks that all tensors among operands and results have one shape.
llvm::LogicalResult verifySameShape(mlir::Operation *op);

/// Checks that all tensors among operands and results have one element type.
llvm::LogicalResult verifyUniformElementType(mlir::Operation *op);

/// All tensors among operands and results have one shape.
template <typename ConcreteType>
class SameShape : public mlir::OpTrait::TraitBase<ConcreteType, SameShape> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameShape(op); }
};

/// Each element of the result is a function of the elements at the same place in the operands;
/// all tensors have one shape.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameShape(op); }
};

/// All tensors among operands and results have one element type.
template <typename ConcreteType>
class UniformElementType : public mlir::OpTrait::TraitBase<ConcreteType, UniformElementType> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyUniformElementType(op);
  }
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_VSTRAITS_H
