//===- Interpreter.h - The meaning of programs ----------------------------------------------===//
//
// Evaluates a function as simply as possible, so that everything else can be tested against it:
//
//  - a program without layouts, op by op on whole tensors (Evaluation.h);
//  - a program with layouts, on all devices of its mesh in one process. Every value is one tensor
//    per device. Every op is replaced by its local form for each device (LocalForms.h) and
//    evaluated on what this device holds. A step or redistribution rebuilds the global tensor from
//    what all devices hold, which checks that they agree, and cuts it by the layout of the result
//    (Shards.h). A value whose type has no layout is the same on all devices.
//
// Real numbers are computed in double precision; with `declaredTypes`, each result is rounded to
// its element type.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_INTERPRETER_H
#define VESCALE_ANALYSIS_INTERPRETER_INTERPRETER_H

#include "analysis/interpreter/LocalForms.h"
#include "analysis/interpreter/Shards.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace vescale::analysis {

/// A device of a mesh, while what it does alone is evaluated.
struct Device {
  const layout::Mesh *mesh;
  layout::Coordinate coordinate;
};

class Interpreter {
public:
  struct Options {
    bool declaredTypes = false;
  };
  /// Sees the results of every op outside of local forms, in the order of evaluation.
  using Observer = std::function<void(mlir::Operation *, llvm::ArrayRef<Sharded>)>;

  explicit Interpreter(Options options, Observer observer = {})
      : options(options), observer(std::move(observer)) {}

  /// Runs a function of one block on whole arguments and returns its whole results. Fails with
  /// an error at the op that has no meaning, or where devices do not agree.
  mlir::FailureOr<llvm::SmallVector<Tensor>> run(mlir::func::FuncOp function,
                                                 llvm::ArrayRef<Tensor> arguments);

  /// Runs the ops of a block and returns the `wanted` values, defined in it.
  mlir::FailureOr<llvm::SmallVector<Sharded>> runBlock(mlir::Block &block,
                                                       llvm::ArrayRef<Sharded> arguments,
                                                       mlir::ValueRange wanted,
                                                       const Device *device);

private:
  using ShardedOperands = llvm::ArrayRef<const Sharded *>;
  using ShardedResults = mlir::FailureOr<llvm::SmallVector<Sharded>>;

  ShardedResults evaluate(mlir::Operation *op, ShardedOperands operands, const Device *device);
  ShardedResults evaluatePlain(mlir::Operation *op, ShardedOperands operands);
  ShardedResults evaluateOnAll(mlir::Operation *op, ShardedOperands operands,
                               const layout::Mesh &mesh);
  /// Rebuilds each operand and cuts it by the layout of one of the types.
  ShardedResults move(mlir::Operation *op, ShardedOperands operands, mlir::TypeRange after);

  // Ops with regions (Regions.cpp).
  ShardedResults evaluateOnce(mlir::Operation *op, ShardedOperands operands, const Device *device);
  ShardedResults evaluateRepeat(mlir::Operation *op, ShardedOperands operands,
                                const Device *device);
  ShardedResults evaluateManual(mlir::Operation *op, ShardedOperands operands);

  /// The whole tensor of an operand; reports devices that do not agree at the op.
  mlir::FailureOr<Tensor> whole(mlir::Operation *op, unsigned operand, const Sharded &value);

  Options options;
  Observer observer;
  LocalForms forms;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_INTERPRETER_H
