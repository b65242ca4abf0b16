//===- ContractionAdjoints.cpp - Adjoints of contractions -------------------------------------===//

#include "dialects/vs/ConvolutionOps.h"
#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/ShapeOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

/// "bsd,fd->bsf": the gradients are "bsf,fd->bsd" and "bsf,bsd->fd". Every letter of an operand stands in the
/// result or in the other operand, so both are contractions again.
Gradients einsum(Formula &f, EinsumOp op, Value g) {
  EinsumSpec spec = op.getEinsumSpec();
  Type element = Formula::elementType(op.getLhs());
  g = f.cast(g, element);
  Value lhs = f.op<EinsumOp>((spec.out + "," + spec.rhs + "->" + spec.lhs), g, op.getRhs(), element);
  Value rhs = f.op<EinsumOp>((spec.out + "," + spec.lhs + "->" + spec.rhs), g, op.getLhs(), element);
  return {lhs, rhs};
}

Gradients groupedMatmul(Formula &f, GroupedMatmulOp op, Value g) {
  SmallVector<int64_t> swapped{0, 2, 1};
  Value transposed = f.op<TransposeOp>(op.getWeight(), ArrayRef<int64_t>(swapped));
  Value x = f.op<GroupedMatmulOp>(withoutLayout(op.getX().getType()), g, transposed,
                                  op.getTokensPerExpert());
  Value weight = f.op<GroupedMatmulWeightGradientOp>(withoutLayout(op.getWeight().getType()), op.getX(),
                                                     g, op.getTokensPerExpert());
  return {x, weight, Value()};
}

Gradients convolution(Formula &f, ConvolutionOp op, Value g) {
  Value x = f.op<ConvolutionInputGradientOp>(withoutLayout(op.getX().getType()), op.getWeight(), g,
                                             op.getStrides(), op.getPadding(), op.getDilation(),
                                             op.getGroups());
  Value weight = f.op<ConvolutionWeightGradientOp>(withoutLayout(op.getWeight().getType()), op.getX(), g,
                                                   op.getStrides(), op.getPadding(), op.getDilation(),
                                                   op.getGroups());
  return {x, weight};
}

} // namespace

void registerContractionAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    EinsumOp::attachInterface<AdjointModel<EinsumOp, einsum>>(*context);
    GroupedMatmulOp::attachInterface<AdjointModel<GroupedMatmulOp, groupedMatmul>>(*context);
    ConvolutionOp::attachInterface<AdjointModel<ConvolutionOp, convolution>>(*context);
  });
}

} // namespace vescale::vs
