//===- ProgramReduction.h - The small part of a program that still fails --------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_PROGRAMREDUCTION_H
#define VESCALE_TESTS_DIFFERENTIAL_PROGRAMREDUCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace vescale::analysis {

/// Makes a module smaller as long as `fails` holds of it: drops results, replaces ops by arguments
/// or by their operands, drops arguments that nothing uses, drops mesh axes, and shrinks dims, each
/// in turn until none of them helps. Every step keeps the module legal. `trials` bounds the calls
/// of `fails`.
mlir::OwningOpRef<mlir::ModuleOp> reduceModule(mlir::ModuleOp module,
                                               const std::function<bool(mlir::ModuleOp)> &fails,
                                               int trials = 600);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_PROGRAMREDUCTION_H
