//===- LearningRate.h - The learning rate of a step ------------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_LEARNINGRATE_H
#define VESCALE_RUNTIME_TRAIN_LEARNINGRATE_H

#include "layout/Status.h"

#include <cstdint>
#include <string>

namespace vescale::runtime {

/// A learning rate as a function of the step, from 0.
///
/// The first `warmup` steps rise linearly to `peak`: step s has peak * (s + 1) / warmup. Then the
/// rate stays (constant), or falls from `peak` towards `peak * finalFraction`, which it would reach
/// at step `steps`: linearly, or along half a cosine (Loshchilov and Hutter, 2017). From step
/// `steps` on it stays there.
struct LearningRate {
  enum class Kind { constant, cosine, linear };

  Kind kind = Kind::constant;
  double peak = 1e-3;
  int64_t warmup = 0;
  int64_t steps = 0;
  double finalFraction = 0.1;

  double at(int64_t step) const;
};

/// "constant", "cosine" or "linear".
layout::StatusOr<LearningRate::Kind> parseLearningRateKind(const std::string &text);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_LEARNINGRATE_H
