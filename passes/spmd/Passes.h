//===- Passes.h - passes of the spmd stage ----------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_SPMD_PASSES_H
#define VESCALE_PASSES_SPMD_PASSES_H

#include "dialects/dist/DistDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/spmd/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_SPMD_PASSES_H
