//===- Options.h - The command line of a training executable -----------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_OPTIONS_H
#define VESCALE_RUNTIME_TRAIN_OPTIONS_H

#include "runtime/data/Tokens.h"
#include "runtime/train/LearningRate.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vescale::runtime {

struct TrainOptions {
  int64_t ranks = 0;      ///< 0: as many as the executable was compiled for.
  int threadsPerRank = 0; ///< 0: the cores divided by the ranks, at least 1.
  std::string data;
  std::string tokens; ///< A TokenType; empty: by the name of the data.
  int64_t steps = 100;
  uint64_t seed = 0;
  LearningRate learningRate;
  std::string metrics, trace, load, save, dumpGradients; ///< Paths; empty: not asked for.
  int64_t validateEvery = 0;
  int64_t validationBatches = 4;
  double validationFraction = 0.1;
  int64_t timeoutSeconds = 600;
};

/// What to do after the command line was read.
struct ParsedOptions {
  std::optional<TrainOptions> options; ///< Nothing: print `text` and exit with `exitCode`.
  std::string text;
  int exitCode = 0;
};

/// Reads the command line. `description` says what the executable trains; it is the first line of
/// --help.
ParsedOptions parseOptions(int argc, const char *const *argv, const std::string &description);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_OPTIONS_H
