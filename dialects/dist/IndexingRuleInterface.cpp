//===- IndexingRuleInterface.cpp - Ops that state an indexing rule -------------------------===//

#include "dialects/dist/IndexingRuleInterface.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

#include "dialects/dist/IndexingRuleInterface.cpp.inc"

namespace vescale::dist {

llvm::SmallVector<Value> cloneLocal(Operation *op, OpBuilder &builder, ValueRange localOperands,
                                    TypeRange localResultTypes) {
  OperationState state(op->getLoc(), op->getName(), localOperands, localResultTypes,
                       op->getAttrs());
  // Registered properties that are not visible as attributes travel with the attributes above:
  // getAttrs lists inherent and discardable ones alike.
  IRMapping mapping;
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), mapping);
  Operation *local = builder.create(state);
  return llvm::SmallVector<Value>(local->getResults());
}

/// Checks the factors of one operand or result against its type.
static LogicalResult verifyTensor(Operation *op, const IndexingRule &rule,
                                  const TensorFactors &tensor, Type type, bool isResult,
                                  unsigned number) {
  const char *what = isResult ? "result" : "operand";
  auto ranked = llvm::dyn_cast<RankedTensorType>(type);
  size_t rank = ranked ? ranked.getRank() : 0;
  if (tensor.dims.size() != rank)
    return op->emitOpError() << "indexing rule gives " << tensor.dims.size() << " dims for "
                             << what << " " << number << " of rank " << rank;
  llvm::SmallVector<bool> seen(rule.factors.size(), false);
  for (auto [dim, factors] : llvm::enumerate(tensor.dims)) {
    int64_t product = 1;
    for (int factor : factors) {
      if (factor < 0 || factor >= static_cast<int>(rule.factors.size()))
        return op->emitOpError() << "indexing rule names factor " << factor << " of "
                                 << rule.factors.size() << " in " << what << " " << number;
      if (seen[factor])
        return op->emitOpError() << "indexing rule has factor " << factor << " twice in " << what
                                 << " " << number;
      seen[factor] = true;
      if (isResult && rule.factors[factor].kind == FactorKind::reduced)
        return op->emitOpError() << "indexing rule has reduced factor " << factor
                                 << " in result " << number;
      product *= rule.factors[factor].size;
    }
    if (product != ranked.getDimSize(dim))
      return op->emitOpError() << "indexing rule gives size " << product << " for dim " << dim
                               << " of " << what << " " << number << ", which has size "
                               << ranked.getDimSize(dim);
  }
  return success();
}

LogicalResult verifyIndexingRule(Operation *op) {
  IndexingRule rule = llvm::cast<IndexingRuleOpInterface>(op).getIndexingRule();
  if (rule.operands.size() != op->getNumOperands() || rule.results.size() != op->getNumResults())
    return op->emitOpError() << "indexing rule is for " << rule.operands.size()
                             << " operands and " << rule.results.size() << " results, the op has "
                             << op->getNumOperands() << " and " << op->getNumResults();
  for (auto [number, factor] : llvm::enumerate(rule.factors)) {
    bool reduced = factor.kind == FactorKind::reduced;
    if (reduced && !factor.reduction)
      return op->emitOpError() << "indexing rule: reduced factor " << number
                               << " must state a reduction";
    if (!reduced && factor.kind != FactorKind::parallel && factor.reduction)
      return op->emitOpError() << "indexing rule: factor " << number
                               << " is neither reduced nor parallel and states a reduction";
  }
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (failed(verifyTensor(op, rule, rule.operands[i], op->getOperand(i).getType(),
                            /*isResult=*/false, i)))
      return failure();
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(verifyTensor(op, rule, rule.results[i], op->getResult(i).getType(),
                            /*isResult=*/true, i)))
      return failure();
  llvm::SmallVector<bool> stands(rule.factors.size(), false);
  for (llvm::ArrayRef<TensorFactors> tensors :
       {llvm::ArrayRef<TensorFactors>(rule.operands), llvm::ArrayRef<TensorFactors>(rule.results)})
    for (const TensorFactors &tensor : tensors)
      for (const auto &dim : tensor.dims)
        for (int factor : dim)
          stands[factor] = true;
  for (auto [number, factor] : llvm::enumerate(rule.factors))
    if (!stands[number] && factor.size != 1)
      return op->emitOpError() << "indexing rule has factor " << number << " of size "
                               << factor.size << ", which stands in no operand or result";
  for (const PartialPass &pass : rule.passes)
    for (int operand : pass.operands)
      if (operand < 0 || operand >= static_cast<int>(op->getNumOperands()))
        return op->emitOpError() << "indexing rule lets partial operand " << operand
                                 << " pass, the op has " << op->getNumOperands();
  return success();
}

} // namespace vescale::dist
