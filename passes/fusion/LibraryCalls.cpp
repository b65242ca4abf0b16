//===- LibraryCalls.cpp - contractions and attention as library calls -----===//

#include "passes/fusion/LibraryCallInterface.h"
#include "passes/fusion/MatMulForm.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/sched/SchedOps.h"
#include "dialects/vs/AttentionOps.h"
#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/VsDialect.h"

#include "passes/fusion/LibraryCallInterface.cpp.inc"

using namespace mlir;

namespace vescale {

SmallVector<int64_t> LibraryCallSite::localShape(Value value) const {
  return llvm::to_vector(dist::localType(cast<RankedTensorType>(value.getType()), coordinate).getShape());
}

namespace {

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

struct EinsumCall : LibraryCallOpInterface::ExternalModel<EinsumCall, vs::EinsumOp> {
  bool isCallable(Operation *op) const {
    auto einsum = cast<vs::EinsumOp>(op);
    return isa<FloatType>(typeOf(einsum.getLhs()).getElementType()) &&
           findMatMulForm(einsum.getEinsumSpec(), typeOf(einsum.getLhs()).getShape(),
                          typeOf(einsum.getRhs()).getShape());
  }

  LogicalResult buildInstruction(Operation *op, OpBuilder &builder, const LibraryCallSite &site) const {
    auto einsum = cast<vs::EinsumOp>(op);
    SmallVector<int64_t> lhs = site.localShape(einsum.getLhs()), rhs = site.localShape(einsum.getRhs());
    std::optional<MatMulForm> form = findMatMulForm(einsum.getEinsumSpec(), lhs, rhs);
    if (!form)
      return op->emitOpError() << "is no matrix product on the local shapes [" << lhs << "] and [" << rhs
                               << "]";
    Value a = form->swapped ? einsum.getRhs() : einsum.getLhs();
    Value b = form->swapped ? einsum.getLhs() : einsum.getRhs();
    Value c = op->getResult(0);
    builder.create<sched::MatMulOp>(
        op->getLoc(), site.stream, form->batch, form->m, form->n, form->k, form->a.batchStrides,
        form->a.leading, form->a.transposed, form->b.batchStrides, form->b.leading, form->b.transposed,
        form->c.batchStrides, form->c.leading, form->c.transposed, typeOf(a).getElementType(),
        typeOf(c).getElementType(), APFloat(1.0), APFloat(0.0),
        ValueRange{site.buffer(a), site.buffer(b), site.buffer(c)},
        ArrayRef<int32_t>{sched::read, sched::read, sched::write}, DenseI64ArrayAttr());
    return success();
  }
};

/// What forward and backward attention share.
template <typename Op> struct AttentionCall : LibraryCallOpInterface::ExternalModel<AttentionCall<Op>, Op> {
  static constexpr bool backward = std::is_same_v<Op, vs::AttentionGradientOp>;

  /// The library has one head size for all tensors, and a bias of the scores' full shape without gradient.
  bool isCallable(Operation *operation) const {
    auto op = cast<Op>(operation);
    // Positions stand in local forms only; here they follow from the layouts.
    if (!op.getPositions().empty() || typeOf(op.getQ()).getDimSize(3) != typeOf(op.getV()).getDimSize(3))
      return false;
    if (!op.getBias())
      return true;
    RankedTensorType bias = typeOf(op.getBias()), q = typeOf(op.getQ());
    if constexpr (backward)
      if (op.getBiasGradient())
        return false;
    return bias.getDimSize(0) == q.getDimSize(0) && bias.getDimSize(1) == q.getDimSize(1);
  }

  LogicalResult buildInstruction(Operation *operation, OpBuilder &builder,
                                 const LibraryCallSite &site) const {
    auto op = cast<Op>(operation);
    RankedTensorType q = typeOf(op.getQ()), k = typeOf(op.getK());
    // The query heads of one key head may be cut: then fewer of them share each local key head.
    SmallVector<int64_t> local = site.localShape(op.getQ()), keys = site.localShape(op.getK());
    if (keys[1] == 0 ? local[1] != 0 : local[1] % keys[1] != 0)
      return operation->emitOpError() << "has " << local[1] << " local heads for " << keys[1]
                                      << " local key heads";
    auto dense = [](ArrayRef<int64_t> shape, SmallVectorImpl<int64_t> &strides) {
      strides.append({shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3]});
    };
    SmallVector<int64_t> strides;
    for (ArrayRef<int64_t> shape : {ArrayRef(local), ArrayRef(keys), ArrayRef(keys), ArrayRef(local)})
      dense(shape, strides);
    SmallVector<Value> scalars = {site.start(q, 0), site.start(q, 1), site.start(q, 2), site.start(k, 2),
                                  site.draw(op.getRng(), op.getDrawId().value_or(0))};
    SmallVector<Value> buffers;
    SmallVector<int32_t> access;
    for (Value operand : operation->getOperands())
      if (isa<RankedTensorType>(operand.getType())) {
        buffers.push_back(site.buffer(operand));
        access.push_back(sched::read);
      }
    for (Value result : operation->getResults()) {
      buffers.push_back(site.buffer(result));
      access.push_back(sched::write);
    }
    builder.create<sched::AttentionOp>(
        op.getLoc(), site.stream, backward, local[0], local[1], keys[1], local[2], keys[2], local[3],
        q.getElementType(), op.getCausal(), APFloat(op.getScoreScale()),
        APFloat(op.getDropout()), static_cast<bool>(op.getBias()), q.getDimSize(1),
        q.getDimSize(2), k.getDimSize(2), strides, scalars, buffers, access, DenseI64ArrayAttr());
    return success();
  }
};

} // namespace

void registerLibraryCalls(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    context->getOrLoadDialect<sched::SchedDialect>();
    vs::EinsumOp::attachInterface<EinsumCall>(*context);
    vs::AttentionOp::attachInterface<AttentionCall<vs::AttentionOp>>(*context);
    vs::AttentionGradientOp::attachInterface<AttentionCall<vs::AttentionGradientOp>>(*context);
  });
}

} // namespace vescale
