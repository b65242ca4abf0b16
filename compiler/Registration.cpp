//===- Registration.cpp - Dialects and passes of all tools ---------------------------------===//

#include "compiler/Registration.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/sched/SchedDialect.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/adjoints/Adjoints.h"
#include "dialects/vs/decompositions/Decompositions.h"
#include "dialects/vs/rules/Rules.h"
#include "compiler/pipelines/Stages.h"
#include "passes/codegen/ElementInterface.h"
#include "passes/codegen/Passes.h"
#include "passes/comm/Passes.h"
#include "passes/fusion/KernelKind.h"
#include "passes/fusion/Passes.h"
#include "passes/memory/Passes.h"
#include "passes/placement/Passes.h"
#include "passes/schedule/Passes.h"
#include "passes/spmd/Passes.h"
#include "passes/training/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

void vescale::registerVescaleDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  registry.insert<dist::DistDialect, sched::SchedDialect, vs::VsDialect>();
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
  registerSpmdPasses();
  registerFusionPasses();
  registerCommPasses();
  registerMemoryPasses();
  registerSchedulePasses();
  registerCodegenPasses();
  registerVescalePipeline();
}
