//===- TextScanner.h - Reads the tokens of layout texts --------------------------------------===//
//
// Shared by the parsers of meshes, layouts, wishes and placements. Each read either succeeds and
// moves on, or leaves one error that names the column; later reads then do nothing.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_TEXTSCANNER_H
#define VESCALE_LAYOUT_TEXTSCANNER_H

#include "layout/Layout.h"

#include <string>
#include <string_view>

namespace vescale::layout {

class TextScanner {
public:
  explicit TextScanner(std::string_view text) : text(text) {}

  const Status &status() const { return failure; }
  bool failed() const { return !failure.ok(); }
  /// The column, from 1, of the next token.
  int column();
  /// Records the first error; returns false so that callers can return it.
  bool fail(int column, const std::string &message);

  /// Takes a punctuation character if it comes next.
  bool consume(char c);
  /// True if it comes next; takes nothing.
  bool peek(char c);
  bool atEnd();
  /// Takes the keyword if it comes next and no longer word does.
  bool consumeWord(std::string_view word);

  /// The rest fail where the text has something else. `what` names the thing for the message.
  bool expect(char c, std::string_view what);
  bool expectEnd();
  bool word(std::string &result, std::string_view what);
  bool quoted(std::string &result, std::string_view what);
  bool integer(int64_t &result, std::string_view what);

  /// `"x"` or `"x":(2)4`.
  bool subAxis(const Mesh &mesh, SubAxis &result);
  /// What follows an opening bracket: units `5, 7, 0 x 12` up to and with `close`.
  bool units(char close, RunLengths &result);

private:
  void skipSpace();
  std::string found();

  std::string_view text;
  size_t position = 0;
  Status failure;
};

} // namespace vescale::layout

#endif
