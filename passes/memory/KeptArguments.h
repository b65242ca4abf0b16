//===- KeptArguments.h - what stays in memory between functions -*- C++ -*-===//

#ifndef VESCALE_PASSES_MEMORY_KEPTARGUMENTS_H
#define VESCALE_PASSES_MEMORY_KEPTARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <utility>

namespace vescale {

/// What identifies a kept tensor in all functions: whether it is a state (those lie behind the parameters), and
/// its name.
using KeptName = std::pair<bool, std::string>;

/// The kept tensor that an argument is: a parameter or a state with a name. Nothing for other arguments.
std::optional<KeptName> keptName(mlir::func::FuncOp function, unsigned argument);

/// The functions of a module that have a body.
llvm::SmallVector<mlir::func::FuncOp> definedFunctions(mlir::ModuleOp module);

} // namespace vescale

#endif // VESCALE_PASSES_MEMORY_KEPTARGUMENTS_H
