//===- ProgramWriter.h - Text of a random program, and what is known of its values ----------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_PROGRAMWRITER_H
#define VESCALE_TESTS_DIFFERENTIAL_PROGRAMWRITER_H

#include "tests/differential/Choice.h"

#include <functional>
#include <string>
#include <vector>

namespace vescale::analysis {

using Sizes = std::vector<int64_t>;

/// A value of the program. Its elements are multiples of 2^-grid of absolute value at most `bound`.
struct Written {
  std::string name;
  std::string element;
  Sizes shape;
  double bound = 2;
  int grid = 3;
  /// Whether a loss may depend on it: its elements are finite, and its op has an adjoint.
  bool differentiable = true;

  bool isReal() const { return element[0] == 'f'; }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  std::string type() const;
};

std::string typeOf(const std::string &element, const Sizes &shape);
std::string listOf(const Sizes &numbers);
int64_t elementsOf(const Sizes &shape);

class ProgramWriter {
public:
  ProgramWriter(Choice &choice, std::function<bool(const std::string &)> supported);

  Choice &choice;
  /// Whether a loss may depend on all values that are used again.
  bool isModel = false;
  /// f32 or f64: the type of all real values but casts.
  std::string real;
  /// The bits that exact values may need: the significand of the type has a few more.
  int bits() const { return real == "f32" ? 22 : 40; }

  /// Whether an op of vs, by its mnemonic, may be used.
  bool supports(const std::string &op) const { return supported("vs." + op); }

  Sizes randomShape(int64_t minimalRank = 0);
  /// A value of this type: one that is there, or a new argument.
  Written value(const std::string &element, const Sizes &shape);
  Written argument(const std::string &element, const Sizes &shape);
  /// A real value of any shape with at least so many dims, none of which is empty if asked for.
  Written anyReal(int64_t minimalRank = 0, bool notEmpty = false);
  std::string generator();
  Written constant(const std::string &element, const Sizes &shape, double number);

  /// Writes `%v = vs.<op> <text> : types`, `text` with the operands in it, and returns the result,
  /// which later ops may use if `reusable`.
  Written write(const std::string &op, const std::string &text,
                const std::vector<Written> &operands, Written result, bool reusable = true);
  /// The same for ops of several results, or of operands that are no tensors.
  std::vector<Written> writeMany(const std::string &op, const std::string &text,
                                 const std::vector<std::string> &operandTypes,
                                 std::vector<Written> results, const std::vector<bool> &reusable);
  void line(const std::string &text) { lines += "  " + text + "\n"; }
  std::string freshName() { return "%v" + std::to_string(next++); }
  void keep(const Written &value) { pool.push_back(value); }

  /// The value clamped to [-limit, limit] where it may be larger.
  Written bounded(Written x, double limit = 2, bool reusable = true);
  /// The value rounded to multiples of 1/8. The rounding of an inexact value has the attribute
  /// `rounds_inexact`: it may flip where the value lies close to the middle between two multiples.
  Written onGrid(Written x, bool inexact = false);
  /// A value with few bits: bounded and on the grid where it has many.
  Written tame(Written x);
  /// For an op whose results are no dyadic numbers: the op's result, rounded onto the grid where
  /// that can be written.
  void writeInexact(const std::string &op, const std::string &text,
                    const std::vector<Written> &operands, Written result);

  /// The function @f of all values that nothing could use, and of the last others.
  std::string finishProgram();
  /// The model @loss: its loss is the sum of all reals that it may depend on, each weighted by a batch argument.
  std::string finishModel();

private:
  std::string finish(const std::string &name, const std::vector<std::string> &attributes);

  std::function<bool(const std::string &)> supported;
  std::vector<Written> arguments, pool, outputs;
  std::string lines, rng;
  int next = 0;
};

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_PROGRAMWRITER_H
