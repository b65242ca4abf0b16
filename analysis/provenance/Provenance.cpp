//===- Provenance.cpp - Which decision gave a value its layout -------------------------------===//

#include "analysis/provenance/Provenance.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vescale::analysis {

using Json = nlohmann::ordered_json;

bool Provenance::knows(const std::string &function, const std::string &value) const {
  return std::any_of(all.begin(), all.end(), [&](const LayoutDecision &decision) {
    return decision.function == function && decision.value == value;
  });
}

std::vector<LayoutDecision> Provenance::chain(const std::string &function, const std::string &value,
                                              const std::string &axis) const {
  std::vector<LayoutDecision> chain;
  std::string wanted = value;
  // Going back in time: what a value learned from had the axis before.
  for (size_t i = all.size(); i-- > 0;) {
    const LayoutDecision &decision = all[i];
    if (decision.function != function || decision.value != wanted ||
        std::find(decision.axes.begin(), decision.axes.end(), axis) == decision.axes.end())
      continue;
    chain.push_back(decision);
    if (decision.source.empty())
      break;
    wanted = decision.source;
  }
  return chain;
}

std::vector<std::string> Provenance::axesOf(const std::string &function,
                                            const std::string &value) const {
  std::vector<std::string> axes;
  for (const LayoutDecision &decision : all)
    if (decision.function == function && decision.value == value)
      for (const std::string &axis : decision.axes)
        if (std::find(axes.begin(), axes.end(), axis) == axes.end())
          axes.push_back(axis);
  return axes;
}

/// The step of op priorities in words; see passes/placement/Propagation.h.
static std::string stepText(int step) {
  static constexpr const char *texts[] = {"ops that hand single-use values through",
                                          "ops that hand values through", "parallel factors",
                                          "all factors", "all factors, broadcasts too"};
  return step >= 0 && step < static_cast<int>(std::size(texts)) ? texts[step]
                                                                : fmt::format("step {}", step);
}

static std::string sentence(const LayoutDecision &decision, const std::string &axis,
                            const Provenance::WishOrigin &origin) {
  std::string what = fmt::format("{} cuts dim {} of {}", axis, decision.dim, decision.value);
  std::string round = decision.round ? fmt::format("round {}", *decision.round) : "the last round";
  if (decision.source.empty()) {
    std::string because = origin ? origin(decision) : "a wish asks for it";
    if (decision.strategy == "further")
      return fmt::format("{} further, after propagation, because {}.\n", what, because);
    return fmt::format("{} because {}; it takes part from {}.\n", what, because, round);
  }
  std::string by = decision.through.empty()
                       ? std::string("they are one value")
                       : fmt::format("{} makes them one factor", decision.through);
  std::string there = decision.sourceDim < 0 ? decision.source
                                             : fmt::format("dim {} of {}", decision.sourceDim,
                                                           decision.source);
  return fmt::format("{} because it cuts {}, and {} ({}, {}, {} strategy).\n", what, there, by, round,
                     stepText(decision.step), decision.strategy);
}

std::string Provenance::explain(const std::string &function, const std::string &value,
                                const std::string &axis, const WishOrigin &origin) const {
  std::string text;
  for (const LayoutDecision &decision : chain(function, value, axis))
    text += sentence(decision, axis, origin);
  return text;
}

std::string Provenance::explain(const std::string &function, const std::string &value,
                                const WishOrigin &origin) const {
  std::string text;
  for (const std::string &axis : axesOf(function, value))
    text += explain(function, value, axis, origin);
  if (text.empty())
    return fmt::format("{} is whole on every device: no wish reached it.\n", value);
  return text;
}

std::string Provenance::json() const {
  Json list = Json::array();
  for (const LayoutDecision &decision : all) {
    Json entry = {{"function", decision.function}, {"value", decision.value},
                  {"layout", decision.layout},     {"dim", decision.dim},
                  {"axes", decision.axes},         {"source", decision.source},
                  {"source_dim", decision.sourceDim}, {"through", decision.through},   {"step", decision.step},
                  {"strategy", decision.strategy}};
    if (decision.round)
      entry["round"] = *decision.round;
    list.push_back(std::move(entry));
  }
  return Json{{"layouts", std::move(list)}}.dump(1) + "\n";
}

layout::StatusOr<Provenance> Provenance::parse(const std::string &text) {
  Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || !root.contains("layouts") || !root["layouts"].is_array())
    return layout::Status::error("not a record of decisions: expected {\"layouts\": [...]}");
  Provenance provenance;
  for (size_t i = 0; i < root["layouts"].size(); ++i) {
    const Json &entry = root["layouts"][i];
    LayoutDecision decision;
    for (auto [key, member] :
         {std::pair{"function", &decision.function}, std::pair{"value", &decision.value},
          std::pair{"layout", &decision.layout}, std::pair{"source", &decision.source},
          std::pair{"through", &decision.through}, std::pair{"strategy", &decision.strategy}}) {
      if (!entry.is_object() || !entry.contains(key) || !entry[key].is_string())
        return layout::Status::error(fmt::format("decision {}: \"{}\" is missing", i, key));
      *member = entry[key].get<std::string>();
    }
    for (auto [key, member] :
         {std::pair{"dim", &decision.dim}, std::pair{"source_dim", &decision.sourceDim}})
      if (entry.contains(key) && entry[key].is_number_integer())
        *member = entry[key].get<int>();
    if (entry.contains("axes") && entry["axes"].is_array())
      for (const Json &axis : entry["axes"])
        if (axis.is_string())
          decision.axes.push_back(axis.get<std::string>());
    if (entry.contains("step") && entry["step"].is_number_integer())
      decision.step = entry["step"].get<int>();
    if (entry.contains("round") && entry["round"].is_number_integer())
      decision.round = entry["round"].get<int64_t>();
    provenance.record(std::move(decision));
  }
  return provenance;
}

} // namespace vescale::analysis
