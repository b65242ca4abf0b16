//===- FactorLayout.h - Layouts seen through an op's factors -------------------------------===//
//
// The layouts of all operands and results of an op are one thing: which axes cut which factor of
// its rule. This file is the one place that converts between the two views.
//
// A dim of several factors, the first of which has size 3: cutting its second factor by "a" is
// `{"a" / 3}`, since what precedes it on the device are the 3 uncut indices of the first one:
//
//   dim (3 64)       factor 1 cut by a          <->  {"a" / 3}
//   dim (12 64)      factor 0 cut by a (size 8) <->  {"a" by 64}     12 blocks of 64, uneven
//   dim (4 8)        "a" of size 8 cuts plainly  ->  factor 0 by "a":(1)4, factor 1 by "a":(4)2
//   dim (4 4)        0 by a, 1 by b             <->  {"a", "b"} where a has size 4,
//                                                    {"a", "b" / 2} where it has size 2
//
// On a dim of one factor every cut is the cut of that factor, interleave and block included.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_FACTORLAYOUT_H
#define VESCALE_DIALECTS_DIST_FACTORLAYOUT_H

#include "dialects/dist/IndexingRule.h"
#include "layout/Layout.h"

#include <optional>
#include <string>
#include <vector>

namespace vescale::dist {

/// For each factor of a rule the cuts of it, major to minor.
using FactorCuts = std::vector<layout::Dim>;

/// What the dims of one tensor say about the factors.
struct Projection {
  /// The cuts of each factor of the rule; empty for factors that the tensor does not have.
  FactorCuts cuts;
  /// For each dim of the tensor, the cuts from the first one on that falls on no single factor.
  std::vector<layout::Dim> overflow;

  bool exact() const;
};

/// Projects dims (one per dim of `tensor`) to factors. Axes that straddle factors are split where
/// that changes no region; what does not fit goes to `overflow`.
Projection projectToFactors(const IndexingRule &rule, const TensorFactors &tensor,
                            const layout::Mesh &mesh, const std::vector<layout::Dim> &dims);

/// The cuts of a dim that consists of `factors`, given the cuts of all factors of the rule;
/// nothing where no dim says that (an uneven cut with something after it, say).
std::optional<layout::Dim> dimOfFactors(const IndexingRule &rule, llvm::ArrayRef<int> factors,
                                        const FactorCuts &cuts);

/// Merges neighbouring parts of one axis where that changes no region; the one way of writing
/// in which factor cuts are compared. `size` is the factor's or the dim's size.
layout::Dim canonicalCuts(const layout::Dim &cuts, int64_t size);

/// A set of axes, sorted, with neighbouring parts of one axis merged and parts of size 1 dropped.
std::vector<layout::SubAxis> canonicalAxes(std::vector<layout::SubAxis> axes);

/// One layout in the form in which layouts are compared: canonical dims
/// and partial axes.
layout::Layout canonicalLayout(const layout::Layout &layout, llvm::ArrayRef<int64_t> shape);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_FACTORLAYOUT_H
