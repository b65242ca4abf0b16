//===- InitialValues.h - What a function is run on ------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_INITIALVALUES_H
#define VESCALE_ANALYSIS_INTERPRETER_INITIALVALUES_H

#include "analysis/interpreter/Random.h"
#include "analysis/interpreter/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace vescale::analysis {

/// Random multiples of 1/8 in [-2, 2], so that sums and a few products of them are exact in any
/// order; integers in [0, integersBelow), truth values.
Tensor gridTensor(ElementType type, const Shape &shape, const Draw &draw, int64_t integersBelow);
/// 0, 1, 2, ...; integers modulo `integersBelow`, reals in steps of 1/8.
Tensor countingTensor(ElementType type, const Shape &shape, int64_t integersBelow);

struct InitialValueOptions {
  uint64_t seed = 0;
  /// The number of the training step, counted from 0.
  uint32_t step = 0;
  int64_t integersBelow = 8;
  /// Parameters too are on the grid instead of what `vs.init` says.
  bool gridParameters = false;
};

/// What the value of an argument, or of a schedule's tensor, depends on.
struct InitialValueSubject {
  mlir::Type type;
  /// `vs.role`, `vs.name` and `vs.init`, where there are such.
  llvm::StringRef role, name;
  mlir::Attribute init;
  /// Its number among the parameters, and among all arguments.
  uint32_t parameter = 0, argument = 0;
};

/// A value by role: a parameter as its `vs.init` says (the draw id is its number among the
/// parameters, the step 0), zeros for states, the seed and step for a generator, step + 1 for the
/// scalar "step", which counts from 1, 2^-10 for other scalars, grid numbers for everything else.
/// Fails with an error at `place` for parameters from files.
mlir::FailureOr<Tensor> initialValue(const InitialValueSubject &subject, mlir::Operation *place,
                                     const InitialValueOptions &options);
InitialValueSubject initialValueSubject(mlir::func::FuncOp function, unsigned argument);
/// The same for an argument of a function.
mlir::FailureOr<Tensor> initialValue(mlir::func::FuncOp function, unsigned argument,
                                     const InitialValueOptions &options);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_INITIALVALUES_H
