//===- KernelLibrary.h - the distinct kernels of a schedule -----*- C++ -*-===//

#ifndef VESCALE_PASSES_SCHEDULE_KERNELLIBRARY_H
#define VESCALE_PASSES_SCHEDULE_KERNELLIBRARY_H

#include "dialects/sched/SchedDialect.h"
#include "layout/Mesh.h"
#include "passes/fusion/OpPattern.h"
#include "passes/schedule/DrawNumbers.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace vescale {

/// An integer that a kernel is launched with.
struct KernelParameter {
  sched::ScalarKind kind = sched::ScalarKind::constant;
  int64_t constant = 0;
  /// The mesh axis whose index on the device it is, or the loop whose run.
  int64_t axis = 0;
};

/// How a group is launched.
struct LocalKernel {
  std::string symbol;
  /// Iterations of the outer parallel loop.
  int64_t extent = 0;
  llvm::SmallVector<KernelParameter> parameters;
};

/// Builds the local forms of fused groups, and one kernel for all that are equal up to names and
/// locations.
class KernelLibrary {
public:
  /// `kernels` receives the kernel functions.
  explicit KernelLibrary(mlir::ModuleOp kernels);
  ~KernelLibrary();

  /// The kernel of `group` on devices like that at `coordinate`. `aliases[r]` is the operand in whose
  /// memory result r is written, or -1. Emits an error and fails where there is none.
  mlir::FailureOr<LocalKernel> get(mlir::Operation *group, const layout::Coordinate &coordinate,
                                   llvm::ArrayRef<int> aliases);

  unsigned size() const { return byText.size(); }
  /// Local forms that were built; all other groups were like one that had been.
  unsigned formsBuilt() const { return byPattern.size(); }

private:
  mlir::FailureOr<LocalKernel> build(mlir::Operation *group, const layout::Coordinate &coordinate,
                                     llvm::ArrayRef<int> aliases, llvm::ArrayRef<DrawNumbers> generators);

  mlir::ModuleOp kernels;
  /// Where local forms are built; each is erased when its kernel is known.
  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  /// By the text of the local form; equal forms may be launched with different parameters.
  llvm::StringMap<LocalKernel> byText;
  /// By the group's pattern, the devices, the aliases and the numbers of its generators.
  PatternMap<LocalKernel> byPattern;
};

} // namespace vescale

#endif // VESCALE_PASSES_SCHEDULE_KERNELLIBRARY_H
