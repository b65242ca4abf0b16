//===- PlanFile.cpp - Reads a plan file ---------------------------------------------------===//

#include "analysis/plan/PlanFile.h"

#include "analysis/plan/NearestNames.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace vescale::analysis {

using Json = nlohmann::ordered_json;
using layout::Status;
using layout::StatusOr;

namespace {

/// The first key that stands twice in one object, which a JSON library would drop silently.
class RepeatedKeys {
public:
  bool operator()(int, Json::parse_event_t event, Json &parsed) {
    if (event == Json::parse_event_t::object_start)
      open.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      open.pop_back();
    else if (event == Json::parse_event_t::key &&
             !open.back().insert(parsed.get<std::string>()).second && repeated.empty())
      repeated = parsed.get<std::string>();
    return true;
  }

  std::string repeated;

private:
  std::vector<std::set<std::string>> open;
};

/// Reads the parsed JSON into a plan; each member reads one form and names the key on errors.
class Reader {
public:
  explicit Reader(const std::string &source) : source(source) {}

  template <class... Arguments>
  Status error(const std::string &where, fmt::format_string<Arguments...> format,
               Arguments &&...arguments) const {
    return Status::error(fmt::format("{}: {}: {}", source, where,
                                     fmt::format(format, std::forward<Arguments>(arguments)...)));
  }

  /// Refuses keys of `object` that are not among `known`.
  Status knownKeys(const Json &object, const std::string &where,
                   const std::vector<std::string> &known) const {
    for (const auto &item : object.items())
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
        return error(where, "unknown key \"{}\"{}", item.key(), suggestion(item.key(), known));
    return Status();
  }

  Status readMesh(const Json &json, const Json *deviceIds, std::optional<layout::Mesh> &mesh) const;
  Status readAxes(const Json &json, const std::string &where,
                  std::vector<std::string> &axes) const;
  Status readRequest(const Json &json, const std::string &where, PlanRequest &request) const;
  Status readEntries(const Json &json, const std::string &where,
                     std::vector<PlanEntry> &entries) const;
  Status readFollowing(const Json &json, const std::string &where,
                       FollowingSection &section) const;
  Status readPipeline(const Json &json, PipelineRequest &pipeline) const;
  Status readRest(const Json &root, PlanFile &plan) const;

