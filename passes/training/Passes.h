//===- Passes.h - passes of the training stage ------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_TRAINING_PASSES_H
#define VESCALE_PASSES_TRAINING_PASSES_H

#include "dialects/vs/VsDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

/// The functions that the training stage makes.
inline constexpr llvm::StringLiteral gradientsFunctionName = "loss_and_gradients";
inline constexpr llvm::StringLiteral stepFunctionName = "step";
inline constexpr llvm::StringLiteral evaluationFunctionName = "evaluate";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/training/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_TRAINING_PASSES_H
