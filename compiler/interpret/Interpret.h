//===- Interpret.h - Runs a module file on the reference interpreter ------------------------===//

#ifndef VESCALE_COMPILER_INTERPRET_INTERPRET_H
#define VESCALE_COMPILER_INTERPRET_INTERPRET_H

#include "layout/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vescale {

struct InterpretOptions {
  std::string file;
  /// Empty: `loss`, else `step`, else the only function.
  std::string function;
  /// `name=random|iota|zeros|ones|NUMBER|FILE`; the name is an argument's `vs.name` or number.
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  /// Counted from 0.
  int64_t step = 0;
  /// Integers of random and counted inputs lie in [0, integersBelow).
  int64_t integersBelow = 8;
  /// Results are rounded to their types after each op.
  bool declaredTypes = false;
  /// Layouts are ignored.
  bool oneDevice = false;
  /// Names of results, arguments or tags; empty: all results.
  std::vector<std::string> print;
  /// A second module, or the same with layouts ignored, whose results must be equal.
  std::string compare;
  bool compareOneDevice = false;
  double tolerance = 0;
};

/// Prints values, or compares results and prints the largest difference. Returns the exit status: 1
/// where results differ by more than the tolerance, else 0. Fails where the input is wrong.
layout::StatusOr<int> interpretFile(const InterpretOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_INTERPRET_INTERPRET_H
