//===- DistOps.cpp - Ops of the dist dialect -----------------------------------------------===//

#include "dialects/dist/DistOps.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/Wishes.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace vescale::dist;
namespace layout = vescale::layout;

#define GET_OP_CLASSES
#include "dialects/dist/DistOps.cpp.inc"

void DistDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialects/dist/DistOps.cpp.inc"
      >();
}

//===-------------------------------------------------------------------------------------===//
// What the user wants
//===-------------------------------------------------------------------------------------===//

/// The rule of an op that hands its operand on.
static IndexingRule passThroughRule(Value input) {
  auto type = llvm::cast<RankedTensorType>(input.getType());
  IndexingRule rule = IndexingRule::elementwise(type.getShape(), 1);
  rule.addMoves({0});
  return rule;
}

IndexingRule ConstrainOp::getIndexingRule() { return passThroughRule(getInput()); }

IndexingRule BarrierOp::getIndexingRule() {
  IndexingRule rule = passThroughRule(getInput());
  rule.propagatesForward = getDirection() == Direction::backward;
  rule.propagatesBackward = getDirection() == Direction::forward;
  return rule;
}

IndexingRule GroupOp::getIndexingRule() { return passThroughRule(getInput()); }

FailureOr<SmallVector<Value>> ConstrainOp::buildLocal(OpBuilder &, ValueRange localOperands,
                                                      TypeRange, const LocalContext &) {
  return SmallVector<Value>(localOperands);
}

FailureOr<SmallVector<Value>> BarrierOp::buildLocal(OpBuilder &, ValueRange localOperands,
                                                    TypeRange, const LocalContext &) {
  return SmallVector<Value>(localOperands);
}

FailureOr<SmallVector<Value>> GroupOp::buildLocal(OpBuilder &, ValueRange localOperands, TypeRange,
                                                  const LocalContext &) {
  return SmallVector<Value>(localOperands);
}

LogicalResult ConstrainOp::verify() {
  std::string reason = whyNotWish(getType(), getWish());
  if (!reason.empty())
    return emitOpError() << "wish does not fit: " << reason;
  return success();
}

LogicalResult GroupOp::verify() {
  int64_t id = getId();
  if (id < 0)
    return emitOpError() << "id is negative: " << id;
  return success();
}

//===-------------------------------------------------------------------------------------===//
// Redistribution
//===-------------------------------------------------------------------------------------===//

LogicalResult RedistributeOp::verify() {
  if (globalType(getInput().getType()) != globalType(getType()))
    return emitOpError() << "keeps shape and element type: " << globalType(getInput().getType())
                         << " before, " << globalType(getType()) << " after";
  if (!getLayout(getInput()) || !getLayout(getResult()))
    return emitOpError() << "needs a layout " << (getLayout(getInput()) ? "after" : "before")
                         << " it";
  return success();
}

OpFoldResult RedistributeOp::fold(FoldAdaptor) {
  // The types with their layouts: only then is it the same value.
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

//===-------------------------------------------------------------------------------------===//
// Asynchronous steps
//===-------------------------------------------------------------------------------------===//

layout::StepKind StartOp::getStepKind() {
  return *layout::stepKindNamed(std::string_view(getKind().data(), getKind().size()));
}
std::optional<int64_t> StartOp::getStepId() { return getId(); }
void StartOp::setStepId(int64_t id) { setId(id); }
ValueRange StartOp::getBefore() { return getInputs(); }

SmallVector<RankedTensorType> StartOp::getAfter() {
  SmallVector<RankedTensorType> types;
  for (Type type : getFutures().getTypes())
    types.push_back(llvm::cast<FutureType>(type).getType());
  return types;
}

LogicalResult StartOp::verify() {
  if (getInputs().empty() || getInputs().size() != getFutures().size())
    return emitOpError() << "has " << getInputs().size() << " operands and "
                         << getFutures().size()
                         << " results; it needs one result for each operand, and at least one";
  auto kind = layout::stepKindNamed(std::string_view(getKind().data(), getKind().size()));
  if (!kind)
    return emitOpError() << "kind \"" << getKind()
                         << "\" is no step; the steps are all_gather, all_reduce, "
                            "reduce_scatter, all_to_all, permute, exchange";
  if (layout::isLocal(*kind))
    return emitOpError() << "kind \"" << getKind() << "\" sends nothing, so it cannot be started";
  if (failed(verifyStep(*this)))
    return failure();
  Type elementType = getElementTypeOrSelf(getInputs().front());
  std::vector<layout::SubAxis> axes = stepAxes(*this, 0);
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    if (getElementTypeOrSelf(input) != elementType)
      return emitOpError() << "moves tensors of one element type: operand 0 has " << elementType
                           << ", operand " << i << " has " << getElementTypeOrSelf(input);
    if (getLayout(input)->mesh() != getLayout(getInputs().front())->mesh() ||
        stepAxes(*this, i) != axes)
      return emitOpError() << "moves all tensors along the same axes: operand " << i
                           << " moves along others than operand 0";
  }
  return success();
}

//===-------------------------------------------------------------------------------------===//
// Pipelines
//===-------------------------------------------------------------------------------------===//

template <class Op> static LogicalResult verifyPeer(Op op) {
  int64_t peer = op.getPeer(), id = op.getId().value_or(0);
  if (peer < 0)
    return op.emitOpError() << "peer is negative: " << peer;
  if (id < 0)
    return op.emitOpError() << "id is negative: " << id;
  return success();
}

LogicalResult SendOp::verify() { return verifyPeer(*this); }
LogicalResult RecvOp::verify() { return verifyPeer(*this); }

//===-------------------------------------------------------------------------------------===//
// Local forms
//===-------------------------------------------------------------------------------------===//

LogicalResult AxisIndexOp::verify() {
  const layout::Mesh &mesh = getMesh().getMesh();
  if (!mesh.axisIndex(std::string_view(getAxis().data(), getAxis().size())))
    return emitOpError() << "mesh " << mesh.str() << " has no axis \"" << getAxis() << "\"";
  return success();
}

OpFoldResult AxisIndexOp::fold(FoldAdaptor) {
  const layout::Mesh &mesh = getMesh().getMesh();
  auto axis = mesh.axisIndex(std::string_view(getAxis().data(), getAxis().size()));
  if (axis && mesh.axisSize(*axis) == 1)
    return IntegerAttr::get(IndexType::get(getContext()), 0);
  return {};
}
