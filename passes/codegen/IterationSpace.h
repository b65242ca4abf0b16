//===- IterationSpace.h - the outer parallel loop of a fused group -*- C++ -*-===//
//
// A kernel runs an outer parallel loop over *rows*; inside a row it computes, one after the other, the values that
// need a buffer, each in a loop nest over the rest of its dims. What the rows are decides whether values stay in
// cache and whether inner loops vectorise. Three forms:
//
//   flat     the group is elementwise on tensors of one shape: rows are runs of elements
//   rows     rows are the leading dims that all outputs share; sums along trailing dims stay inside a row.
//            softmax of BxHxSxT: rows B*H*S, inner loops over T
//   columns  rows are runs of the last dim, for reductions over leading dims.
//            sum of BxSxH over B and S: rows H / 64, inner loops over B, S and 64 neighbours
//
// The same analysis answers the fusion pass whether a group can be one kernel, and tells the emitter how.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_CODEGEN_ITERATIONSPACE_H
#define VESCALE_PASSES_CODEGEN_ITERATIONSPACE_H

#include "dialects/dist/IndexingRule.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>

namespace vescale {

/// For each dim of a value: the row dim that fixes its index, or -1 where the dim is walked inside a row.
using RowDims = llvm::SmallVector<int, 4>;

struct IterationSpace {
  enum class Form { flat, rows, columns };

  Form form = Form::rows;
  /// Sizes of the row dims (form rows); the column form has one row dim, the last dim of all outputs, cut in runs
  /// of `run`; the flat form has the number of elements, cut in runs of `run`.
  llvm::SmallVector<int64_t, 4> rows;
  int64_t run = 1;

  /// Number of iterations of the outer parallel loop: the product of the row dims, or the number of runs.
  int64_t extent() const;

  /// The values that get a buffer, in the order in which they are computed: outputs, reductions, and what is too
  /// expensive to compute twice.
  llvm::SetVector<mlir::Value> materialized;
  /// Row dims of each materialized value.
  llvm::DenseMap<mlir::Value, RowDims> rowDims;
};

/// Elements of a run of the flat and of the column form.
inline constexpr int64_t flatRun = 1024;
inline constexpr int64_t columnRun = 64;

/// Whether computing an element of `value` again costs less than keeping it: a constant, an argument, or elements
/// of one cheap value that are only moved or converted. Values for which `isInside` is false count as arguments.
bool isCheap(mlir::Value value, llvm::function_ref<bool(mlir::Operation *)> isInside);

/// What the analysis asks about single ops, remembered by whoever asks about many groups of the same ops. They
/// must not change in between.
class OpFacts {
public:
  struct Fact {
    /// Null where the op states none.
    std::unique_ptr<dist::IndexingRule> rule;
    /// An elementwise function, a constant of equal elements, or a scalar spread to all elements.
    bool isPointwise = false;
  };

  const Fact &of(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Operation *, Fact> facts;
};

/// Finds the iteration space of `ops` (in program order; all of them are needed for `outputs`). Values that other
/// ops define are arguments. Returns nothing where the group cannot be one kernel: outputs share no rows, a value
/// between them would need a buffer as large as a tensor, or an op builds its own loops. Types are taken as they
/// stand, so it can be asked about global types (by the fusion pass) and about local ones (by the emitter).
std::optional<IterationSpace> findIterationSpace(llvm::ArrayRef<mlir::Operation *> ops,
                                                 llvm::ArrayRef<mlir::Value> outputs, OpFacts &facts);
std::optional<IterationSpace> findIterationSpace(llvm::ArrayRef<mlir::Operation *> ops,
                                                 llvm::ArrayRef<mlir::Value> outputs);

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_ITERATIONSPACE_H
