//===- Collectives.h - The collectives of a model under a plan, counted -----------------------===//
//
// Runs a model through the compiler up to its collectives and counts them. Bytes are what the
// busiest device receives, from the sizes of its pieces alone: this shares no formula with the
// planner.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_TESTS_E2E_COLLECTIVES_COLLECTIVES_H
#define VESCALE_TESTS_E2E_COLLECTIVES_COLLECTIVES_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace vescale::tests {

struct Amount {
  int64_t count = 0;
  double bytes = 0;

  void add(int64_t more, double bytesOfEach) {
    count += more;
    bytes += static_cast<double>(more) * bytesOfEach;
  }
};

/// By kind ("all_reduce") and axes ("dp,tp").
using Collectives = std::map<std::pair<std::string, std::string>, Amount>;

/// The collectives of one training step of the model text; empty, with diagnostics on standard
/// error, where it cannot be compiled.
Collectives collectivesOf(const std::string &model, const std::string &planFile,
                          const std::string &clusterFile = "");

/// What leads to a mesh of n devices: of a local piece before (all_reduce, reduce_scatter) or
/// after (all_gather) the collective.
double allReduceBytes(double local, double n);
double scatterBytes(double local, double n);

/// Prints both, one line per kind and axes, and returns the lines on which more happens than the
/// known minimum; empty where nothing does.
std::string compareWithMinimum(const std::string &title, const Collectives &found,
                               const Collectives &minimum);

} // namespace vescale::tests

#endif // VESCALE_TESTS_E2E_COLLECTIVES_COLLECTIVES_H
