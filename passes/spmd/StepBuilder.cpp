//===- StepBuilder.cpp - Builds a step of a redistribution --------------------------------===//

#include "passes/spmd/StepBuilder.h"

using namespace mlir;

namespace vescale {

Value buildStep(OpBuilder &builder, Location location, layout::StepKind kind, Value value,
                RankedTensorType after) {
  OperationState state(location, "dist." + std::string(layout::str(kind)), value, after);
  return builder.create(state)->getResult(0);
}

} // namespace vescale
