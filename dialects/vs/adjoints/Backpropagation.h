//===- Backpropagation.h - Reverse mode over a block ---------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_ADJOINTS_BACKPROPAGATION_H
#define VESCALE_DIALECTS_VS_ADJOINTS_BACKPROPAGATION_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace vescale::vs {

/// Gradients of values with respect to one scalar. Contributions to one value are added in the order in
/// which ops are visited, so results are deterministic.
class Backpropagation {
public:
  /// Ops of the adjoint are created by `builder`, at its insertion point.
  explicit Backpropagation(mlir::OpBuilder &builder) : builder(builder) {}

  /// Adds a contribution to the gradient of `value`; a null one is none. It is located at `location`.
  void accumulate(mlir::Value value, mlir::Value gradient, mlir::Location location);

  /// The gradient so far; null where nothing flowed.
  mlir::Value gradient(mlir::Value value) const { return gradients.lookup(value); }

  /// Visits the ops in reverse order and lets each build its adjoint. Fails, with an error at the op, where a
  /// gradient flows into an op that has none.
  mlir::LogicalResult run(llvm::ArrayRef<mlir::Operation *> ops);

private:
  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_ADJOINTS_BACKPROPAGATION_H
