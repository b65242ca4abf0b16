//===- PassTimes.h - How long each pass of the compiler takes ----------------------*- C++ -*-===//

#ifndef VESCALE_BENCH_COMPILER_PASSTIMES_H
#define VESCALE_BENCH_COMPILER_PASSTIMES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale::bench {

struct PassTime {
  /// The name on the command line.
  std::string pass;
  double seconds = 0;
};

/// One way of a model through all stages up to the schedule, without machine code.
struct Compilation {
  /// In the order in which passes first ran; runs of one pass are added up.
  std::vector<PassTime> passes;
  /// All passes; reading the model is not counted.
  double seconds = 0;
  /// Ops of the training step after differentiation.
  int64_t ops = 0;
  /// Distinct kernels of the schedule.
  int64_t kernels = 0;
};

/// Compiles a model, given as text, under a plan file. Plans of redistributions are forgotten first, so
/// that runs do not learn from one another. Nothing where a stage fails, of which the error stream
/// speaks.
std::optional<Compilation> compileToSchedule(const std::string &model, const std::string &plan);

} // namespace vescale::bench

#endif // VESCALE_BENCH_COMPILER_PASSTIMES_H
