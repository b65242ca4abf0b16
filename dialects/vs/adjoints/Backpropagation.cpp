//===- Backpropagation.cpp - Reverse mode over a block -------------------------------------------===//

#include "dialects/vs/adjoints/Backpropagation.h"

#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/VsInterfaces.h"

using namespace mlir;

namespace vescale::vs {
namespace {

bool isReal(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

} // namespace

void Backpropagation::accumulate(Value value, Value gradient, Location location) {
  if (!gradient)
    return;
  Value &total = gradients[value];
  total = total ? builder.create<AddOp>(location, total, gradient).getResult() : gradient;
}

LogicalResult Backpropagation::run(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    SmallVector<Value> resultGradients;
    bool flows = false;
    for (Value result : op->getResults()) {
      resultGradients.push_back(gradient(result));
      flows |= static_cast<bool>(resultGradients.back());
    }
    if (!flows || llvm::none_of(op->getOperands(), isReal))
      continue;
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return op->emitOpError("has no adjoint, and a gradient flows into it");
    SmallVector<Value> operandGradients;
    if (failed(differentiable.buildAdjoint(builder, resultGradients, operandGradients)))
      return failure();
    for (auto [operand, contribution] : llvm::zip_equal(op->getOperands(), operandGradients))
      if (isReal(operand))
        accumulate(operand, contribution, op->getLoc());
  }
  return success();
}

} // namespace vescale::vs
