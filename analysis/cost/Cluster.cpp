//===- Cluster.cpp - The machine that a program is placed for --------------------------------===//

#include "analysis/cost/Cluster.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace vescale::analysis {

using layout::Status;
using layout::StatusOr;
using nlohmann::json;

static StatusOr<double> positive(const json &value, const std::string &member) {
  if (value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0)
    return value.get<double>();
  return Status::error(fmt::format("cluster: {} must be a positive number, is {}", member,
                                   value.dump()));
}

static Status readWhole(const json &root, const char *member, std::optional<int64_t> &whole) {
  auto found = root.find(member);
  if (found == root.end())
    return Status();
  StatusOr<double> value = positive(*found, fmt::format("\"{}\"", member));
  if (!value.ok())
    return value.status();
  whole = static_cast<int64_t>(*value);
  return Status();
}

StatusOr<Cluster> Cluster::parse(std::string_view text) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  if (root.is_discarded() || !root.is_object())
    return Status::error("cluster: the text is not a JSON object");
  Cluster cluster;
  if (Status read = readWhole(root, "devices", cluster.devices); !read.ok())
    return read;
  if (Status read = readWhole(root, "memory", cluster.memory); !read.ok())
    return read;
  auto rates = root.find("rates");
  if (rates == root.end() || !rates->is_object() || rates->empty())
    return Status::error("cluster: \"rates\" must be an object: operations a second by element type");
  for (const auto &[type, value] : rates->items()) {
    StatusOr<double> rate = positive(value, fmt::format("\"rates\": \"{}\"", type));
    if (!rate.ok())
      return rate.status();
    cluster.rates.emplace(type, *rate);
  }
  if (!root.contains("memory_bandwidth"))
    return Status::error("cluster: \"memory_bandwidth\" is missing: bytes a second of one device");
  StatusOr<double> bandwidth = positive(root["memory_bandwidth"], "\"memory_bandwidth\"");
  if (!bandwidth.ok())
    return bandwidth.status();
  cluster.memoryBandwidth = *bandwidth;
  StatusOr<layout::LinkCosts> links = layout::LinkCosts::parse(root.dump());
  if (!links.ok())
    return links.status();
  cluster.links = std::make_shared<const layout::LinkCosts>(*links);
  return cluster;
}

StatusOr<Cluster> Cluster::read(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    return Status::error(fmt::format("{}: cannot be read", path));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  StatusOr<Cluster> cluster = parse(text);
  if (!cluster.ok())
    return Status::error(fmt::format("{}: {}", path, cluster.message()));
  return cluster;
}

} // namespace vescale::analysis
