//===- CutChoice.h - Which of its factors an op is cut on --------------------------------------===//
//
// An op whose operands and results disagree can be computed in several ways. This file lists them,
// prices the redistributions that each needs, and takes the cheapest.
//
//   Candidates: for each operand and result, the op cut as that tensor is laid out, alone and joined
//   with what the others add (larger tensors first); nothing cut; and the best of these with one
//   axis left out. Each is tried with partial operands reduced first and, where the rule passes
//   them, kept partial.
//
//   Price: seconds of moving and computing by the cost model; at equal price the fewest
//   redistributions that the program must hold.
//
//   einsum "bd,fd->bf", d large, [{"x"}, {"y"}] and [{"y"}, {}] to [{}, {"x"}] (the right operand
//   is laid out [{"y"}, {}] on f, d): joining gives b:x d:y; it moves the right operand and
//   reduces a result that moves afterwards. f:x d:y moves both operands. The sizes decide.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_CUTCHOICE_H
#define VESCALE_PASSES_PLACEMENT_CUTCHOICE_H

#include "dialects/dist/RuleCheck.h"
#include "passes/placement/MovePrices.h"

namespace vescale {

/// An operand or result of an op as the choice sees it.
struct ChoiceTensor {
  layout::Shape shape;
  int64_t elementBytes = 4;
  /// Of an operand: the layouts in which the value exists. The first is that of its definition.
  std::vector<layout::Layout> available;
  /// Of a result: where propagation wants it. Of a partial operand: where it wants the reduced
  /// value. Nothing where nobody wants anything.
  std::optional<layout::Layout> wanted;
  /// Further layouts that neighbours have and that may be worth following.
  std::vector<layout::Layout> suggested;
  /// Of an operand: ops that use it, which share the price of reducing it.
  int uses = 1;
  /// Of an operand: a parameter, whose gathers can run ahead.
  bool isParameter = false;

  bool isTensor() const { return !available.empty() || isResultTensor; }
  bool isResultTensor = false;
};

/// What a candidate costs.
struct ChoicePrice {
  /// Of moving and computing.
  double seconds = 0;
  /// Redistributions to be inserted now or later.
  double changes = 0;

  bool operator<(const ChoicePrice &other) const;
};

struct CutChoice {
  dist::OpCuts cuts;
  dist::OpLayouts layouts;
  ChoicePrice price;
  /// Seconds of computing alone, with what a decomposed op exchanges inside.
  double computing = 0;
  /// A decomposable factor is cut: the op must be decomposed.
  bool decomposes = false;
};

struct ChoiceStatistics {
  int64_t candidates = 0;
};

/// What is chosen for: an op, or a component of one.
struct ChoiceProblem {
  const dist::IndexingRule &rule;
  const layout::Mesh &mesh;
  const std::vector<ChoiceTensor> &operands;
  const std::vector<ChoiceTensor> &results;
  /// Whether the op has a decomposition, which may be cut where the op may not.
  bool canDecompose;
  /// Components of one op share what they exchange inside.
  bool isWholeOp;
};

/// The cheapest way to cut the op. There is always one: nothing cut.
CutChoice chooseCuts(const ChoiceProblem &problem, MovePrices &prices,
                     ChoiceStatistics &statistics);

/// All ways to cut the op that its tensors and their neighbours suggest.
std::vector<CutChoice> listCuts(const ChoiceProblem &problem, MovePrices &prices,
                                ChoiceStatistics &statistics);

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_CUTCHOICE_H
