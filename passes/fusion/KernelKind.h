//===- KernelKind.h - how the runtime executes an op ------------*- C++ -*-===//

#ifndef VESCALE_PASSES_FUSION_KERNELKIND_H
#define VESCALE_PASSES_FUSION_KERNELKIND_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Visitors.h"

namespace vescale {

enum class KernelKind {
  /// One call of a runtime library: matrix product, attention.
  library,
  /// A step of a redistribution.
  collective,
  /// The operand's memory under another shape or name; nothing is executed.
  view,
  /// Code that we generate, alone or fused with its neighbours.
  generated,
  /// A group that is one kernel already.
  fused,
  /// Control: terminators, loops, scalars of the host.
  structure,
  /// Nothing executes it: it has no kernel and must be decomposed first.
  unsupported,
};

KernelKind kernelKind(mlir::Operation *op);

/// Visits the ops of a program, each before what is inside it, but nothing inside of groups: most ops of a
/// training step stand there, and they send nothing.
mlir::WalkResult walkOutsideGroups(mlir::Operation *root,
                                   llvm::function_ref<mlir::WalkResult(mlir::Operation *)> visit);

/// Attaches the interfaces that kernelKind asks for: which ops of vs are library calls, and which are views.
void registerKernelKinds(mlir::DialectRegistry &registry);

} // namespace vescale

#endif // VESCALE_PASSES_FUSION_KERNELKIND_H
