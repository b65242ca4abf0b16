//===- StateRules.cpp - Rules of optimizers -------------------------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/StateOps.h"

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;

namespace vescale::vs {
namespace {

/// Elementwise in parameter, gradient and state; the learning rate and the step are scalars.
template <class Op>
struct ElementwiseStateRule
    : dist::IndexingRuleOpInterface::ExternalModel<ElementwiseStateRule<Op>, Op> {
  IndexingRule getIndexingRule(Operation *op) const {
    IndexingRule rule = IndexingRule::elementwise(
        cast<RankedTensorType>(op->getOperand(0).getType()).getShape(),
        static_cast<int>(op->getNumOperands()), static_cast<int>(op->getNumResults()));
    for (auto [operand, tensor] : llvm::zip(op->getOperands(), rule.operands))
      if (cast<RankedTensorType>(operand.getType()).getRank() == 0)
        tensor.dims.clear();
    return rule;
  }
};

/// All dims must be whole: blocks of 8-bit moments cross dims, and every element of a matrix that is
/// orthogonalised depends on all.
template <class Op> IndexingRule wholeStateRule(Op op) {
  IndexingRule rule = emptyRule(op);
  dist::TensorFactors parameter =
      newFactors(rule, shapeOf(op.getParameter()), FactorKind::replicated);
  auto factorsOf = [&](Value value) {
    ArrayRef<int64_t> shape = shapeOf(value);
    return shape == shapeOf(op.getParameter()) ? parameter
                                               : newFactors(rule, shape, FactorKind::replicated);
  };
  for (auto [value, tensor] : llvm::zip(op->getOperands(), rule.operands))
    tensor = factorsOf(value);
  for (auto [value, tensor] : llvm::zip(op->getResults(), rule.results))
    tensor = factorsOf(value);
  return rule;
}

/// Each gradient has factors of its own. Cutting one makes the norm a sum over devices before the
/// root, which only the decomposition says.
struct ClipRule : dist::IndexingRuleOpInterface::ExternalModel<ClipRule, ClipByGlobalNormOp> {
  IndexingRule getIndexingRule(Operation *op) const {
    IndexingRule rule;
    for (Value gradient : op->getOperands()) {
      dist::TensorFactors tensor;
      for (int64_t size : cast<RankedTensorType>(gradient.getType()).getShape())
        tensor.dims.push_back({rule.addFactor(size, FactorKind::decomposable)});
      rule.operands.push_back(tensor);
      rule.results.push_back(tensor);
    }
    rule.results.emplace_back();
    return rule;
  }
};

} // namespace

void attachStateRules(MLIRContext &context) {
  SgdOp::attachInterface<ElementwiseStateRule<SgdOp>>(context);
  AdamwOp::attachInterface<ElementwiseStateRule<AdamwOp>>(context);
  Adamw8bitOp::attachInterface<StatedRule<Adamw8bitOp, wholeStateRule<Adamw8bitOp>>>(context);
  MuonOp::attachInterface<StatedRule<MuonOp, wholeStateRule<MuonOp>>>(context);
  ClipByGlobalNormOp::attachInterface<ClipRule>(context);
}

} // namespace vescale::vs
