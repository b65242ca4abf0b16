//===- Draft.h - A plan before its sizes are filled in ---------------------------------------===//
//
// In an even space, where only bytes count, all amounts are proportional to the number of elements,
// and which path is cheapest depends only on what divides the dims. A draft is a plan up to that
// proportion, so that tensors of one pattern share it.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_DRAFT_H
#define VESCALE_LAYOUT_REDISTRIBUTION_DRAFT_H

#include "layout/Redistribution.h"

#include <optional>
#include <vector>

namespace vescale::layout::redistribution {

struct DraftStep {
  StepKind kind = StepKind::slice;
  Layout after;
  std::vector<SubAxis> axes;
  /// Elements times the draft's scale.
  int64_t amount = 0;
  double seconds = 0;
};

struct Draft {
  std::vector<DraftStep> steps;
  /// The best alternative that was found; none where nothing else leads to the target.
  std::optional<std::vector<DraftStep>> runnerUp;
  int64_t bound = 0;
  int64_t scale = 1;
  /// The number of elements of the tensor that the amounts are for.
  int64_t elements = 0;
  bool cutShort = false;
  /// See Plan::gap.
  double gap = 0;
  bool runnerUpForbidden = false;
  /// True where tensors with the same divisors share the draft.
  bool isProportional = false;
};

/// The two layouts are legal and differ; `collectivesOnly` needs one mesh.
Draft draftPlan(const Layout &from, const Layout &to, const Shape &shape, int64_t elementBytes,
                const RedistributionOptions &options);

/// The plan for a tensor of `elements` elements of `elementBytes` bytes.
Plan fillIn(const Draft &draft, int64_t elements, int64_t elementBytes);

} // namespace vescale::layout::redistribution

#endif
