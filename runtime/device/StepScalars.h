//===- StepScalars.h - Numbers that change from step to step --------------===//
#ifndef VESCALE_RUNTIME_DEVICE_STEPSCALARS_H
#define VESCALE_RUNTIME_DEVICE_STEPSCALARS_H

#include "runtime/format/Schedule.h"

#include <cstdint>

namespace vescale::runtime {

/// What the host says about a step.
struct StepScalars {
  int64_t step = 0; // from 0
  double learningRate = 0;
  uint64_t seed = 0;
};

/// Iterations of the loops around an instruction, outermost first.
struct Iteration {
  uint32_t loops[4] = {0, 0, 0, 0};
};

/// A scalar whose dependence on the rank has been resolved: scale * value of the kind + constant,
/// where the kind is Constant (value 0), Step, LoopIndex, SeedLow or SeedHigh.
struct BoundScalar {
  ScalarKind kind = ScalarKind::Constant;
  int64_t scale = 0, constant = 0;
  uint32_t loop = 0;
};

inline int64_t evaluate(const BoundScalar &scalar, const StepScalars &step,
                        const Iteration &iteration) {
  int64_t value = 0;
  switch (scalar.kind) {
  case ScalarKind::Step:
    value = step.step;
    break;
  case ScalarKind::LoopIndex:
    value = iteration.loops[scalar.loop];
    break;
  case ScalarKind::SeedLow:
    value = static_cast<int64_t>(step.seed & 0xffffffffu);
    break;
  case ScalarKind::SeedHigh:
    value = static_cast<int64_t>(step.seed >> 32);
    break;
  default:
    break;
  }
  return scalar.scale * value + scalar.constant;
}

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_STEPSCALARS_H
