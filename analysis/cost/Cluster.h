//===- Cluster.h - The machine that a program is placed for ----------------------------------===//
//
// One JSON file describes a cluster, for everything that prices anything:
//
//   { "devices": 16, "memory": 8.0e10,
//     "rates": {"f32": 6.7e13, "bf16": 9.9e14}, "memory_bandwidth": 3.3e12,
//     "links": [{"axis": "tp", "latency": 2e-6, "bandwidth": 4e11}],
//     "default": {"latency": 1e-5, "bandwidth": 5e10} }
//
// Memory in bytes of a device; rates in operations a second, a multiply-add being two;
// bandwidths in bytes per second of one device; latencies in seconds. Links are read by
// layout::LinkCosts.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_COST_CLUSTER_H
#define VESCALE_ANALYSIS_COST_CLUSTER_H

#include "layout/LinkCost.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vescale::analysis {

struct Cluster {
  std::optional<int64_t> devices;
  /// Bytes of a device.
  std::optional<int64_t> memory;
  /// Operations a second of one device by element type.
  std::map<std::string, double, std::less<>> rates;
  /// Bytes a second between a device and its own memory.
  double memoryBandwidth = 0;
  std::shared_ptr<const layout::LinkCosts> links;

  /// Errors name the member and what it must be.
  static layout::StatusOr<Cluster> parse(std::string_view json);
  static layout::StatusOr<Cluster> read(const std::string &path);
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_COST_CLUSTER_H
