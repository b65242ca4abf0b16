//===- TrainingOptions.h - how the training step is built -------*- C++ -*-===//

#ifndef VESCALE_COMPILER_PIPELINES_TRAININGOPTIONS_H
#define VESCALE_COMPILER_PIPELINES_TRAININGOPTIONS_H

#include <cstdint>
#include <string>

namespace vescale {

/// How the training step is built from the model.
struct TrainingOptions {
  /// adamw or sgd.
  std::string optimizer = "adamw";
  /// Of adamw: decays of the first and second moment, and what is added to the root of the second.
  double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
  /// Momentum factor of sgd; 0 keeps no state.
  double momentum = 0;
  /// Of the parameters that decay.
  double weightDecay = 0.1;
  /// Gradients are clipped to this global norm; 0: not at all.
  double maxGradientNorm = 1;
  /// Micro-batches of a step, the model's batch is one of them; 0: as the plan says, or one.
  int64_t accumulate = 0;
};

} // namespace vescale

#endif // VESCALE_COMPILER_PIPELINES_TRAININGOPTIONS_H
