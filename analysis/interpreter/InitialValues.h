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
  uint32_t step = 1;
  int64_t integersBelow = 8;
  /// Parameters too are on the grid instead of what `vs.init` says.
  bool gridParameters = false;
};

/// The value of an argument by its role: a parameter as its `vs.init` says (the draw id is its
/// number among the parameters, the step 0), zeros for states, the seed and step for a generator,
/// 1 for the scalar "step" and 2^-10 for other scalars, grid numbers for everything else. Fails
/// with an error at the function for parameters from files.
mlir::FailureOr<Tensor> initialValue(mlir::func::FuncOp function, unsigned argument,
                                     const InitialValueOptions &options);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_INITIALVALUES_H