  std::optional<layout::Mesh> mesh;

private:
  const std::string &source;
};

Status Reader::readMesh(const Json &json, const Json *deviceIds,
                        std::optional<layout::Mesh> &mesh) const {
  if (!json.is_object() || json.empty())
    return error("mesh", "expected an object of axis names and sizes, such as {{\"dp\": 2}}");
  std::vector<layout::Axis> axes;
  for (const auto &item : json.items()) {
    if (!item.value().is_number_integer())
      return error("mesh", "the size of axis \"{}\" must be an integer", item.key());
    axes.push_back({item.key(), item.value().get<int64_t>()});
  }
  std::vector<int64_t> ids;
  if (deviceIds) {
    if (!deviceIds->is_array())
      return error("device_ids", "expected a list of integers");
    for (const Json &id : *deviceIds) {
      if (!id.is_number_integer())
        return error("device_ids", "expected a list of integers");
      ids.push_back(id.get<int64_t>());
    }
  }
  StatusOr<layout::Mesh> made = layout::Mesh::get(axes, ids);
  if (!made.ok())
    return error("mesh", "{}", made.status().message());
  mesh = *made;
  return Status();
}

Status Reader::readAxes(const Json &json, const std::string &where,
                        std::vector<std::string> &axes) const {
  Json list = json.is_array() ? json : Json::array({json});
  std::vector<std::string> known;
  for (const layout::Axis &axis : mesh->axes())
    known.push_back(axis.name);
  for (const Json &name : list) {
    if (!name.is_string())
      return error(where, "\"also-cut-by\" must be a mesh axis or a list of mesh axes");
    if (!mesh->axisIndex(name.get<std::string>()))
      return error(where, "\"also-cut-by\": mesh {} has no axis \"{}\"{}", mesh->str(),
                   name.get<std::string>(), suggestion(name.get<std::string>(), known));
    axes.push_back(name.get<std::string>());
  }
  return Status();
}

Status Reader::readRequest(const Json &json, const std::string &where,
                           PlanRequest &request) const {
  if (json.is_string()) {
    request.layout = json.get<std::string>();
    return Status();
  }
  if (json.is_array()) {
    for (const Json &placement : json) {
      if (!placement.is_string())
        return error(where, "expected one placement per mesh axis, such as [\"R\", \"S(0)\"]");
      request.placements.push_back(placement.get<std::string>());
    }
    if (request.placements.size() != mesh->axes().size())
      return error(where, "{} placements for the {} axes of mesh {}", request.placements.size(),
                   mesh->axes().size(), mesh->str());
    return Status();
  }
  if (!json.is_object())
    return error(where, "expected a list of placements, a layout, or an object");
  if (Status known =
          knownKeys(json, where, {"placements", "layout", "also-cut-by", "priority", "open"});
      !known.ok())
    return known;
  if (json.contains("placements") && json.contains("layout"))
    return error(where, "\"placements\" and \"layout\" exclude each other");
  for (const char *form : {"placements", "layout"}) {
    if (!json.contains(form))
      continue;
    if (json[form].is_object())
      return error(where, "\"{}\" must be a list or a string", form);
    if (Status read = readRequest(json[form], where, request); !read.ok())
      return read;
  }
  if (json.contains("also-cut-by"))
    if (Status read = readAxes(json["also-cut-by"], where, request.alsoCutBy); !read.ok())
      return read;
  if (json.contains("priority")) {
    if (!json["priority"].is_number_integer() || json["priority"].get<int64_t>() < 0)
      return error(where, "\"priority\" must be a number from 0 on");
    request.priority = json["priority"].get<int64_t>();
  }
  if (json.contains("open")) {
    if (!json["open"].is_boolean())
      return error(where, "\"open\" must be true or false");
    request.open = json["open"].get<bool>();
  }
  return Status();
}

Status Reader::readEntries(const Json &json, const std::string &where,
                           std::vector<PlanEntry> &entries) const {
  if (!json.is_object())
    return error(where, "expected an object of regular expressions and placements");
  for (const auto &item : json.items()) {
    PlanEntry entry{item.key(), {}};
    if (Status read = readRequest(item.value(), fmt::format("{}: \"{}\"", where, item.key()),
                                  entry.request);
        !read.ok())
      return read;
    entries.push_back(std::move(entry));
  }
  return Status();
}

Status Reader::readFollowing(const Json &json, const std::string &where,
                             FollowingSection &section) const {
  if (json.is_string()) {
    if (json.get<std::string>() != "as-parameters")
      return error(where, "expected \"as-parameters\" or an object, found \"{}\"",
                   json.get<std::string>());
    section.like = "parameters";
    return Status();
  }
  if (!json.is_object())
    return error(where, "expected \"as-parameters\" or an object");
  for (const auto &item : json.items()) {
    if (item.key() == "like") {
      if (item.value() != "parameters")
        return error(where, "\"like\" must be \"parameters\"");
      section.like = "parameters";
    } else if (item.key() == "also-cut-by") {
      if (Status read = readAxes(item.value(), where, section.alsoCutBy); !read.ok())
        return read;
    } else {
      PlanEntry entry{item.key(), {}};
      if (Status read = readRequest(item.value(), fmt::format("{}: \"{}\"", where, item.key()),
                                    entry.request);
          !read.ok())
        return read;
      section.entries.push_back(std::move(entry));
    }
  }
  return Status();
}

Status Reader::readPipeline(const Json &json, PipelineRequest &pipeline) const {
  if (!json.is_object())
    return error("pipeline", "expected an object");
  if (Status known = knownKeys(json, "pipeline", {"axis", "schedule", "split"}); !known.ok())
    return known;
  for (const auto &item : json.items())
    if (!item.value().is_string())
      return error("pipeline", "\"{}\" must be a string", item.key());
  if (!json.contains("axis"))
    return error("pipeline", "\"axis\" is missing");
  pipeline.axis = json["axis"].get<std::string>();
  if (!mesh->axisIndex(pipeline.axis))
    return error("pipeline", "mesh {} has no axis \"{}\"", mesh->str(), pipeline.axis);
  pipeline.schedule = json.value("schedule", pipeline.schedule);
  pipeline.split = json.value("split", pipeline.split);
  return Status();
}

Status Reader::readRest(const Json &root, PlanFile &plan) const {
  for (auto [key, entries] : {std::pair{"parameters", &plan.parameters},
                              std::pair{"values", &plan.values}})
    if (root.contains(key))
      if (Status read = readEntries(root[key], key, *entries); !read.ok())
        return read;
  for (auto [key, section] : {std::pair{"gradients", &plan.gradients},
                              std::pair{"optimizer_state", &plan.optimizerState}})
    if (root.contains(key))
      if (Status read = readFollowing(root[key], key, *section); !read.ok())
        return read;
  if (root.contains("recompute")) {
    if (!root["recompute"].is_array())
      return error("recompute", "expected a list of regular expressions");
    for (const Json &key : root["recompute"]) {
      if (!key.is_string())
        return error("recompute", "expected a list of regular expressions");
      plan.recompute.push_back(key.get<std::string>());
    }
  }
  if (root.contains("accumulate")) {
    if (!root["accumulate"].is_number_integer() || root["accumulate"].get<int64_t>() < 1)
      return error("accumulate", "expected a number of micro-batches from 1 on");
    plan.accumulate = root["accumulate"].get<int64_t>();
  }
  if (root.contains("precision")) {
    const std::vector<std::string> known = {"f64", "f32", "bf16", "f16"};
    if (!root["precision"].is_string() ||
        std::find(known.begin(), known.end(), root["precision"].get<std::string>()) == known.end())
      return error("precision", "expected one of \"f64\", \"f32\", \"bf16\", \"f16\"");
    plan.precision = root["precision"].get<std::string>();
  }
  if (root.contains("pipeline")) {
    plan.pipeline.emplace();
    return readPipeline(root["pipeline"], *plan.pipeline);
  }
  return Status();
}

} // namespace

