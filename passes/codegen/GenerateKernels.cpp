//===- GenerateKernels.cpp - machine code of all kernels ------------------===//
//
// The kernels are lowered in a context of their own: that takes dialects which nothing else needs.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/Passes.h"

#include "passes/codegen/NativeCode.h"

#include "dialects/sched/SchedOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_GENERATEKERNELSPASS
#include "passes/codegen/Passes.h.inc"

namespace {

struct GenerateKernelsPass : impl::GenerateKernelsPassBase<GenerateKernelsPass> {
  using GenerateKernelsPassBase::GenerateKernelsPassBase;

  void runOnOperation() override {
    SmallVector<ModuleOp> modules(getOperation().getOps<ModuleOp>());
    if (modules.size() != 1) {
      getOperation().emitError() << "has " << modules.size() << " modules of kernels, needs one: run sched-lower";
      return signalPassFailure();
    }
    ModuleOp kernels = modules[0];
    SmallVector<StringRef> symbols;
    for (auto function : kernels.getOps<func::FuncOp>())
      if (function->hasAttr(kernelAttributeName))
        symbols.push_back(function.getSymName());
    SmallVector<char> object;
    if (!symbols.empty() && failed(generate(kernels, object)))
      return signalPassFailure();
    objectBytes += object.size();
    OpBuilder builder(kernels);
    builder.create<sched::KernelImageOp>(kernels.getLoc(), builder.getStrArrayAttr(symbols),
                                         StringRef(object.data(), object.size()));
    kernels.erase();
  }

private:
  LogicalResult generate(ModuleOp kernels, SmallVectorImpl<char> &object) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    kernels->print(stream, OpPrintingFlags().useLocalScope());
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect, memref::MemRefDialect,
                        scf::SCFDialect, LLVM::LLVMDialect>();
    std::string reason;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        reason += (reason.empty() ? "" : "; ") + diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> copy = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    NativeTarget target;
    target.cpu = targetCpu;
    target.optimizationLevel = optimizationLevel;
    if (!copy || failed(generateNativeCode(*copy, target, object)))
      return kernels.emitError() << "no machine code for the CPU " << target.cpu << ": " << reason;
    return success();
  }
};

} // namespace
} // namespace vescale
