//===- LinkCost.cpp - What communication along a mesh axis costs -----------------------------===//
#include "layout/LinkCost.h"

#include "layout/Hash.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace vescale::layout {

using nlohmann::json;

Link slowest(const Link &a, const Link &b) {
  return {std::max(a.latency, b.latency), std::min(a.bandwidth, b.bandwidth)};
}

static StatusOr<double> number(const json &object, const char *member, const std::string &where) {
  auto found = object.find(member);
  if (found == object.end() || !found->is_number())
    return Status::error(fmt::format("{}: \"{}\" must be a number", where, member));
  return found->get<double>();
}

static StatusOr<Link> parseLink(const json &object, const std::string &where) {
  if (!object.is_object())
    return Status::error(fmt::format("{}: must be an object", where));
  auto latency = number(object, "latency", where);
  if (!latency.ok())
    return latency.status();
  auto bandwidth = number(object, "bandwidth", where);
  if (!bandwidth.ok())
    return bandwidth.status();
  if (!std::isfinite(*latency) || *latency < 0)
    return Status::error(
        fmt::format("{}: latency {} is not a time in seconds from 0 up", where, *latency));
  if (!std::isfinite(*bandwidth) || *bandwidth <= 0)
    return Status::error(fmt::format(
        "{}: bandwidth {} is not a positive number of bytes per second", where, *bandwidth));
  return Link{*latency, *bandwidth};
}

StatusOr<LinkCosts> LinkCosts::parse(std::string_view text) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    return Status::error("cluster: the text is not JSON");
  if (!root.is_object())
    return Status::error("cluster: must be a JSON object");
  std::map<std::string, Link, std::less<>> byAxis;
  if (auto links = root.find("links"); links != root.end()) {
    if (!links->is_array())
      return Status::error("cluster: \"links\" must be a list");
    for (size_t i = 0; i < links->size(); ++i) {
      const json &entry = (*links)[i];
      std::string where = fmt::format("cluster: links[{}]", i);
      auto link = parseLink(entry, where);
      if (!link.ok())
        return link.status();
      auto axis = entry.find("axis");
      if (axis == entry.end() || !axis->is_string())
        return Status::error(fmt::format("{}: \"axis\" must be the name of a mesh axis", where));
      if (!byAxis.emplace(axis->get<std::string>(), *link).second)
        return Status::error(
            fmt::format("{}: axis \"{}\" is listed twice", where, axis->get<std::string>()));
    }
  }
  auto others = root.find("default");
  if (others != root.end()) {
    auto link = parseLink(*others, "cluster: default");
    if (!link.ok())
      return link.status();
    return LinkCosts(*link, std::move(byAxis));
  }
  if (byAxis.empty())
    return Status::error("cluster: neither \"links\" nor \"default\" gives a link");
  Link slow = byAxis.begin()->second;
  for (const auto &[axis, link] : byAxis)
    slow = slowest(slow, link);
  return LinkCosts(slow, std::move(byAxis));
}

const Link &LinkCosts::link(std::string_view axis) const {
  auto found = byAxis.find(axis);
  return found == byAxis.end() ? others : found->second;
}

std::vector<Link> LinkCosts::links(const Mesh &mesh) const {
  std::vector<Link> result;
  for (const Axis &axis : mesh.axes())
    result.push_back(link(axis.name));
  return result;
}

size_t LinkCosts::hash() const {
  std::hash<double> number;
  size_t seed = combineHash(number(others.latency), number(others.bandwidth));
  for (const auto &[axis, link] : byAxis) {
    seed = combineHash(seed, std::hash<std::string>()(axis));
    seed = combineHash(combineHash(seed, number(link.latency)), number(link.bandwidth));
  }
  return seed;
}

} // namespace vescale::layout
