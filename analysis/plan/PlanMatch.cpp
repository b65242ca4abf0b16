//===- PlanMatch.cpp - What a plan asks of each tensor of a model ---------------------------===//

#include "analysis/plan/PlanMatch.h"

#include "analysis/plan/NearestNames.h"
#include "layout/Legality.h"
#include "layout/Placement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <map>

namespace vescale::analysis {

using layout::Status;
using layout::StatusOr;

StatusOr<layout::Wish> wishOf(const PlanRequest &request, const layout::Mesh &mesh,
                              const layout::Shape &shape, int64_t defaultPriority) {
  int rank = static_cast<int>(shape.size());
  layout::Layout asked = layout::Layout::replicated(mesh, rank);
  std::vector<layout::DimFreedom> freedoms(rank);
  std::vector<layout::SubAxis> replicated;
  if (!request.placements.empty()) {
    StatusOr<layout::Placements> placements =
        layout::parsePlacements(fmt::format("[{}]", fmt::join(request.placements, ", ")));
    if (!placements.ok())
      return placements.status();
    StatusOr<layout::Layout> made = layout::layoutOf(mesh, rank, *placements);
    if (!made.ok())
      return made.status();
    asked = *made;
  } else {
    StatusOr<layout::Wish> wish = layout::Wish::parse(mesh, request.layout);
    if (!wish.ok())
      return wish.status();
    if (wish->rank() != rank)
      return Status::error(fmt::format("{} dims are laid out where the tensor has {}",
                                       wish->rank(), rank));
    asked = wish->asked();
    freedoms = wish->freedoms();
    replicated = wish->replicated();
  }
  if (Status legal = layout::checkLegal(asked, shape); !legal.ok())
    return legal;
  for (int dim = 0; dim < rank; ++dim) {
    freedoms[dim].open |= request.open;
    if (!freedoms[dim].priority && (freedoms[dim].open || !asked.dim(dim).empty()))
      freedoms[dim].priority = request.priority.value_or(defaultPriority);
  }
  return layout::Wish::get(asked, freedoms, replicated);
}

static std::string shapeText(const layout::Shape &shape) {
  return shape.empty() ? "()" : fmt::format("{}", fmt::join(shape, "x"));
}

/// A key without the escapes of its regular expression, to be compared with names.
static std::string plainKey(const std::string &key) {
  std::string plain;
  for (size_t i = 0; i < key.size(); ++i) {
    if (key.compare(i, 3, "\\d+") == 0) {
      plain += '0';
      i += 2;
    } else if (key[i] != '\\') {
      plain += key[i];
    }
  }
  return plain;
}

StatusOr<std::vector<TensorRequest>>
matchEntries(const PlanFile &plan, const std::string &section,
             const std::vector<PlanEntry> &entries, const std::vector<NamedTensor> &tensors,
             int64_t defaultPriority, std::vector<std::string> &warnings) {
  std::vector<TensorRequest> requests(tensors.size());
  // (earlier key, later key) -> the tensors that the later one takes over.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> overridden;
  for (const PlanEntry &entry : entries) {
    std::string where = fmt::format("{}: {}: \"{}\"", plan.source(), section, entry.key);
    RE2 expression(entry.key, RE2::Quiet);
    if (!expression.ok())
      return Status::error(fmt::format("{}: not a regular expression: {}", where,
                                       expression.error()));
    bool matched = false;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!RE2::FullMatch(tensors[i].name, expression))
        continue;
      matched = true;
      TensorRequest &request = requests[i];
      for (const std::string &axis : entry.request.alsoCutBy)
        request.alsoCutBy.push_back(*plan.mesh().axisIndex(axis));
      if (!entry.request.asksForLayout()) {
        if (request.key.empty())
          request.key = entry.key;
        continue;
      }
      StatusOr<layout::Wish> wish =
          wishOf(entry.request, plan.mesh(), tensors[i].shape, defaultPriority);
      if (!wish.ok())
        return Status::error(fmt::format("{}: does not fit {} of shape {} on mesh {}: {}", where,
                                         tensors[i].name, shapeText(tensors[i].shape),
                                         plan.mesh().str(), wish.message()));
      if (request.wish)
        overridden[{request.key, entry.key}].push_back(tensors[i].name);
      request.wish = *wish;
      request.key = entry.key;
    }
    if (!matched) {
      std::vector<std::string> names;
      for (const NamedTensor &tensor : tensors)
        names.push_back(tensor.name);
      return Status::error(fmt::format("{}: matches nothing{}", where,
                                       suggestion(plainKey(entry.key), names)));
    }
  }
  for (const auto &[keys, names] : overridden)
    warnings.push_back(fmt::format("{}: {}: \"{}\" overrides \"{}\" for {}{}", plan.source(),
                                   section, keys.second, keys.first, names.front(),
                                   names.size() == 1
                                       ? ""
                                       : fmt::format(" and {} more", names.size() - 1)));
  return requests;
}

} // namespace vescale::analysis
