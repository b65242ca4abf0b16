//===- LinkCost.h - What communication along a mesh axis costs -------------------------------===//
//
// The alpha-beta model: a launch over a set of axes takes the largest latency among them plus its
// bytes over the smallest bandwidth among them.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_LINKCOST_H
#define VESCALE_LAYOUT_LINKCOST_H

#include "layout/SubAxis.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vescale::layout {

/// The links that join the devices of one mesh axis. Latency in seconds per launch, bandwidth in
/// bytes per second that one device receives.
struct Link {
  double latency = 0;
  double bandwidth = 1;

  bool operator==(const Link &other) const {
    return latency == other.latency && bandwidth == other.bandwidth;
  }
};

/// The link of a launch that uses both.
Link slowest(const Link &a, const Link &b);

/// One link for each axis name, and one for all other names.
class LinkCosts {
public:
  LinkCosts(Link others, std::map<std::string, Link, std::less<>> byAxis)
      : others(others), byAxis(std::move(byAxis)) {}

  /// Reads
  ///   {"links": [{"axis": "tp", "latency": 2e-6, "bandwidth": 4e11}, ...],
  ///    "default": {"latency": 1e-5, "bandwidth": 5e10}}
  /// Seconds and bytes per second. `links` and `default` may each be left out, but not both. Other
  /// members of the object are not looked at: a cluster description says more than its links.
  /// Without a default, an axis that is not listed costs as much as the slowest listed one.
  static StatusOr<LinkCosts> parse(std::string_view json);

  const Link &link(std::string_view axis) const;
  /// One link for each axis of the mesh.
  std::vector<Link> links(const Mesh &mesh) const;

  bool operator==(const LinkCosts &other) const {
    return others == other.others && byAxis == other.byAxis;
  }
  size_t hash() const;

private:
  Link others;
  std::map<std::string, Link, std::less<>> byAxis;
};

} // namespace vescale::layout

#endif
