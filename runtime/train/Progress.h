//===- Progress.h - What a run says about itself -------------------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_PROGRESS_H
#define VESCALE_RUNTIME_TRAIN_PROGRESS_H

#include "layout/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vescale::runtime {

/// One step, as the progress line and the metrics tell it.
struct StepReport {
  int64_t step = 0, steps = 0; ///< `step` counts from 1.
  std::vector<std::pair<std::string, double>> metrics;
  double learningRate = 0;
  double seconds = 0, predictedSeconds = 0; ///< A prediction of 0 is unknown.
  int64_t tokens = 0;
  uint64_t plannedBytes = 0, usedBytes = 0; ///< Arenas of all ranks; peak of the process.
};

/// `step  3/100  loss 4.1234  lr 0.001  12345 tokens/s  41.2 ms (predicted 38.0 ms)  memory 48.0
/// MiB planned, 61.2 MiB used`
std::string progressLine(const StepReport &report);

/// The same for a line of metrics.
std::vector<std::pair<std::string, double>> metricsOf(const StepReport &report);

/// Writes a line to standard output at once. An error where that cannot take it, as on a full disk.
layout::Status printLine(std::string_view line);

/// `1.5 KiB`, `48.0 MiB`.
std::string formatBytes(uint64_t bytes);

/// The most memory that the process has had at once; 0 where the system does not tell.
uint64_t peakMemory();

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_PROGRESS_H
