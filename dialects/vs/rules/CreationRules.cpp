//===- CreationRules.cpp - Rules of tensors from nothing, and of dropout --------------------===//
//
// Each device makes its own piece: every dim is parallel, and elements follow from where they
// stand in the global tensor.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/LayerOps.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/formulas/RandomFormulas.h"

using namespace mlir;
using vescale::dist::IndexingRule;
using vescale::dist::LocalDim;

namespace vescale::vs {
namespace {

/// A result whose dims no operand has.
IndexingRule made(Operation *op) {
  IndexingRule rule = emptyRule(op);
  rule.results[0] = newFactors(rule, shapeOf(op->getResult(0)));
  return rule;
}

/// One element everywhere serves any piece.
IndexingRule constantRule(ConstantOp op) {
  IndexingRule rule = made(op);
  if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue()); elements && elements.isSplat())
    rule.raggedPrefix = std::nullopt;
  else
    requireRuns(rule, rule.results[0]);
  return rule;
}

IndexingRule iotaRule(IotaOp op) {
  IndexingRule rule = made(op);
  rule.require(rule.results[0].dims[op.getDim()], dist::Pieces::runs);
  return rule;
}

IndexingRule randomRule(RandomOp op) {
  IndexingRule rule = made(op);
  requireRuns(rule, rule.results[0]);
  return rule;
}

/// A constant of other elements is cut out of the whole one. An interleaved dim is seen as (runs,
/// length of a run) there, so that its piece is one part of the second dim.
LocalForm::Results constantLocal(LocalForm &form, ConstantOp op) {
  auto type = cast<RankedTensorType>(form.resultTypes[0]);
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (elements && elements.isSplat())
    return SmallVector<Value>{form.f.op<ConstantOp>(ElementsAttr(elements.resizeSplat(type)))};
  Value whole = form.f.op<ConstantOp>(op.getValue());
  if (!LocalForm::isCut(form.context.results[0]))
    return SmallVector<Value>{whole};
  SmallVector<int64_t> seen, part;
  SmallVector<Value> starts;
  Value zero = integers(form.f, form.builder.getContext(), {}, 0);
  for (auto [where, size] : llvm::zip(form.context.results[0].dims, type.getShape())) {
    if (where.runs != 1) {
      seen.push_back(where.runs);
      part.push_back(where.runs);
      starts.push_back(zero);
    }
    seen.push_back(where.globalSize / where.runs);
    part.push_back(size / where.runs);
    starts.push_back(where.whole ? zero : form.offset(where));
  }
  bool reshaped = seen.size() != type.getShape().size();
  if (reshaped)
    whole = form.f.op<ReshapeOp>(whole, ArrayRef<int64_t>(seen));
  Value piece = form.f.op<DynamicSliceOp>(RankedTensorType::get(part, type.getElementType()), whole,
                                          ValueRange(starts));
  if (reshaped)
    piece = form.f.op<ReshapeOp>(piece, type.getShape());
  return SmallVector<Value>{piece};
}

LocalForm::Results iotaLocal(LocalForm &form, IotaOp op) {
  const LocalDim &where = form.context.results[0].dims[op.getDim()];
  if (where.whole)
    return form.clone();
  Value index = form.globalIndex(form.resultShape(), op.getDim(), where);
  return SmallVector<Value>{form.f.cast(index, Formula::elementType(op.getResult()))};
}

LocalForm::Results randomLocal(LocalForm &form, RandomOp op) {
  if (!LocalForm::isCut(form.context.results[0]))
    return form.clone();
  return SmallVector<Value>{
      randomAt(form.f, op, form.operands[0],
               form.globalPositions(form.resultShape(), form.context.results[0]))};
}

/// Elementwise in the positions; the generator is the same on all devices.
IndexingRule randomAtRule(RandomAtOp op) {
  IndexingRule rule = IndexingRule::elementwise(shapeOf(op.getResult()), 2);
  rule.operands[0].dims.clear();
  return rule;
}

IndexingRule fromIndexRule(FromIndexOp op) { return emptyRule(op); }

/// Elementwise and linear, but which elements are dropped depends on where they stand.
IndexingRule dropoutRule(DropoutOp op) {
  IndexingRule rule = IndexingRule::elementwise(shapeOf(op.getX()), 2);
  rule.operands[1].dims.clear();
  rule.addLinear({0});
  if (op.drawsRandomNumbers()) {
    requireRuns(rule, rule.results[0]);
    rule.raggedPrefix = 0;
  }
  return rule;
}

LocalForm::Results dropoutLocal(LocalForm &form, DropoutOp op) {
  if (!op.drawsRandomNumbers() || !LocalForm::isCut(form.context.results[0]))
    return form.clone();
  Value positions = form.globalPositions(form.resultShape(), form.context.results[0]);
  return SmallVector<Value>{dropoutAt(form.f, op, form.operands[0], form.operands[1], positions)};
}

} // namespace

void attachCreationRules(MLIRContext &context) {
  ConstantOp::attachInterface<PositionedRule<ConstantOp, constantRule, constantLocal>>(context);
  IotaOp::attachInterface<PositionedRule<IotaOp, iotaRule, iotaLocal>>(context);
  RandomOp::attachInterface<PositionedRule<RandomOp, randomRule, randomLocal>>(context);
  RandomAtOp::attachInterface<StatedRule<RandomAtOp, randomAtRule>>(context);
  FromIndexOp::attachInterface<StatedRule<FromIndexOp, fromIndexRule>>(context);
  DropoutOp::attachInterface<PositionedRule<DropoutOp, dropoutRule, dropoutLocal>>(context);
}

} // namespace vescale::vs
