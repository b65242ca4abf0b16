//===- Comparison.h - A distributed program against one device ------------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_COMPARISON_H
#define VESCALE_TESTS_DIFFERENTIAL_COMPARISON_H

#include "analysis/interpreter/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

#include <functional>
#include <optional>
#include <string>

namespace vescale::analysis {

/// The first op whose results differ from those of one device, or that cannot be evaluated.
struct Mismatch {
  /// What differs, with its place and values, or the error.
  std::string text;
  /// The op of the distributed program; null where the error belongs to none of its top level.
  mlir::Operation *op = nullptr;
};

/// Evaluates `single` on one device and `distributed` on all of its ranks, and compares the results
/// of every op on the top level of `single` with those of the op that `counterpart` maps it to.
/// They must be equal, and within `tolerance` where the op has the attribute `inexact`.
std::optional<Mismatch> compareAllOps(mlir::func::FuncOp single, mlir::func::FuncOp distributed,
                                      const mlir::IRMapping &counterpart,
                                      const std::vector<Tensor> &arguments, double tolerance);

/// The same for the results of the functions alone, for a program that passes have changed. A
/// result is inexact where the op of `single` that computes it is.
std::optional<Mismatch> compareResults(mlir::func::FuncOp single, mlir::func::FuncOp distributed,
                                       const std::vector<Tensor> &arguments, double tolerance);

/// A module with one op alone, in the types that it has, as a lit test that fails.
std::string reducedTest(mlir::Operation *op);

/// The text of a module.
std::string textOf(mlir::Operation *op);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_COMPARISON_H
