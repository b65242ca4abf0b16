//===- Provenance.h - Which decision gave a value its layout ---------------------------------===//
//
// Placement records why each value is laid out as it is: which wish or which other value it
// learned from, through which op, in which round. What is recorded is text, so that it can be
// kept beside a compiled program and asked long after the IR is gone.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_PROVENANCE_PROVENANCE_H
#define VESCALE_ANALYSIS_PROVENANCE_PROVENANCE_H

#include "layout/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale::analysis {

/// One change of the layout of one value.
struct LayoutDecision {
  std::string function;
  /// Names of values: of an argument or a tag its name, else the op and its location.
  std::string value;
  /// The layout after the change.
  std::string layout;
  /// The value that it was learned from; empty where a wish gave it.
  std::string source;
  /// The op that passed it on, with its location; empty for a wish and for an edge of data flow.
  std::string through;
  /// The user priority of the round; nothing in the last one.
  std::optional<int64_t> round;
  /// The step of op priorities, from 0.
  int step = 0;
  /// "basic" or "aggressive".
  std::string strategy;
};

/// All decisions of a program in the order in which they were made.
class Provenance {
public:
  void record(LayoutDecision decision) { all.push_back(std::move(decision)); }
  const std::vector<LayoutDecision> &decisions() const { return all; }

  /// The decisions that lead to the layout of a value, the last one first: its own, then those of
  /// what it was learned from before that. Empty where the value has none.
  std::vector<LayoutDecision> chain(const std::string &function, const std::string &value) const;

  /// The chain in sentences, one a line.
  std::string explain(const std::string &function, const std::string &value) const;

  /// JSON text, and back. Reading fails with the place where the text is not what was written.
  std::string json() const;
  static layout::StatusOr<Provenance> parse(const std::string &text);

private:
  std::vector<LayoutDecision> all;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PROVENANCE_PROVENANCE_H
