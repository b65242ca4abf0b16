//===- Passes.h - Passes of the placement stage ---------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_PASSES_H
#define VESCALE_PASSES_PLACEMENT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace vescale {

#define GEN_PASS_DECL
#include "passes/placement/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/placement/Passes.h.inc"

/// Adds the stage: apply the plan, propagate, settle, verify. Without a plan file, the wishes
/// in the program hold.
void addPlacementPasses(mlir::OpPassManager &manager, const std::string &planFile);

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_PASSES_H
