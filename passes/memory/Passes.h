//===- Passes.h - passes of the memory stage --------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_MEMORY_PASSES_H
#define VESCALE_PASSES_MEMORY_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/memory/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_MEMORY_PASSES_H
