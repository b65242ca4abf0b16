//===- KernelKind.cpp - how the runtime executes an op --------------------===//

#include "passes/fusion/KernelKind.h"

#include "passes/codegen/ElementInterface.h"
#include "passes/fusion/LibraryCallInterface.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/StepInterface.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace vescale {
namespace {

template <typename Op> struct FirstOperandView : ViewLikeOpInterface::ExternalModel<FirstOperandView<Op>, Op> {
  Value getViewSource(Operation *op) const { return op->getOperand(0); }
};

} // namespace

KernelKind kernelKind(Operation *op) {
  if (isa<vs::FusedOp>(op))
    return KernelKind::fused;
  if (auto call = dyn_cast<LibraryCallOpInterface>(op))
    if (call.isCallable())
      return KernelKind::library;
  if (isa<dist::StepOpInterface>(op))
    return KernelKind::collective;
  bool makesTensors = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() || !makesTensors)
    return KernelKind::structure;
  if (isa<ViewLikeOpInterface>(op))
    return KernelKind::view;
  if (isa<dist::DistDialect>(op->getDialect()))
    return KernelKind::collective;
  if (isa<ElementOpInterface, AccumulationOpInterface, LoopNestOpInterface>(op))
    return KernelKind::generated;
  return KernelKind::unsupported;
}

WalkResult walkOutsideGroups(Operation *root, llvm::function_ref<WalkResult(Operation *)> visit) {
  return root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    WalkResult result = visit(op);
    return !result.wasInterrupted() && isa<vs::FusedOp>(op) ? WalkResult::skip() : result;
  });
}

void registerKernelKinds(DialectRegistry &registry) {
  registerLibraryCalls(registry);
  registry.addExtension(+[](MLIRContext *context, dist::DistDialect *) {
    dist::WaitOp::attachInterface<FirstOperandView<dist::WaitOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::ReshapeOp::attachInterface<FirstOperandView<vs::ReshapeOp>>(*context);
    vs::TagOp::attachInterface<FirstOperandView<vs::TagOp>>(*context);
  });
}

} // namespace vescale
