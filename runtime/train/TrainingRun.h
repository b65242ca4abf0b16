//===- TrainingRun.h - One run of a training executable ------------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_TRAININGRUN_H
#define VESCALE_RUNTIME_TRAIN_TRAININGRUN_H

#include "layout/Status.h"
#include "runtime/data/Batches.h"
#include "runtime/executor/Executor.h"
#include "runtime/trace/Metrics.h"
#include "runtime/train/HostSide.h"
#include "runtime/train/Options.h"
#include "runtime/train/RunTensors.h"
#include "runtime/train/Training.h"

#include <memory>
#include <optional>

namespace vescale::runtime {

/// Steps, validation and files of one run, in the order that the command line asks for.
class TrainingRun {
public:
  TrainingRun(const TrainingImage &image, const TrainOptions &options)
      : image(image), options(options) {}

  /// Checks all that can be checked, opens the data, makes the executor and gives tensors their
  /// first values.
  layout::Status prepare();

  /// Trains, printing a line per step, and writes the files that were asked for.
  layout::Status train();

private:
  layout::Status openData(const Schedule &schedule);
  layout::Status step(int64_t index, SafeTensorsWriter *gradients);
  layout::Status validate(int64_t afterSteps);
  layout::StatusOr<double> validationLoss(int64_t batch, int64_t step);
  layout::Status writeTimeline() const;
  StepScalars scalars(int64_t step, double learningRate) const {
    return {step, learningRate, options.seed};
  }

  const TrainingImage &image;
  const TrainOptions &options;
  std::optional<HostSide> host;
  std::optional<Batches> batches;
  std::unique_ptr<Executor> executor;
  std::optional<RunTensors> tensors;
  std::optional<Metrics> metrics;
  uint32_t evaluation = none; ///< The function that validates.
  uint64_t plannedBytes = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_TRAININGRUN_H
