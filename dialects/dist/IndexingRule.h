//===- IndexingRule.h - What an op says about its dims ------------------------------------===//
//
// An indexing rule describes an op to everything that distributes it: propagation, settling,
// pricing, the check that layouts are legal, local shapes. It names *factors*, the independent
// iteration dims of the op, and says of which factors each dim of each operand and result
// consists. A worked example, `reshape 8x4 -> 2x16`:
//
//   factors   0: size 2 parallel, 1: size 4 parallel, 2: size 4 parallel
//   operand 0 dims (0 1) (2)
//   result 0  dims (0) (1 2)
//
// and `einsum "bsd,fd->bsf"`:
//
//   factors   b, s, f parallel; d reduced(sum)
//   operand 0 dims (b) (s) (d)      operand 1 dims (f) (d)      result 0 dims (b) (s) (f)
//   passes    sum of {0}, sum of {1}
//
// Invariants, checked by verifyIndexingRule for every op on every verification:
//   - there is one TensorFactors per operand and per result, with one entry per dim;
//   - the product of a dim's factor sizes is the dim's size, so a dim of size 1 may have none;
//   - a factor stands at most once in one operand or result;
//   - a reduced factor stands in no result, and every factor stands somewhere;
//   - reduced factors state a reduction, parallel ones may.
//
// A parallel factor with a reduction is one that some results keep and others are reduced over:
// the rows of `layer_norm_gradient`, which stand in the gradient of x, while the gradient of the
// weight is a sum over them.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_INDEXINGRULE_H
#define VESCALE_DIALECTS_DIST_INDEXINGRULE_H

#include "layout/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace vescale::dist {

/// What cutting a factor over a mesh axis means for the op.
enum class FactorKind {
  /// Each device computes its part; results that have the factor are cut alike, results and
  /// operands that do not have it are whole on each device.
  parallel,
  /// Each device computes its contribution: results are partial over the axis, with the
  /// factor's reduction.
  reduced,
  /// Must not be cut: the op needs the whole of it.
  replicated,
  /// May be cut, but each device needs elements of its neighbours (windows, shifts, reverse).
  permuted,
  /// May be cut if the op is first replaced by its decomposition or by a cut form.
  decomposable,
};

/// What a device may hold of a dim. Ops that only compute on elements take any piece; ops whose
/// values depend on positions say here how far their local form knows them.
enum class Pieces {
  any,
  /// Runs of one length at one distance (LocalDim): cuts that interleave alike, or none that does.
  runs,
  /// One run: the op takes one start position. No cut interleaves.
  consecutive,
};

/// One independent iteration dim of an op.
struct Factor {
  int64_t size = 1;
  FactorKind kind = FactorKind::parallel;
  /// What joins the contributions to results that do not have the factor: set for reduced
  /// factors, and for parallel ones that stand in some results only.
  std::optional<layout::Reduction> reduction;
  /// What pieces of the dims that consist of this factor the local form can compute.
  Pieces pieces = Pieces::any;
};

/// The factors (indices into IndexingRule::factors) of each dim of one operand or result, each
/// dim's from major to minor. An operand that is not a ranked tensor has no dims.
struct TensorFactors {
  llvm::SmallVector<llvm::SmallVector<int, 2>, 4> dims;

  /// Whether a dim has the factor.
  bool has(int factor) const;
};

/// The op commutes with a reduction in these operands jointly: if each of them is partial over
/// an axis with `operandReduction` and no other operand is, the op on the local values gives
/// results that are partial over this axis with `resultReduction`. The two differ only where
/// an op turns the order around (neg: max passes to min; not: and passes to or).
struct PartialPass {
  llvm::SmallVector<int, 2> operands;
  layout::Reduction operandReduction;
  layout::Reduction resultReduction;
};

struct IndexingRule {
  llvm::SmallVector<Factor, 4> factors;
  llvm::SmallVector<TensorFactors, 2> operands;
  llvm::SmallVector<TensorFactors, 1> results;

  /// Where partial operands may pass (linearity for sum, monotony for max and min). What is
  /// not listed does not pass: the operand must be reduced first.
  llvm::SmallVector<PartialPass, 2> passes;

  /// A ragged layout flattens leading dims of a tensor. It is legal where the flattened dims
  /// consist of the same parallel factors in the same order, and lead, in every operand and
  /// result that has one of them (raggedFactors decides this). An op may allow fewer dims than
  /// that: 0 refuses ragged layouts altogether.
  std::optional<int> raggedPrefix;

  /// Whether propagation may carry what it knows of operands to results, and of results to
  /// operands. Both are true for all ops but barriers.
  bool propagatesForward = true;
  bool propagatesBackward = true;

  /// Appends a factor and returns its index.
  int addFactor(int64_t size, FactorKind kind = FactorKind::parallel);
  int addReduced(int64_t size, layout::Reduction reduction);
  /// Appends a parallel factor over which results that do not have it are reduced.
  int addKeptOrReduced(int64_t size, layout::Reduction reduction);

  /// The reduction with which result `result` is partial over an axis that cuts `factor`; nothing
  /// where the result has the factor or the factor states none.
  std::optional<layout::Reduction> contribution(int factor, int result) const;

  /// Requires at least these pieces of the factors of a dim.
  void require(llvm::ArrayRef<int> dimFactors, Pieces pieces);

  /// Records that the op is jointly linear in `operands` (a pass of sum to sum).
  void addLinear(llvm::ArrayRef<int> operands);
  /// Records that the op commutes with max and with min in `operands` jointly: it only moves
  /// their elements, or maps each one alone without ever decreasing (relu, widening casts).
  void addMonotone(llvm::ArrayRef<int> operands);

  /// Records that every reduction passes: each result element is an element of one of `operands`,
  /// chosen by position alone (transpose, slice, concat), and no operand outside of them.
  void addMoves(llvm::ArrayRef<int> operands);

  /// The reduction with which the results are partial when exactly `operands` (ascending) are
  /// partial with `reduction`; nothing where this does not pass.
  std::optional<layout::Reduction> pass(llvm::ArrayRef<int> operands,
                                        layout::Reduction reduction) const;

  /// The factors that the first `dims` dims of `tensor` flatten to, if a ragged layout of that
  /// prefix is legal for this op; nothing if not. `tensor` is one of operands or results.
  std::optional<llvm::SmallVector<int, 4>> raggedFactors(const TensorFactors &tensor,
                                                         int dims) const;

  /// The rule of an element-wise op: every operand and result of the given shape, all parallel.
  static IndexingRule elementwise(llvm::ArrayRef<int64_t> shape, int numOperands,
                                  int numResults = 1);
};

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_INDEXINGRULE_H
