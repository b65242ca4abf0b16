//===- ReportJson.cpp - The report as JSON -------------------------------------------------------===//

#include "compiler/report/Report.h"

#include <nlohmann/json.hpp>

namespace vescale {

using Json = nlohmann::ordered_json;

static Json json(const TensorReport &tensor) {
  Json parts = Json::array();
  for (const LocalPart &part : tensor.parts)
    parts.push_back({{"shape", part.shape}, {"devices", part.devices}});
  return {{"function", tensor.function},       {"role", tensor.role},
          {"name", tensor.name},               {"type", tensor.elementType},
          {"shape", tensor.shape},             {"layout", tensor.layout},
          {"placements", tensor.placements},   {"axes", tensor.axes},
          {"local_parts", std::move(parts)},   {"bytes", tensor.bytes}};
}

static Json json(const CollectiveReport &one) {
  Json result = {{"function", one.function},
                 {"id", one.id},
                 {"kind", one.kind},
                 {"axes", one.axes},
                 {"tensors", one.tensors},
                 {"runs", one.runs},
                 {"type", one.elementType},
                 {"shape", one.shape},
                 {"before", one.before},
                 {"after", one.after},
                 {"payload_bytes", one.payloadBytes},
                 {"bytes", one.bytes},
                 {"seconds", one.seconds},
                 {"location", one.location},
                 {"value", one.value}};
  if (one.redistribution >= 0)
    result["redistribution"] = one.redistribution;
  return result;
}

static Json json(const RedistributionReport &one) {
  Json met = Json::array(), alternatives = Json::array();
  for (const Meeting &meeting : one.met)
    met.push_back({{"axis", meeting.axis}, {"value", meeting.value}, {"dim", meeting.dim}});
  for (const Alternative &other : one.alternatives)
    alternatives.push_back(
        {{"layouts", other.layouts}, {"seconds", other.seconds}, {"chosen", other.chosen}});
  return {{"number", one.number},     {"function", one.function}, {"value", one.value},
          {"user", one.user},         {"type", one.elementType},  {"shape", one.shape},
          {"from", one.from},         {"to", one.to},             {"location", one.location},
          {"runs", one.runs},         {"steps", one.steps},       {"bytes", one.bytes},
          {"seconds", one.seconds},   {"runner_up", one.runnerUp}, {"cause", one.cause},
          {"met", std::move(met)},    {"alternatives", std::move(alternatives)}};
}

static Json json(const CollectiveGroup &group) {
  return {{"function", group.function},
          {"kind", group.kind},
          {"axes", group.axes},
          {"count", group.count},
          {"payload_bytes", group.payloadBytes},
          {"bytes", group.bytes},
          {"seconds", group.seconds}};
}

static Json json(const MemoryReport &memory) {
  return {{"function", memory.function},      {"arena_bytes", memory.arenaBytes},
          {"needed_bytes", memory.neededBytes}, {"persistent", memory.persistent},
          {"at_peak", memory.atPeak},         {"peak_location", memory.peakLocation}};
}

std::string toJson(const Report &report) {
  Json tensors = Json::array(), collectives = Json::array(), groups = Json::array(),
       memory = Json::array();
  for (const TensorReport &tensor : report.tensors)
    tensors.push_back(json(tensor));
  for (const CollectiveReport &one : report.collectives)
    collectives.push_back(json(one));
  for (const CollectiveGroup &group : report.groups())
    groups.push_back(json(group));
  for (const MemoryReport &one : report.memory)
    memory.push_back(json(one));
  Json redistributions = Json::array();
  for (const RedistributionReport &one : report.redistributions)
    redistributions.push_back(json(one));
  Json root = {{"mesh", report.mesh},
               {"devices", report.devices},
               {"arena_bytes", report.arenaBytes()},
               {"memory", std::move(memory)},
               {"collective_groups", std::move(groups)},
               {"collectives", std::move(collectives)},
               {"tensors", std::move(tensors)}};
  if (!report.redistributions.empty())
    root["redistributions"] = std::move(redistributions);
  // Locations may hold any bytes that a file's name may.
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace vescale
