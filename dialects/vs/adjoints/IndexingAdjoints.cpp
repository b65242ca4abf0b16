//===- IndexingAdjoints.cpp - Adjoints of ops that read and write at indices --------------------===//

#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

#include "dialects/vs/IndexingOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

Gradients take(Formula &f, TakeOp op, Value g) {
  return {f.op<PutOp>(ScatterKind::Add, f.zeros(op.getTable()), op.getIndices(), g, op.getDim()), Value()};
}

Gradients gather(Formula &f, GatherOp op, Value g) {
  return {f.op<ScatterOp>(ScatterKind::Add, f.zeros(op.getX()), op.getIndices(), g, op.getDim()), Value()};
}

Value readBack(Formula &f, PutOp op, Value g) { return f.op<TakeOp>(g, op.getIndices(), op.getDim()); }
Value readBack(Formula &f, ScatterOp op, Value g) { return f.op<GatherOp>(g, op.getIndices(), op.getDim()); }

/// put and scatter. Only `add` is linear; which update won a `set` or a `max` is not kept.
template <typename Op> struct WriteAdjoint : DifferentiableOpInterface::ExternalModel<WriteAdjoint<Op>, Op> {
  LogicalResult buildAdjoint(Operation *operation, OpBuilder &builder, ValueRange resultGradients,
                             SmallVectorImpl<Value> &operandGradients) const {
    auto op = llvm::cast<Op>(operation);
    if (op.getKind() != ScatterKind::Add)
      return op.emitOpError("has no adjoint for kind '") << stringifyScatterKind(op.getKind())
                                                         << "': which update won is not kept; use 'add'";
    Formula f(builder, op.getLoc());
    operandGradients.assign({resultGradients[0], Value(), readBack(f, op, resultGradients[0])});
    return success();
  }
};

} // namespace

void registerIndexingAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    TakeOp::attachInterface<AdjointModel<TakeOp, take>>(*context);
    GatherOp::attachInterface<AdjointModel<GatherOp, gather>>(*context);
    PutOp::attachInterface<WriteAdjoint<PutOp>>(*context);
    ScatterOp::attachInterface<WriteAdjoint<ScatterOp>>(*context);
    OneHotOp::attachInterface<NoAdjointModel<OneHotOp>>(*context);
  });
}

} // namespace vescale::vs
