//===- Training.h - The main function of every training executable ----------------===//

#ifndef VESCALE_RUNTIME_TRAIN_TRAINING_H
#define VESCALE_RUNTIME_TRAIN_TRAINING_H

#include "runtime/executor/Executor.h"

#include <cstdint>

namespace vescale::runtime {

/// What the compiler links into an executable.
struct TrainingImage {
  const uint8_t *schedule = nullptr;
  uint64_t scheduleSize = 0;
  KernelImage kernels;
};

/// Reads the command line, trains, and returns the exit code: 0, or 1 after one message on standard
/// error, or 2 for a wrong command line. Prints a line per step.
int trainMain(int argc, const char *const *argv, const TrainingImage &image);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_TRAINING_H
