//===- FillIn.cpp - The sizes of a drafted plan ----------------------------------------------===//
#include "layout/redistribution/Draft.h"

#include <fmt/format.h>

namespace vescale::layout::redistribution {

namespace {

struct Totals {
  int64_t bytes = 0;
  int launches = 0;
  double seconds = 0;
  bool exchanges = false;
};

std::string kinds(const std::vector<DraftStep> &steps) {
  std::string text;
  for (const DraftStep &step : steps)
    text += (text.empty() ? "" : ", ") + std::string(str(step.kind));
  return text;
}

std::string counted(int64_t count, const char *what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : what[0] == 'l' ? "es" : "s");
}

/// Why `lost` lost against `won`, the first difference in the order in which plans are compared.
std::string reason(const Totals &won, const Totals &lost, bool forbidden) {
  if (lost.seconds > won.seconds)
    return fmt::format("takes {:.3g} us more", (lost.seconds - won.seconds) * 1e6);
  if (won.seconds == 0 && lost.bytes > won.bytes)
    return fmt::format("receives {} more", counted(lost.bytes - won.bytes, "byte"));
  if (forbidden)
    return "is not a collective, and only those are allowed";
  if (lost.launches > won.launches)
    return fmt::format("needs {} more", counted(lost.launches - won.launches, "launch"));
  if (lost.exchanges && !won.exchanges)
    return "costs the same, and collectives are preferred";
  return "costs the same with more local steps";
}

} // namespace

Plan fillIn(const Draft &draft, int64_t elements, int64_t elementBytes) {
  auto bytes = [&](int64_t amount) {
    // Whole for proportional drafts wherever the amounts are.
    auto scaled = static_cast<__int128>(amount) * elementBytes * elements;
    auto unit = static_cast<__int128>(draft.scale) * std::max<int64_t>(draft.elements, 1);
    return static_cast<int64_t>(draft.elements ? (scaled + unit - 1) / unit : 0);
  };
  auto total = [&](const std::vector<DraftStep> &steps) {
    Totals totals;
    for (const DraftStep &step : steps) {
      totals.bytes += bytes(step.amount);
      totals.launches += step.amount > 0;
      totals.seconds += step.seconds;
      totals.exchanges |= step.kind == StepKind::exchange;
    }
    return totals;
  };
  Plan::Contents contents;
  for (const DraftStep &step : draft.steps)
    contents.steps.push_back({step.kind, step.after, step.axes, bytes(step.amount),
                              step.amount > 0 ? 1 : 0, step.seconds});
  Totals won = total(draft.steps);
  contents.bytes = won.bytes;
  contents.launches = won.launches;
  contents.seconds = won.seconds;
  contents.lowerBoundBytes = bytes(draft.bound);
  contents.searchCutShort = draft.cutShort;
  contents.gap = draft.gap;
  if (draft.runnerUp) {
    Totals lost = total(*draft.runnerUp);
    contents.runnerUp =
        fmt::format("{} ({}, {}) {}", kinds(*draft.runnerUp), counted(lost.bytes, "byte"),
                    counted(lost.launches, "launch"), reason(won, lost, draft.runnerUpForbidden));
  }
  return Plan(std::move(contents));
}

} // namespace vescale::layout::redistribution
