//===- Passes.h - passes of the communication stage -------------*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_PASSES_H
#define VESCALE_PASSES_COMM_PASSES_H

#include "dialects/dist/DistDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

/// On a started step: the seconds for which ops are predicted to wait for it.
inline constexpr llvm::StringLiteral exposedAttributeName = "dist.exposed_seconds";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/comm/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_COMM_PASSES_H
