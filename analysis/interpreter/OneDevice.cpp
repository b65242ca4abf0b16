//===- OneDevice.cpp - A distributed program as one device sees it --------------------------===//

#include "analysis/interpreter/OneDevice.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"

using namespace mlir;

namespace vescale::analysis {

static void removeLayout(Value value) {
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    value.setType(dist::globalType(tensor));
}

void removeLayouts(func::FuncOp function) {
  function.walk([](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          removeLayout(argument);
    if (isa<dist::StepOpInterface, dist::RedistributeOp, dist::WaitOp>(op)) {
      // Result i is operand i; futures of started steps disappear with their waits.
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
      return;
    }
    for (Value result : op->getResults())
      removeLayout(result);
  });
  Block &body = function.getBody().front();
  function.setType(FunctionType::get(function.getContext(), body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}

} // namespace vescale::analysis
