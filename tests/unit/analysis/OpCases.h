//===- OpCases.h - Every op of vs, once ----------------------------------------------------===//
//
// One small function per op and per mode of an op, in f64. Tests of whole dialects walk over them
// and fail for an op that has no case.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_TESTS_UNIT_ANALYSIS_OPCASES_H
#define VESCALE_TESTS_UNIT_ANALYSIS_OPCASES_H

#include <cstdint>
#include <string>
#include <vector>

namespace vescale::analysis {

struct OpCase {
  std::string name;
  /// Types of arguments, without `tensor<>`; those of other types as they are.
  std::vector<std::string> arguments;
  std::vector<std::string> results;
  /// The op, without its types where it has no region; its operands are the arguments %a, %b, ...
  std::string op;
  /// Where its real operands lie.
  double low = -2, high = 2;
  /// Its integer operands lie in [0, integersBelow).
  int64_t integersBelow = 4;

  /// A module with the function @f; f64 is replaced by `element`.
  std::string module(const std::string &element = "f64") const;
};

const std::vector<OpCase> &opCases();

} // namespace vescale::analysis

#endif // VESCALE_TESTS_UNIT_ANALYSIS_OPCASES_H
