//===- PassCosts.h - What each pass of the compiler takes --------------------------*- C++ -*-===//

#ifndef VESCALE_BENCH_COMPILER_PASSCOSTS_H
#define VESCALE_BENCH_COMPILER_PASSCOSTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale::bench {

/// Reads what grows while the compiler works; a cost is the difference of two readings.
using Meter = double (*)();

/// Time of this process on its one thread in seconds, so that other processes of the machine do not count.
double processSeconds();

struct PassCost {
  /// The name on the command line.
  std::string pass;
  double cost = 0;
};

/// One way of a model through all stages up to the schedule, without machine code.
struct Compilation {
  /// In the order in which passes first ran; runs of one pass are added up.
  std::vector<PassCost> passes;
  /// All passes; reading the model is not counted.
  double cost = 0;
  /// Ops of the training step after differentiation.
  int64_t ops = 0;
  /// Distinct kernels of the schedule.
  int64_t kernels = 0;
  /// Characters of the schedule's text, without its kernels.
  int64_t scheduleSize = 0;
};

/// Compiles a model, given as text, under a plan file. Plans of redistributions are forgotten first, so
/// that runs do not learn from one another. Nothing where a stage fails, of which the error stream
/// speaks.
std::optional<Compilation> compileToSchedule(const std::string &model, const std::string &plan, Meter meter);

} // namespace vescale::bench

#endif // VESCALE_BENCH_COMPILER_PASSCOSTS_H
