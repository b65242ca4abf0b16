//===- HostSide.h - What the host gives a step and takes from it -------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_HOSTSIDE_H
#define VESCALE_RUNTIME_TRAIN_HOSTSIDE_H

#include "layout/Status.h"
#include "runtime/checkpoint/SafeTensors.h"
#include "runtime/data/Batches.h"
#include "runtime/executor/Executor.h"
#include "runtime/train/RunTensors.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale::runtime {

/// Serves the host inputs and outputs of a schedule: fills batches, keeps metrics, writes gradients
/// to a file.
///
/// `input` and `output` are called by workers, for several ranks at the same time; all else happens
/// between steps.
class HostSide {
public:
  /// Learns from a verified schedule which tensors the host transfers. Errors: batches that are no
  /// rows of tokens, rows of different lengths, metrics that are no scalars or are partial, batches
  /// and metrics that no instruction transfers.
  static layout::StatusOr<HostSide> create(const Schedule &schedule,
                                           const ResolvedLayouts &layouts);

  /// Tokens of one row, tokens of one step over all micro-batches, and the bound of the tokens (0
  /// where unknown).
  int64_t sequence() const { return sequenceLength; }
  int64_t tokensPerStep() const { return stepTokens; }
  int64_t vocabulary() const { return tokenBound; }

  /// What the next steps read; must be set before the first.
  void setTensors(const RunTensors *run) { tensors = run; }
  void setBatches(const Batches *source) { batches = source; }
  void setSplit(Split kind, uint64_t step) { split = kind, splitStep = step; }

  /// Lets the following steps write gradients to the file; nullptr ends that. `indices` are the
  /// writer's tensors.
  void setGradients(const SafeTensorsWriter *writer, const std::vector<size_t> &indices);

  layout::Status input(const HostTransfer &transfer) const;
  layout::Status output(const HostTransfer &transfer);

  /// Names and values of the metrics of the last run; micro-batches are averaged. Clears them.
  std::vector<std::pair<std::string, double>> takeMetrics();

  /// Whether the schedule hands out gradients.
  bool hasGradients() const { return gradientOutputs; }

private:
  struct Metric {
    std::string name;
    size_t tensor;
    double sum = 0;
    int64_t count = 0;
  };

  const Schedule *schedule = nullptr;
  const RunTensors *tensors = nullptr;
  const Batches *batches = nullptr;
  Split split = Split::training;
  uint64_t splitStep = 0;
  int64_t sequenceLength = 0, stepTokens = 0, tokenBound = 0;
  bool gradientOutputs = false;
  std::vector<std::vector<uint32_t>>
      loops; ///< By tensor: iterations of the loops around its input, outermost first.
  std::vector<Metric> metrics;
  const SafeTensorsWriter *gradients = nullptr;
  std::vector<size_t> gradientIndex; ///< By tensor: its place in the file of gradients.
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_HOSTSIDE_H
