//===- ReductionRules.cpp - Rules of reductions ---------------------------------------------===//

#include "dialects/vs/rules/Rules.h"

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/ReductionOps.h"
#include "layout/Layout.h"

using namespace mlir;
using vescale::layout::Reduction;

namespace vescale::vs {
namespace {

Reduction reductionOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return Reduction::sum;
  case ReduceKind::Max:
    return Reduction::max;
  case ReduceKind::Min:
    return Reduction::min;
  case ReduceKind::Prod:
    return Reduction::prod;
  case ReduceKind::And:
    return Reduction::bitAnd;
  case ReduceKind::Or:
    return Reduction::bitOr;
  }
  llvm_unreachable("a reduction kind without a reduction");
}

/// Dims that are kept are parallel, the others reduced. A mean is the sum of the contributions,
/// each divided by the global count.
struct ReduceRule : dist::IndexingRuleOpInterface::ExternalModel<ReduceRule, ReduceOp> {
  dist::IndexingRule getIndexingRule(Operation *op) const {
    auto reduce = cast<ReduceOp>(op);
    Reduction reduction = reductionOf(reduce.getKind());
    dist::IndexingRule rule;
    rule.operands.resize(1);
    rule.results.resize(1);
    rule.raggedPrefix = 0;
    for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(reduce.getX().getType()).getShape())) {
      bool reduced = llvm::is_contained(reduce.getDims(), static_cast<int64_t>(dim));
      int factor = reduced ? rule.addReduced(size, reduction) : rule.addFactor(size);
      rule.operands[0].dims.push_back({factor});
      if (!reduced)
        rule.results[0].dims.push_back({factor});
    }
    // A reduction of one kind passes contributions of the same kind.
    rule.passes.push_back({{0}, reduction, reduction});
    return rule;
  }

  FailureOr<SmallVector<Value>> buildLocal(Operation *op, OpBuilder &builder,
                                           ValueRange localOperands, TypeRange localResultTypes,
                                           const dist::LocalContext &) const {
    auto reduce = cast<ReduceOp>(op);
    auto local = cast<RankedTensorType>(localOperands[0].getType());
    auto global = cast<RankedTensorType>(reduce.getX().getType());
    double localCount = 1, count = 1;
    for (int64_t dim : reduce.getDims()) {
      localCount *= static_cast<double>(local.getDimSize(dim));
      count *= static_cast<double>(global.getDimSize(dim));
    }
    // A mean over dims that are whole stays one op, which kernels are fused around.
    if (reduce.getKind() != ReduceKind::Mean || localCount == count)
      return dist::cloneLocal(op, builder, localOperands, localResultTypes);
    auto type = cast<RankedTensorType>(localResultTypes[0]);
    Value sum = builder.create<ReduceOp>(op->getLoc(), ReduceKind::Sum, localOperands[0],
                                         reduce.getDims());
    Value divisor = builder.create<ConstantOp>(op->getLoc(), type, count);
    return SmallVector<Value>{builder.create<DivOp>(op->getLoc(), sum, divisor).getResult()};
  }
};

} // namespace

void attachReductionRules(MLIRContext &context) { ReduceOp::attachInterface<ReduceRule>(context); }

} // namespace vescale::vs
