#include "runtime/trace/Trace.h"

#include "runtime/checkpoint/AtomicFile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace vescale::runtime;
using Json = nlohmann::ordered_json;

static std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

vescale::layout::Status
vescale::runtime::writeTrace(const std::string &path, const std::vector<TraceEvent> &events,
                             const std::vector<std::vector<std::string>> &streams) {
  int64_t first = events.empty() ? 0 : events.front().begin;
  for (const TraceEvent &event : events)
    first = std::min(first, event.begin);
  std::string text = "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\", \"traceEvents\": [";
  const char *separator = "\n";
  auto append = [&](const Json &json) {
    text += separator;
    text += dump(json);
    separator = ",\n";
  };
  for (size_t rank = 0; rank < streams.size(); ++rank) {
    append({{"ph", "M"},
            {"name", "process_name"},
            {"pid", rank},
            {"tid", 0},
            {"args", {{"name", fmt::format("rank {}", rank)}}}});
    append({{"ph", "M"},
            {"name", "process_sort_index"},
            {"pid", rank},
            {"tid", 0},
            {"args", {{"sort_index", rank}}}});
    for (size_t stream = 0; stream < streams[rank].size(); ++stream)
      append({{"ph", "M"},
              {"name", "thread_name"},
              {"pid", rank},
              {"tid", stream},
              {"args", {{"name", streams[rank][stream]}}}});
  }
  for (const TraceEvent &event : events) {
    Json arguments = {{"device", event.rank}, {"stream", event.stream}};
    for (const auto &[key, value] : event.arguments)
      arguments[key] = value;
    append({{"ph", "X"},
            {"cat", event.category},
            {"name", event.name},
            {"pid", event.rank},
            {"tid", event.stream},
            {"ts", static_cast<double>(event.begin - first) / 1000.0},
            {"dur", static_cast<double>(event.end - event.begin) / 1000.0},
            {"args", arguments}});
  }
  text += "\n]}\n";
  return writeFileAtomically(path, text);
}
