//===- TensorTable.h - the named tensors of a schedule ----------*- C++ -*-===//

#ifndef VESCALE_PASSES_SCHEDULE_TENSORTABLE_H
#define VESCALE_PASSES_SCHEDULE_TENSORTABLE_H

#include "dialects/sched/SchedOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <optional>
#include <string>

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

/// Builds a `sched.tensor` for each argument of functions, and for each result that replaces none. What has
/// one role, name and type in several functions is one tensor.
class TensorTableBuilder {
public:
  /// Tensors are put where `builder` inserts.
  explicit TensorTableBuilder(mlir::OpBuilder &builder) : builder(builder) {}

  /// The table of one function. Emits an error and fails where a role, a name or an initial value is missing,
  /// or where a parameter or state has another type than in an earlier function.
  mlir::FailureOr<TensorTable> build(mlir::func::FuncOp function);

private:
  mlir::FailureOr<HostTensor> argument(unsigned number);
  mlir::FailureOr<HostTensor> result(unsigned number);
  mlir::FailureOr<HostTensor> parameter(unsigned number, mlir::StringAttr name, mlir::RankedTensorType type);
  mlir::FailureOr<HostTensor> scalar(mlir::StringAttr name, mlir::RankedTensorType type,
                                     mlir::Location location);
  /// The tensor of a role, name and type: that of an earlier function, or a new one.
  mlir::FailureOr<sched::TensorOp> tensor(mlir::Location location, sched::Role role, mlir::StringRef name,
                                          mlir::RankedTensorType type);

  mlir::OpBuilder &builder;
  mlir::func::FuncOp function;
  /// By role and name; tensors that only share these have several.
  std::map<std::pair<sched::Role, std::string>, llvm::SmallVector<sched::TensorOp, 1>> known;
  /// Those of the function that is being built.
  llvm::DenseSet<mlir::Operation *> own;
  int64_t numParameters = 0;
};

} // namespace vescale

#endif // VESCALE_PASSES_SCHEDULE_TENSORTABLE_H
