//===- PlanOrigin.cpp - Which line of a plan asks for a tensor's layout ------------------------===//

#include "analysis/plan/PlanOrigin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

namespace vescale::analysis {

std::string parameterOfGradient(const std::string &name) {
  static constexpr std::string_view suffix = ".gradient";
  if (name.size() <= suffix.size() ||
      name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
    return "";
  return name.substr(0, name.size() - suffix.size());
}

namespace {

/// A section with entries, and with what it says as a whole.
struct Section {
  const char *name;
  const std::vector<PlanEntry> *entries;
  const FollowingSection *following = nullptr;
};

Section sectionOf(const PlanFile &plan, PlanSection section) {
  switch (section) {
  case PlanSection::parameters:
    return {"parameters", &plan.parameters};
  case PlanSection::values:
    return {"values", &plan.values};
  case PlanSection::gradients:
    return {"gradients", &plan.gradients.entries, &plan.gradients};
  case PlanSection::optimizerState:
    return {"optimizer_state", &plan.optimizerState.entries, &plan.optimizerState};
  }
  return {};
}

std::string describe(const PlanFile &plan, const char *section, const PlanEntry &entry,
                     bool further) {
  const PlanRequest &request = entry.request;
  std::string asks = further ? fmt::format("also-cut-by {}", fmt::join(request.alsoCutBy, ", "))
                     : request.placements.empty()
                         ? request.layout
                         : fmt::format("[{}]", fmt::join(request.placements, ", "));
  return fmt::format("{}:{}: {} \"{}\": {}", plan.source(), entry.line, section, entry.key, asks);
}

} // namespace

std::string originOf(const PlanFile &plan, PlanSection kind, const std::string &name,
                     bool further) {
  Section section = sectionOf(plan, kind);
  // Of several keys that match, the last holds.
  for (auto entry = section.entries->rbegin(); entry != section.entries->rend(); ++entry)
    if ((further ? !entry->request.alsoCutBy.empty() : entry->request.asksForLayout()) &&
        RE2::FullMatch(name, RE2(entry->key, RE2::Quiet)))
      return describe(plan, section.name, *entry, further);
  if (!section.following)
    return "";
  if (further)
    return section.following->alsoCutBy.empty()
               ? ""
               : fmt::format("{}: {}: also-cut-by {}", plan.source(), section.name,
                             fmt::join(section.following->alsoCutBy, ", "));
  if (section.following->like != "parameters")
    return "";
  std::string parameters = originOf(plan, PlanSection::parameters, name);
  return parameters.empty() ? "" : fmt::format("{} as parameters, {}", section.name, parameters);
}

} // namespace vescale::analysis
