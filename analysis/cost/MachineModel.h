//===- MachineModel.h - What the ops of a placed program take -------------------------------===//
//
// How long an op runs on a device and how long a step of a redistribution occupies the links, by
// the prices of CostModel.h. Predictions in seconds for one device, with even parts.
//
//===----------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_COST_MACHINEMODEL_H
#define VESCALE_ANALYSIS_COST_MACHINEMODEL_H

#include "analysis/cost/CostModel.h"
#include "dialects/dist/StepInterface.h"

namespace vescale::analysis {

class MachineModel {
public:
  explicit MachineModel(CostModel costs) : costs(std::move(costs)) {}

  /// What one launch costs however little it moves: the largest latency among the axes of a step.
  double launchSeconds(dist::StepOpInterface step) const;
  /// What the bytes of all tensors of a step take, without the launch; for a local step, the time
  /// in which it writes its results.
  double transferSeconds(dist::StepOpInterface step) const;
  /// The same for one tensor, and with the launch where something is sent.
  double stepSeconds(layout::StepKind kind, mlir::RankedTensorType before,
                     mlir::RankedTensorType after) const;
  /// What an op takes to compute: its points (the product of the factors of its rule, divided by
  /// the devices that share them) at one a time; of a region, the sum of its ops for each run.
  /// Views, scalars of the host and steps that send take nothing.
  double computeSeconds(mlir::Operation *op) const;

  const CostModel &prices() const { return costs; }

private:
  struct Moved {
    layout::Link link;
    double bytes = 0;
  };
  Moved moved(layout::StepKind kind, mlir::RankedTensorType before,
              mlir::RankedTensorType after) const;

  CostModel costs;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_COST_MACHINEMODEL_H
