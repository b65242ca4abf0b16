//===- KernelEmitter.h - loops for one fused group --------------*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_KERNELEMITTER_H
#define VESCALE_PASSES_CODEGEN_KERNELEMITTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace vescale {

/// What the launch of a kernel needs to know.
struct KernelShape {
  /// Iterations of the outer parallel loop, any split of which may run on different threads.
  int64_t extent = 1;
  /// For each result of the local function: the tensor argument in whose memory it is written, or -1.
  llvm::SmallVector<int, 4> aliases;
};

/// Emits `local`, a function of vs ops on plain local tensors and index arithmetic, as a kernel `name` into
/// `module` (see NativeCode.h for the form of kernels).
///
/// Memrefs are the tensor arguments of `local` in order, then those results that alias no argument;
/// parameters are its index arguments. A result with the attribute `vs.aliases` (StepAttributes.h) is
/// written in place, which needs an elementwise group. Named layers must have been decomposed before.
/// Fails with an error at the op that no kernel can compute.
mlir::FailureOr<KernelShape> emitKernel(mlir::func::FuncOp local, llvm::StringRef name,
                                        mlir::ModuleOp module);

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_KERNELEMITTER_H
