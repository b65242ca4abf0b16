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
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vescale::analysis {

/// One change of the layout of one dim of one value.
struct LayoutDecision {
  std::string function;
  /// Names of values: of an argument or a tag its name, else the op and its location.
  std::string value;
  /// The layout after the change.
  std::string layout;
  /// The dim that was cut, and the mesh axes that now cut it and did not before.
  int dim = -1;
  std::vector<std::string> axes;
  /// The value that it was learned from, and the dim of it that has the same factor; empty where a
  /// wish gave it.
  std::string source;
  int sourceDim = -1;
  /// The op that passed it on, with its location; empty for a wish and for an edge of data flow.
  std::string through;
  /// The user priority of the round; nothing in the last one.
  std::optional<int64_t> round;
  /// The step of op priorities, from 0.
  int step = 0;
  /// "basic" or "aggressive"; "further" where a wish cuts further what has its layout already.
  std::string strategy;
};

/// All decisions of a program in the order in which they were made.
class Provenance {
public:
  void record(LayoutDecision decision) { all.push_back(std::move(decision)); }
  const std::vector<LayoutDecision> &decisions() const { return all; }

  /// Whether anything was decided of a value.
  bool knows(const std::string &function, const std::string &value) const;

  /// Why `axis` cuts a value: the decision that brought it, then the one that brought it to what
  /// that was learned from, and so on to a wish. Empty where it does not cut the value.
  std::vector<LayoutDecision> chain(const std::string &function, const std::string &value,
                                    const std::string &axis) const;

  /// The axes that cut a value in the end, in the order in which they came.
  std::vector<std::string> axesOf(const std::string &function, const std::string &value) const;

  /// What a wish is due to, as a phrase after "because": "the plan asks for it (plan.json:3)".
  using WishOrigin = std::function<std::string(const LayoutDecision &)>;

  /// The chain of an axis in sentences, one a line.
  std::string explain(const std::string &function, const std::string &value,
                      const std::string &axis, const WishOrigin &origin = nullptr) const;

  /// The chains of all axes that cut the value; a sentence where none does.
  std::string explain(const std::string &function, const std::string &value,
                      const WishOrigin &origin = nullptr) const;

  /// JSON text, and back. Reading fails with the place where the text is not what was written.
  std::string json() const;
  static layout::StatusOr<Provenance> parse(const std::string &text);

private:
  std::vector<LayoutDecision> all;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PROVENANCE_PROVENANCE_H
