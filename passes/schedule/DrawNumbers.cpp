//===- DrawNumbers.cpp - which draw of the step a draw id is --------------===//

#include "passes/schedule/DrawNumbers.h"

#include "passes/memory/Storage.h"

#include "dialects/dist/DataFlowInterface.h"

using namespace mlir;

namespace vescale {

/// How many loops are around a loop.
static int64_t depthOf(Operation *loop) {
  int64_t depth = 0;
  for (Operation *outer = loop->getParentOp(); outer; outer = outer->getParentOp())
    depth += succeeded(carriedValues(outer));
  return depth;
}

FailureOr<DrawNumbers> drawNumbers(Value generator) {
  DrawNumbers numbers;
  Value value = generator;
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto flow = dyn_cast<dist::DataFlowOpInterface>(argument.getOwner()->getParentOp());
    if (!flow)
      return numbers;
    if (succeeded(carriedValues(flow))) {
      if (numbers.loop)
        return emitError(generator.getLoc())
               << "random numbers in a loop within a loop cannot be scheduled";
      numbers.loop = depthOf(flow);
      numbers.count = flow.getRunCount();
    }
    Value outer;
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges())
      if (llvm::is_contained(edge.targets, value))
        for (OpOperand *source : edge.sources)
          if (source->getOwner() == flow)
            outer = source->get();
    value = outer;
  }
  return emitError(generator.getLoc()) << "this generator is no argument of the function";
}

} // namespace vescale
