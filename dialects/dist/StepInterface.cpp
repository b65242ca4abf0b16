//===- StepInterface.cpp - The steps that move tensors -------------------------------------===//

#include "dialects/dist/StepInterface.h"

#include "dialects/dist/LayoutTypes.h"

#include "layout/StepLegality.h"

using namespace mlir;

#include "dialects/dist/StepInterface.cpp.inc"

namespace vescale::dist {

static layout::Shape shapeOf(RankedTensorType type) {
  return layout::Shape(type.getShape().begin(), type.getShape().end());
}

LogicalResult verifyStepTypes(Operation *op, layout::StepKind kind, RankedTensorType before,
                              RankedTensorType after) {
  if (globalType(before) != globalType(after))
    return op->emitOpError() << "keeps shape and element type: " << globalType(before)
                             << " before, " << globalType(after) << " after";
  const layout::Layout *from = getLayout(before), *to = getLayout(after);
  if (!from || !to)
    return op->emitOpError() << "needs a layout " << (from ? "after" : "before") << " it";
  layout::Status status = layout::checkStep(kind, *from, *to, shapeOf(before));
  if (!status.ok())
    return op->emitOpError() << "is no legal step: " << status.message();
  return success();
}

LogicalResult verifyStep(Operation *op) {
  auto step = llvm::cast<StepOpInterface>(op);
  if (step.getStepId() && *step.getStepId() < 0)
    return op->emitOpError() << "id is negative: " << *step.getStepId();
  for (auto [before, after] : llvm::zip_equal(step.getBefore().getTypes(), step.getAfter()))
    if (failed(verifyStepTypes(op, step.getStepKind(), llvm::cast<RankedTensorType>(before),
                               after)))
      return failure();
  return success();
}

std::vector<layout::SubAxis> stepAxes(StepOpInterface step, unsigned index) {
  auto before = llvm::cast<RankedTensorType>(step.getBefore()[index].getType());
  return layout::stepAxes(step.getStepKind(), *getLayout(before),
                          *getLayout(step.getAfter()[index]), shapeOf(before));
}

} // namespace vescale::dist
