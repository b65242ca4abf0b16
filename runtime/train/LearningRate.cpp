#include "runtime/train/LearningRate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

double LearningRate::at(int64_t step) const {
  if (step < warmup)
    return peak * static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (kind == Kind::constant)
    return peak;
  double length = static_cast<double>(std::max<int64_t>(steps - warmup, 1));
  double progress = std::min(static_cast<double>(step - warmup) / length, 1.0);
  constexpr double pi = 3.14159265358979323846;
  double remaining = kind == Kind::linear ? 1 - progress : 0.5 * (1 + std::cos(pi * progress));
  return peak * (finalFraction + (1 - finalFraction) * remaining);
}

StatusOr<LearningRate::Kind> vescale::runtime::parseLearningRateKind(const std::string &text) {
  if (text == "constant")
    return LearningRate::Kind::constant;
  if (text == "cosine")
    return LearningRate::Kind::cosine;
  if (text == "linear")
    return LearningRate::Kind::linear;
  return Status::error(
      fmt::format("'{}' is no learning rate schedule: constant, cosine or linear", text));
}
