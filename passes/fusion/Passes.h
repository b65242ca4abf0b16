//===- Passes.h - passes of the fusion stage --------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_FUSION_PASSES_H
#define VESCALE_PASSES_FUSION_PASSES_H

#include "dialects/vs/VsDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/fusion/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_FUSION_PASSES_H
