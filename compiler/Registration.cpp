//===- Registration.cpp - Dialects and passes of all tools ---------------------------------===//

#include "compiler/Registration.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/adjoints/Adjoints.h"
#include "dialects/vs/decompositions/Decompositions.h"
#include "dialects/vs/rules/Rules.h"
#include "passes/codegen/ElementInterface.h"
#include "passes/fusion/KernelKind.h"
#include "passes/fusion/Passes.h"
#include "passes/placement/Passes.h"
#include "passes/training/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

void vescale::registerVescaleDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect>();
  registry.insert<dist::DistDialect, vs::VsDialect>();
  vs::registerIndexingRules(registry);
  vs::registerAdjoints(registry);
  vs::registerDecompositions(registry);
  registerElementInterfaces(registry);
  registerKernelKinds(registry);
}

void vescale::registerVescalePasses() {
  mlir::registerTransformsPasses();
  registerTrainingPasses();
  registerPlacementPasses();
  registerFusionPasses();
}
