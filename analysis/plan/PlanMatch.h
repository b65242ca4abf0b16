//===- PlanMatch.h - What a plan asks of each tensor of a model -----------------------------===//

#ifndef VESCALE_ANALYSIS_PLAN_PLANMATCH_H
#define VESCALE_ANALYSIS_PLAN_PLANMATCH_H

#include "analysis/plan/PlanFile.h"
#include "layout/Wish.h"

#include <optional>
#include <string>
#include <vector>

namespace vescale::analysis {

/// A tensor as plan files refer to it. Several may have one name.
struct NamedTensor {
  std::string name;
  layout::Shape shape;
};

/// What a plan asks of one tensor.
struct TensorRequest {
  /// The layout asked for; nothing where no entry asks for one.
  std::optional<layout::Wish> wish;
  /// Indices of mesh axes that cut the tensor further.
  std::vector<int> alsoCutBy;
  /// The key that asks for the layout, or the first one that cuts further; empty where no key
  /// matches.
  std::string key;
};

/// The wish of a request on a tensor of this shape. Dims that name an axis or are open get
/// `defaultPriority` where the request gives none. Fails where it does not fit the mesh, the rank
/// or the sizes.
layout::StatusOr<layout::Wish> wishOf(const PlanRequest &request, const layout::Mesh &mesh,
                                      const layout::Shape &shape, int64_t defaultPriority);

/// Finds for each tensor what the entries of a section ask. Keys are regular expressions (RE2) that
/// match whole names; of several that ask for a layout the last holds, with a warning. Fails
/// where a key is no regular expression, matches nothing (with the nearest names), or does not
/// fit a tensor that it matches.
layout::StatusOr<std::vector<TensorRequest>>
matchEntries(const PlanFile &plan, const std::string &section,
             const std::vector<PlanEntry> &entries, const std::vector<NamedTensor> &tensors,
             int64_t defaultPriority, std::vector<std::string> &warnings);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PLAN_PLANMATCH_H
