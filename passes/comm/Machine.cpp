//===- Machine.cpp - The machine that a pass is told about --------------------------------===//

#include "passes/comm/Machine.h"

#include "mlir/IR/Operation.h"

using namespace mlir;

namespace vescale {

FailureOr<analysis::MachineModel> readMachine(Operation *op, const std::string &cluster) {
  layout::StatusOr<analysis::CostModel> costs = analysis::CostModel::read(cluster);
  if (!costs.ok())
    return op->emitError() << costs.message();
  return analysis::MachineModel(std::move(*costs));
}

} // namespace vescale
