//===- StructureAdjoints.cpp - Adjoints of tags and regions ----------------------------------------===//

#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"
#include "dialects/vs/adjoints/Backpropagation.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/dist/DistOps.h"
#include "dialects/vs/StructureOps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace vescale::vs {
namespace {

Gradients tag(Formula &, TagOp, Value g) { return {g}; }

/// The gradient of a constrained value is constrained likewise.
Gradients constrain(Formula &f, dist::ConstrainOp op, Value g) {
  return {f.op<dist::ConstrainOp>(g.getType(), g, op.getWishAttr())};
}

Gradients barrier(Formula &f, dist::BarrierOp op, Value g) {
  return {f.op<dist::BarrierOp>(g.getType(), g, op.getDirectionAttr())};
}

Gradients group(Formula &, dist::GroupOp, Value g) { return {g}; }

/// The body is computed again from the operands, and backpropagation goes through the copy: nothing of the
/// forward body is kept.
struct RecomputeAdjoint : DifferentiableOpInterface::ExternalModel<RecomputeAdjoint, RecomputeOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder, ValueRange resultGradients,
                             SmallVectorImpl<Value> &operandGradients) const {
    Block &body = op->getRegion(0).front();
    IRMapping copies;
    copies.map(body.getArguments(), op->getOperands());
    SmallVector<Operation *> copied;
    for (Operation &inner : body.without_terminator())
      copied.push_back(builder.clone(inner, copies));
    Backpropagation inner(builder);
    for (auto [yielded, gradient] : llvm::zip_equal(body.getTerminator()->getOperands(), resultGradients))
      inner.accumulate(copies.lookup(yielded), gradient, op->getLoc());
    // An operand given twice has one gradient in the copy; it must reach the operand once.
    llvm::DenseSet<Value> seen;
    if (failed(inner.run(copied)))
      return failure();
    for (Value operand : op->getOperands())
      operandGradients.push_back(seen.insert(operand).second ? inner.gradient(operand) : Value());
    return success();
  }
};

} // namespace

void registerStructureAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    TagOp::attachInterface<AdjointModel<TagOp, tag>>(*context);
    RecomputeOp::attachInterface<RecomputeAdjoint>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, dist::DistDialect *) {
    dist::ConstrainOp::attachInterface<AdjointModel<dist::ConstrainOp, constrain>>(*context);
    dist::BarrierOp::attachInterface<AdjointModel<dist::BarrierOp, barrier>>(*context);
    dist::GroupOp::attachInterface<AdjointModel<dist::GroupOp, group>>(*context);
  });
}

} // namespace vescale::vs
