//===- CostModel.h - What computing and moving cost, in seconds ------------------------------===//
//
// The one place with prices. With a cluster they are the cluster's; without one those of processes
// on one CPU host, where choices are closest: faster machines move them apart in the same order for
// all but tiny tensors.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_COST_COSTMODEL_H
#define VESCALE_ANALYSIS_COST_COSTMODEL_H

#include "analysis/cost/Cluster.h"
#include "layout/Redistribution.h"

namespace vescale::analysis {

class CostModel {
public:
  /// A machine that nobody described: 10 GB/s between devices and 1.6 us to start a message, 20
  /// GFLOP/s, 20 GB/s to a device's own memory.
  CostModel();
  explicit CostModel(Cluster cluster);
  /// That of the cluster file, or where the path is empty of the machine that nobody described.
  static layout::StatusOr<CostModel> read(const std::string &path);

  /// The options under which redistributions are planned for this machine; plans then say how
  /// long they take.
  const layout::RedistributionOptions &planning() const { return options; }
  /// Time of one point of an op (a multiply-add, an element) on one device, for elements of this
  /// many bytes.
  double pointSeconds(int64_t elementBytes) const;
  /// Time in which a device writes bytes to its own memory.
  double writeSeconds(double bytes) const { return bytes / memoryBandwidth; }
  /// The share of a gather of a parameter that is not hidden: nothing of the step has to be
  /// computed before it starts, so it runs beside other work.
  double exposedShareOfParameters() const { return 0.25; }

private:
  layout::RedistributionOptions options;
  std::map<std::string, double, std::less<>> rates;
  double memoryBandwidth;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_COST_COSTMODEL_H