/// Finds the lines of keys: each where it is first written as JSON writes it. Keys stand once in an
/// object, and one that stands in two sections is looked for behind the section's name.
static void findLines(const std::string &text, const char *section,
                      std::vector<PlanEntry> &entries) {
  size_t begin = text.find(fmt::format("\"{}\"", section));
  for (PlanEntry &entry : entries) {
    size_t at = text.find(Json(entry.key).dump(-1, ' ', false, Json::error_handler_t::replace),
                          begin == std::string::npos ? 0 : begin);
    if (at != std::string::npos)
      entry.line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
  }
}

StatusOr<PlanFile> PlanFile::parse(const std::string &text, const std::string &source) {
  Json root;
  RepeatedKeys keys;
  Reader reader(source);
  // The callback is copied by the library, so it goes by reference. The library tells the place
  // of a fault only by an exception.
  auto callback = [&](int depth, Json::parse_event_t event, Json &parsed) {
    return keys(depth, event, parsed);
  };
  try {
    root = Json::parse(text, callback, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const Json::parse_error &fault) {
    size_t end = std::min<size_t>(fault.byte ? fault.byte - 1 : 0, text.size());
    auto line = 1 + std::count(text.begin(), text.begin() + end, '\n');
    size_t lineStart = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    size_t column = lineStart == std::string::npos ? end + 1 : end - lineStart;
    return Status::error(fmt::format("{}:{}:{}: not JSON", source, line, column));
  }
  if (!keys.repeated.empty())
    return reader.error("plan", "key \"{}\" stands twice in one object", keys.repeated);
  if (!root.is_object() || !root.contains("mesh"))
    return reader.error("plan", "expected an object with a \"mesh\"");
  if (Status known = reader.knownKeys(root, "plan",
                                      {"mesh", "device_ids", "parameters", "values", "gradients",
                                       "optimizer_state", "recompute", "accumulate", "precision",
                                       "pipeline"});
      !known.ok())
    return known;
  const Json *deviceIds = root.contains("device_ids") ? &root["device_ids"] : nullptr;
  if (Status read = reader.readMesh(root["mesh"], deviceIds, reader.mesh); !read.ok())
    return read;
  PlanFile plan(*reader.mesh);
  plan.sourceName = source;
  if (Status read = reader.readRest(root, plan); !read.ok())
    return read;
  findLines(text, "parameters", plan.parameters);
  findLines(text, "values", plan.values);
  findLines(text, "gradients", plan.gradients.entries);
  findLines(text, "optimizer_state", plan.optimizerState.entries);
  return plan;
}

StatusOr<PlanFile> PlanFile::read(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Status::error(fmt::format("{}: cannot read the plan file", path));
  return parse(text.str(), path);
}

} // namespace vescale::analysis
