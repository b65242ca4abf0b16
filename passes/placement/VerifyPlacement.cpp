//===- VerifyPlacement.cpp - Checks what the placement stage promises ------------------------===//

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/RuleCheck.h"
#include "dialects/vs/StepAttributes.h"
#include "layout/Legality.h"
#include "passes/placement/Passes.h"
#include "passes/placement/PlacementAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_VERIFYPLACEMENT
#include "passes/placement/Passes.h.inc"

namespace {

class VerifyPlacementPass : public impl::VerifyPlacementBase<VerifyPlacementPass> {
public:
  using VerifyPlacementBase::VerifyPlacementBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      WalkResult walked = function.walk([&](Operation *op) {
        return failed(verify(op)) ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (walked.wasInterrupted() || failed(verifySignature(function)))
        return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

private:
  LogicalResult verifyType(Type type, Location location, const Twine &what);
  LogicalResult verifySignature(func::FuncOp function);
  LogicalResult verify(Operation *op);
  LogicalResult verifyRule(Operation *op);
  LogicalResult verifyEdges(Operation *op);
};

LogicalResult VerifyPlacementPass::verifyType(Type type, Location location, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  const layout::Layout *layout = dist::getLayout(type);
  if (!layout)
    return emitError(location) << what << " has no layout: " << type;
  return cast<dist::LayoutAttr>(tensor.getEncoding())
      .verifyEncoding(tensor.getShape(), tensor.getElementType(),
                      [&] { return emitError(location) << what << ": "; });
}

LogicalResult VerifyPlacementPass::verifySignature(func::FuncOp function) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(verifyType(type, function.getLoc(), "argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    if (failed(verifyType(type, function.getLoc(), "result " + Twine(i))))
      return failure();
    auto alias = function.getResultAttrOfType<IntegerAttr>(static_cast<unsigned>(i),
                                                           vs::aliasesAttributeName);
    if (alias && function.getArgumentTypes()[alias.getInt()] != type)
      return function.emitError() << "result " << i << " takes the place of argument "
                                  << alias.getInt() << " but has another type";
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, wishAttributeName))
      return function.emitError() << "argument " << i << " still has a wish";
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (function.getResultAttr(i, wishAttributeName))
      return function.emitError() << "result " << i << " still has a wish";
  return success();
}

LogicalResult VerifyPlacementPass::verifyRule(Operation *op) {
  dist::IndexingRule rule = cast<dist::IndexingRuleOpInterface>(op).getIndexingRule();
  auto layouts = [](ValueRange values) {
    std::vector<std::optional<layout::Layout>> all;
    for (Value value : values) {
      const layout::Layout *layout =
          isa<RankedTensorType>(value.getType()) ? dist::getLayout(value) : nullptr;
      all.push_back(layout ? std::optional(*layout) : std::nullopt);
    }
    return all;
  };
  layout::Status accepted =
      dist::checkRule(rule, layouts(op->getOperands()), layouts(op->getResults()));
  if (!accepted.ok())
    return op->emitOpError() << "cannot be computed from local data: " << accepted.message();
  return success();
}

LogicalResult VerifyPlacementPass::verifyEdges(Operation *op) {
  for (const dist::DataFlowEdge &edge : cast<dist::DataFlowOpInterface>(op).getDataFlowEdges()) {
    Type type = edge.targets.front().getType();
    for (OpOperand *source : edge.sources)
      if (source->get().getType() != type)
        return op->emitOpError() << "receives " << source->get().getType() << " as " << type;
  }
  return success();
}

LogicalResult VerifyPlacementPass::verify(Operation *op) {
  // Its arguments and results are checked with the signature.
  if (isa<func::FuncOp>(op))
    return success();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(verifyType(argument.getType(), argument.getLoc(),
                              "argument " + Twine(argument.getArgNumber()) + " of a region")))
          return failure();
  for (OpResult result : op->getResults())
    if (failed(verifyType(result.getType(), op->getLoc(),
                          op->getName().getStringRef() + ": result " +
                              Twine(result.getResultNumber()))))
      return failure();
  if (isa<dist::ConstrainOp, dist::BarrierOp, dist::GroupOp>(op))
    return op->emitOpError("speaks to propagation and should be gone");
  if (auto move = dyn_cast<dist::RedistributeOp>(op)) {
    if (move.getInput().getType() == move.getResult().getType())
      return op->emitOpError("changes no layout");
    if (isa<UnknownLoc>(op->getLoc()))
      return op->emitOpError("has no location");
    return success();
  }
  if (isa<dist::DataFlowOpInterface>(op))
    return verifyEdges(op);
  if (isa<dist::IndexingRuleOpInterface>(op))
    return verifyRule(op);
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!op->hasTrait<OpTrait::IsTerminator>() &&
      (llvm::any_of(op->getOperandTypes(), isTensor) ||
       llvm::any_of(op->getResultTypes(), isTensor)))
    return op->emitOpError("states no indexing rule");
  return success();
}

} // namespace
} // namespace vescale
