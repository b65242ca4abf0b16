//===- RuleCheck.h - Which layouts an op may have -------------------------------------------===//
//
// The layouts of an op's operands and results follow from how the op is distributed: which axes
// cut which factor of its rule, and over which axes operands arrive partial. This is the one place
// that says what follows, and therefore what is legal.
//
//   einsum "bd,fd->bf", d reduced(sum)
//     b cut by x                 [{"x"}, {}], [{}, {}] -> [{"x"}, {}]
//     d cut by y                 [{}, {"y"}], [{}, {"y"}] -> [{}, {}], partial = [sum: "y"]
//     operand 0 partial over z   [{}, {}], partial = [sum: "z"], [{}, {}] -> the same partial
//     b and f both cut by x      refused: the result's dims cannot both be cut by x
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_RULECHECK_H
#define VESCALE_DIALECTS_DIST_RULECHECK_H

#include "dialects/dist/FactorLayout.h"

namespace vescale::dist {

/// An axis over which some operands are partial: as the op meets it.
struct PartialOperands {
  layout::SubAxis axis;
  layout::Reduction reduction = layout::Reduction::sum;
  llvm::SmallVector<int, 2> operands;
};

/// A ragged cut of some factors that are flattened together.
struct RaggedFactors {
  llvm::SmallVector<int, 4> factors;
  layout::SubAxis axis;
  layout::RunLengths units;
};

/// How an op is distributed: everything that its operands' and results' layouts follow from.
struct OpCuts {
  FactorCuts cuts;
  std::vector<PartialOperands> partials;
  std::optional<RaggedFactors> ragged;
};

/// The layouts that an op must have when it is distributed so. Entries are empty for operands and
/// results that are not tensors.
struct OpLayouts {
  std::vector<layout::Layout> operands;
  std::vector<layout::Layout> results;
};

/// Whether decomposable factors count as cut for good, or as cut once the op is decomposed.
enum class Decomposition { refused, assumed };

/// What layouts follow from `cuts`. Fails, with the reason, where the op cannot be computed from
/// local data alone: a factor that must not be cut is, one axis does two things to a tensor, a
/// partial operand does not pass, a dim cannot say the cuts, different reductions meet. With
/// `assumed`, the layouts are those that the op's decomposition meets at its borders: results
/// without a factor that it cuts are whole.
layout::StatusOr<OpLayouts> layoutsOf(const IndexingRule &rule, const layout::Mesh &mesh,
                                      const OpCuts &cuts,
                                      Decomposition decomposition = Decomposition::refused);

/// The op cuts that given layouts amount to. Fails where a layout is not exact in factors or two
/// tensors disagree on a factor. An entry without value is not a tensor.
layout::StatusOr<OpCuts> cutsOf(const IndexingRule &rule, const layout::Mesh &mesh,
                                const std::vector<std::optional<layout::Layout>> &operands,
                                const std::vector<std::optional<layout::Layout>> &results);

/// Whether an op with this rule may have these layouts: the cuts exist, and the layouts that
/// follow from them are the given ones. The message says which operand or result, axis and
/// sizes are wrong.
layout::Status checkRule(const IndexingRule &rule,
                         const std::vector<std::optional<layout::Layout>> &operands,
                         const std::vector<std::optional<layout::Layout>> &results);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_RULECHECK_H
