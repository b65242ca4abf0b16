//===- KernelKind.cpp - how the runtime executes an op --------------------===//

#include "passes/fusion/KernelKind.h"

#include "passes/codegen/ElementInterface.h"
#include "passes/fusion/LibraryCallInterface.h"
#include "passes/fusion/MatMulForm.h"

#include "dialects/dist/StepInterface.h"
#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/LayerOps.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

#include "passes/fusion/LibraryCallInterface.cpp.inc"

using namespace mlir;

namespace vescale {
namespace {

ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

struct EinsumCall : LibraryCallOpInterface::ExternalModel<EinsumCall, vs::EinsumOp> {
  bool isCallable(Operation *op) const {
    auto einsum = cast<vs::EinsumOp>(op);
    Type element = cast<RankedTensorType>(einsum.getLhs().getType()).getElementType();
    return isa<FloatType>(element) &&
           findMatMulForm(einsum.getEinsumSpec(), shapeOf(einsum.getLhs()), shapeOf(einsum.getRhs()));
  }
};

template <typename Op> struct AlwaysCall : LibraryCallOpInterface::ExternalModel<AlwaysCall<Op>, Op> {
  bool isCallable(Operation *) const { return true; }
};

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
  bool makesTensors = llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() || !makesTensors)
    return KernelKind::structure;
  if (isa<dist::StepOpInterface>(op))
    return KernelKind::collective;
  if (isa<ViewLikeOpInterface>(op))
    return KernelKind::view;
  if (isa<ElementOpInterface, AccumulationOpInterface, LoopNestOpInterface>(op))
    return KernelKind::generated;
  return KernelKind::unsupported;
}

void registerKernelKinds(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::EinsumOp::attachInterface<EinsumCall>(*context);
    vs::AttentionOp::attachInterface<AlwaysCall<vs::AttentionOp>>(*context);
    vs::AttentionGradientOp::attachInterface<AlwaysCall<vs::AttentionGradientOp>>(*context);
    vs::ReshapeOp::attachInterface<FirstOperandView<vs::ReshapeOp>>(*context);
    vs::TagOp::attachInterface<FirstOperandView<vs::TagOp>>(*context);
  });
}

} // namespace vescale
