//===- TensorTable.h - the named tensors of a schedule ----------*- C++ -*-===//

#ifndef VESCALE_PASSES_SCHEDULE_TENSORTABLE_H
#define VESCALE_PASSES_SCHEDULE_TENSORTABLE_H

#include "dialects/sched/SchedOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace vescale {

/// What the host has to do with an argument or a result.
struct HostTensor {
  /// Null where the host knows it by no name.
  sched::TensorOp tensor;
  /// Set where the host writes a number of the step there.
  std::optional<sched::Quantity> quantity;
};

struct TensorTable {
  llvm::SmallVector<HostTensor> arguments;
  /// Of the function's results; those that replace an argument have no tensor of their own.
  llvm::SmallVector<HostTensor> results;
};

/// Builds a `sched.tensor` for each argument, and for each result that replaces none. Emits an error
/// and fails where a role, a name or an initial value is missing.
mlir::FailureOr<TensorTable> buildTensorTable(mlir::func::FuncOp function, mlir::OpBuilder &builder);

} // namespace vescale

#endif // VESCALE_PASSES_SCHEDULE_TENSORTABLE_H
