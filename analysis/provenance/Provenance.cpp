//===- Provenance.cpp - Which decision gave a value its layout -------------------------------===//

#include "analysis/provenance/Provenance.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vescale::analysis {

using Json = nlohmann::ordered_json;

std::vector<LayoutDecision> Provenance::chain(const std::string &function,
                                              const std::string &value) const {
  std::vector<LayoutDecision> chain;
  std::string wanted = value;
  // Going back in time: what a value learned from had its layout before.
  for (size_t i = all.size(); i-- > 0;) {
    const LayoutDecision &decision = all[i];
    if (decision.function != function || decision.value != wanted)
      continue;
    chain.push_back(decision);
    if (decision.source.empty())
      break;
    wanted = decision.source;
  }
  return chain;
}

std::string Provenance::explain(const std::string &function, const std::string &value) const {
  std::vector<LayoutDecision> decisions = chain(function, value);
  if (decisions.empty())
    return fmt::format("{} is whole on every device: no wish reached it.\n", value);
  std::string text;
  for (const LayoutDecision &decision : decisions) {
    std::string round =
        decision.round ? fmt::format("round {}", *decision.round) : std::string("the last round");
    if (decision.source.empty())
      text += fmt::format("{} is laid out {} because a wish asks for it, in {}.\n", decision.value,
                          decision.layout, round);
    else
      text += fmt::format("{} is laid out {} because {} is, through {}, in {}, step {} ({}).\n",
                          decision.value, decision.layout, decision.source,
                          decision.through.empty() ? "the same value" : decision.through, round,
                          decision.step, decision.strategy);
  }
  return text;
}

std::string Provenance::json() const {
  Json list = Json::array();
  for (const LayoutDecision &decision : all) {
    Json entry = {{"function", decision.function}, {"value", decision.value},
                  {"layout", decision.layout},     {"source", decision.source},
                  {"through", decision.through},   {"step", decision.step},
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
    if (entry.contains("step") && entry["step"].is_number_integer())
      decision.step = entry["step"].get<int>();
    if (entry.contains("round") && entry["round"].is_number_integer())
      decision.round = entry["round"].get<int64_t>();
    provenance.record(std::move(decision));
  }
  return provenance;
}

} // namespace vescale::analysis
