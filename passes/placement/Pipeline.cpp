//===- Pipeline.cpp - The placement stage ----------------------------------------------------===//

#include "passes/placement/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

void vescale::addPlacementPasses(mlir::OpPassManager &manager, const std::string &planFile) {
  if (!planFile.empty()) {
    ApplyPlanOptions options;
    options.plan = planFile;
    manager.addPass(createApplyPlan(options));
  }
  manager.addPass(createPropagate());
  manager.addPass(createSettle());
  manager.addPass(createVerifyPlacement());
}
