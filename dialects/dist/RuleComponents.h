//===- RuleComponents.h - Parts of an op that share no factor -------------------------------===//
//
// Some ops treat many tensors side by side: clipping takes all gradients, and how one is cut says
// nothing of another. Such a rule falls into components, which propagation and settling treat
// like ops of their own. Without this an op of a thousand tensors would be looked at as a whole
// each time one of them changes.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_RULECOMPONENTS_H
#define VESCALE_DIALECTS_DIST_RULECOMPONENTS_H

#include "dialects/dist/IndexingRule.h"

#include <vector>

namespace vescale::dist {

/// A part of a rule, with its own numbering.
struct RuleComponent {
  IndexingRule rule;
  /// The operands, results and factors of the op that the component's stand for.
  llvm::SmallVector<int, 4> operands, results, factors;
};

/// The components of a rule: tensors are in one component when they share a factor. Tensors without
/// factors are in the first. A rule in which partial values pass or arise is one component, since
/// they join all results.
std::vector<RuleComponent> componentsOf(const IndexingRule &rule);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_RULECOMPONENTS_H
