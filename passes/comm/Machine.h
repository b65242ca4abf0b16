//===- Machine.h - The machine that a pass is told about ------------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_MACHINE_H
#define VESCALE_PASSES_COMM_MACHINE_H

#include "analysis/cost/MachineModel.h"

#include "mlir/Support/LLVM.h"

namespace vescale {

/// The machine of a cluster file, or the one that nobody described where the name is empty. Emits an
/// error at `op` where the file cannot be read.
mlir::FailureOr<analysis::MachineModel> readMachine(mlir::Operation *op, const std::string &cluster);

} // namespace vescale

#endif // VESCALE_PASSES_COMM_MACHINE_H
