//===- FactorPropagation.h - What one op passes on between its tensors ----------------------===//
//
// One step of propagation: given how the operands and results of one op are cut so far, cut them
// further as far as the op's indexing rule connects them. The strategies are those of Shardy
// (openxla/shardy, basic_factor_propagation and aggressive_factor_propagation):
//
//   basic       for each factor take the axes on which all tensors that have it agree, and cut the
//               list at the first axis that any tensor of the op cannot take: because the axis
//               must stay unused there, is used by another factor, or the dim is closed.
//   aggressive  take the longest list of each factor and fit it into each tensor alone, so that a
//               conflict that no real tensor has does not block the others. Factors come in the
//               order of what has to move where the op is cut on them, cheapest first, at equal
//               price in that of the tensors they were learned from, larger first; in elementwise
//               ops the factor with the most shards comes first.
//
//   add of [{"a", "b"}, {}] and [{}, {}] to [{?}, {"b", ?}], basic:
//     factor 0 has (a, b); the result uses b elsewhere, so all get a
//   dot of [{"a", ?}, {?}] and [{?}, {?}] to [{?}, {"a", ?}]:
//     basic gives nothing; aggressive gives the right operand [{"a", ?}, {?}]
//
// Interleaved and block cuts flow along factors like plain ones.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_FACTORPROPAGATION_H
#define VESCALE_PASSES_PLACEMENT_FACTORPROPAGATION_H

#include "dialects/dist/FactorLayout.h"
#include "passes/placement/MovePrices.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace vescale {

/// What propagation knows of one tensor.
struct TensorState {
  std::vector<layout::Dim> dims;
  /// For each dim, whether it must not be cut further.
  llvm::BitVector closed;
  /// Axes that must not cut this tensor.
  std::vector<layout::SubAxis> unusable;
  llvm::SmallVector<int64_t, 4> shape;
  /// Elements of the whole tensor.
  int64_t elements = 1;

  bool isCut() const {
    for (const layout::Dim &dim : dims)
      if (!dim.empty())
        return true;
    return false;
  }
};

/// Tensors that an op connects: an op of the program, or an edge between equal values.
struct PropagationNode {
  dist::IndexingRule rule;
  /// Indices of tensors: the operands', then the results'; -1 for what is not a tensor.
  llvm::SmallVector<int, 4> tensors;
  int numOperands = 0;
  /// Directions that a barrier closes.
  bool forward = true, backward = true;

  const dist::TensorFactors &factorsOf(int position) const {
    return position < numOperands ? rule.operands[position]
                                  : rule.results[position - numOperands];
  }
};

enum class PropagationStrategy { basic, aggressive };

/// What a step may do.
struct PropagationStep {
  PropagationStrategy strategy = PropagationStrategy::basic;
  /// Whether results learn from operands, and operands from results. Operands learn from one
  /// another where both hold.
  bool forward = true, backward = true;
  /// Whether factors that are summed and the like take part, not only parallel ones.
  bool allFactors = true;
  /// Whether every tensor of an op has all the op's factors in the same dims.
  bool elementwise = false;
  /// Whether an axis may be split into sub-axes.
  bool subAxes = true;
  /// By what conflicts between factors are decided; null: by the sizes of tensors alone.
  MovePrices *prices = nullptr;
};

/// Called for each change: the position of the tensor in the node and of the one it learned from.
using PropagationListener = llvm::function_ref<void(int position, int source)>;

/// Cuts the node's tensors further; `listener` hears of every tensor that changed.
void propagateThroughNode(const PropagationNode &node, const layout::Mesh &mesh,
                          std::vector<TensorState> &tensors, const PropagationStep &step,
                          PropagationListener listener);

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_FACTORPROPAGATION_H
