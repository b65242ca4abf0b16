//===- SliceRules.cpp - Rules of parts of tensors -------------------------------------------===//
//
// Dims that an op leaves as they are are parallel. In the others elements move between places that
// different devices may hold; they are whole on each device, and operand and result have factors of
// their own.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/ShapeOps.h"

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;

namespace vescale::vs {
namespace {

/// Adds dim after dim to operand 0 and to the result: one parallel factor where `kept`, otherwise
/// one each that must be whole.
IndexingRule movedDims(Operation *op, function_ref<bool(int64_t)> kept) {
  IndexingRule rule = emptyRule(op);
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
  for (size_t dim = 0; dim < from.size(); ++dim) {
    bool same = kept(static_cast<int64_t>(dim));
    int factor = rule.addFactor(from[dim], same ? FactorKind::parallel : FactorKind::replicated);
    rule.operands[0].dims.push_back({factor});
    rule.results[0].dims.push_back(
        {same ? factor : rule.addFactor(to[dim], FactorKind::replicated)});
  }
  return rule;
}

IndexingRule sliceRule(SliceOp op) {
  ArrayRef<int64_t> sizes = shapeOf(op.getX());
  IndexingRule rule = movedDims(op, [&](int64_t dim) {
    return op.getStarts()[dim] == 0 && op.getStrides()[dim] == 1 &&
           op.getLimits()[dim] == sizes[dim];
  });
  rule.addMoves({0});
  return rule;
}

/// The limits of dims that are kept are the local sizes.
LocalForm::Results sliceLocal(LocalForm &form, SliceOp op) {
  SmallVector<int64_t> limits(op.getLimits());
  for (auto [dim, size] : llvm::enumerate(shapeOf(form.operands[0])))
    if (!form.context.operands[0].dims[dim].whole)
      limits[dim] = size;
  return SmallVector<Value>{form.f.op<SliceOp>(form.operands[0], op.getStarts(),
                                               ArrayRef<int64_t>(limits), op.getStrides())};
}

/// A part as long as the dim starts at 0, wherever it is asked to start.
IndexingRule dynamicSliceRule(DynamicSliceOp op) {
  IndexingRule rule = movedDims(
      op, [&](int64_t dim) { return shapeOf(op.getX())[dim] == shapeOf(op.getResult())[dim]; });
  rule.addMoves({0});
  return rule;
}

IndexingRule dynamicUpdateSliceRule(DynamicUpdateSliceOp op) {
  IndexingRule rule = emptyRule(op);
  for (auto [size, part] : llvm::zip(shapeOf(op.getX()), shapeOf(op.getUpdate()))) {
    bool same = size == part;
    int factor = rule.addFactor(size, same ? FactorKind::parallel : FactorKind::replicated);
    rule.operands[0].dims.push_back({factor});
    rule.operands[1].dims.push_back({same ? factor : rule.addFactor(part, FactorKind::replicated)});
  }
  rule.results[0] = rule.operands[0];
  rule.addMoves({0, 1});
  return rule;
}

IndexingRule concatRule(ConcatOp op) {
  IndexingRule rule = emptyRule(op);
  rule.results[0] = newFactors(rule, shapeOf(op.getResult()));
  int64_t along = op.getDim();
  rule.factors[rule.results[0].dims[along][0]].kind = FactorKind::replicated;
  SmallVector<int> all;
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    rule.operands[number] = rule.results[0];
    rule.operands[number].dims[along] = {
        rule.addFactor(shapeOf(input)[along], FactorKind::replicated)};
    all.push_back(static_cast<int>(number));
  }
  rule.addMoves(all);
  return rule;
}

/// Sums of padded tensors are padded sums where the padding is 0.
IndexingRule padRule(PadOp op) {
  IndexingRule rule = movedDims(op, [&](int64_t dim) {
    return op.getLow()[dim] == 0 && op.getHigh()[dim] == 0 && op.getInterior()[dim] == 0;
  });
  std::optional<TypedAttr> value = op.getValue();
  auto isZero = [](Attribute attribute) {
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return number.getValue().isZero();
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer && integer.getValue().isZero();
  };
  if (!value || isZero(*value))
    rule.addLinear({0});
  return rule;
}

IndexingRule reverseRule(ReverseOp op) {
  IndexingRule rule =
      movedDims(op, [&](int64_t dim) { return !llvm::is_contained(op.getDims(), dim); });
  rule.addMoves({0});
  return rule;
}

} // namespace

void attachSliceRules(MLIRContext &context) {
  SliceOp::attachInterface<PositionedRule<SliceOp, sliceRule, sliceLocal>>(context);
  DynamicSliceOp::attachInterface<StatedRule<DynamicSliceOp, dynamicSliceRule>>(context);
  DynamicUpdateSliceOp::attachInterface<StatedRule<DynamicUpdateSliceOp, dynamicUpdateSliceRule>>(
      context);
  ConcatOp::attachInterface<StatedRule<ConcatOp, concatRule>>(context);
  PadOp::attachInterface<StatedRule<PadOp, padRule>>(context);
  ReverseOp::attachInterface<StatedRule<ReverseOp, reverseRule>>(context);
}

} // namespace vescale::vs
