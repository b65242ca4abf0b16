//===- EinsumSpec.h - The letters of a contraction -----------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_EINSUMSPEC_H
#define VESCALE_DIALECTS_VS_EINSUMSPEC_H

#include <optional>
#include <string>
#include <string_view>

namespace vescale::vs {

/// A contraction of two tensors: one letter a dim. Only legal specs exist: `parse` makes them.
struct EinsumSpec {
  std::string lhs, rhs, out;

  /// Parses `lhs,rhs->out`. Refuses, with a message that quotes the letter, what is not a
  /// contraction of two operands: a letter twice in one operand or in the output, a letter of
  /// the output that no input has, a letter that a single input has and the output lacks.
  static std::optional<EinsumSpec> parse(std::string_view text, std::string &error);

  /// Letters in both inputs and in the output, in the output's order.
  std::string batch() const;
  /// Letters in both inputs and not in the output, in the order of lhs.
  std::string contracted() const;
  /// Letters in lhs and the output only, in the output's order.
  std::string lhsFree() const;
  /// Letters in rhs and the output only, in the output's order.
  std::string rhsFree() const;
  /// All letters: those of the output in its order, then the contracted ones.
  std::string letters() const { return out + contracted(); }

  std::string str() const { return lhs + "," + rhs + "->" + out; }
  bool operator==(const EinsumSpec &other) const {
    return lhs == other.lhs && rhs == other.rhs && out == other.out;
  }
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_EINSUMSPEC_H
