#include "layout/TextScanner.h"

#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace vescale::layout {

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

void TextScanner::skipSpace() {
  while (position < text.size() && std::isspace(static_cast<unsigned char>(text[position])))
    ++position;
}

int TextScanner::column() {
  skipSpace();
  return static_cast<int>(position) + 1;
}

std::string TextScanner::found() {
  skipSpace();
  if (position == text.size())
    return "the end of the text";
  size_t end = position;
  while (end < text.size() && isWordCharacter(text[end]))
    ++end;
  return fmt::format("`{}`", text.substr(position, std::max<size_t>(end - position, 1)));
}

bool TextScanner::fail(int column, const std::string &message) {
  if (!failed())
    failure = Status::errorAt(column, message);
  return false;
}

bool TextScanner::peek(char c) {
  skipSpace();
  return !failed() && position < text.size() && text[position] == c;
}

bool TextScanner::consume(char c) {
  if (!peek(c))
    return false;
  ++position;
  return true;
}

bool TextScanner::atEnd() {
  skipSpace();
  return position == text.size();
}

bool TextScanner::consumeWord(std::string_view word) {
  skipSpace();
  if (failed() || text.substr(position, word.size()) != word)
    return false;
  size_t end = position + word.size();
  if (end < text.size() && isWordCharacter(text[end]))
    return false;
  position = end;
  return true;
}

bool TextScanner::expect(char c, std::string_view what) {
  if (failed())
    return false;
  return consume(c) || fail(column(), fmt::format("expected `{}` {}, found {}", c, what, found()));
}

bool TextScanner::expectEnd() {
  if (failed())
    return false;
  return atEnd() || fail(column(), fmt::format("expected the end of the text, found {}", found()));
}

bool TextScanner::word(std::string &result, std::string_view what) {
  skipSpace();
  size_t end = position;
  while (end < text.size() && isWordCharacter(text[end]))
    ++end;
  if (failed() || end == position || std::isdigit(static_cast<unsigned char>(text[position])))
    return fail(column(), fmt::format("expected {}, found {}", what, found()));
  result = text.substr(position, end - position);
  position = end;
  return true;
}

bool TextScanner::quoted(std::string &result, std::string_view what) {
  if (failed() || !peek('"'))
    return fail(column(), fmt::format("expected {} in quotes, found {}", what, found()));
  size_t end = text.find('"', position + 1);
  if (end == std::string_view::npos)
    return fail(column(), fmt::format("{} has no closing quote", what));
  result = text.substr(position + 1, end - position - 1);
  position = end + 1;
  return true;
}

bool TextScanner::integer(int64_t &result, std::string_view what) {
  skipSpace();
  if (failed())
    return false;
  const char *begin = text.data() + position, *end = text.data() + text.size();
  auto [after, error] = std::from_chars(begin, end, result);
  if (error == std::errc::result_out_of_range)
    return fail(column(), fmt::format("{} does not fit in 64 bits", what));
  if (error != std::errc())
    return fail(column(), fmt::format("expected {}, found {}", what, found()));
  position += after - begin;
  return true;
}

bool TextScanner::subAxis(const Mesh &mesh, SubAxis &result) {
  int start = column();
  std::string name;
  if (!quoted(name, "an axis name"))
    return false;
  std::optional<int> axis = mesh.axisIndex(name);
  if (!axis)
    return fail(start, fmt::format("unknown axis \"{}\"; the mesh is {}", name, mesh.str()));
  result = wholeAxis(mesh, *axis);
  if (!consume(':'))
    return true;
  if (!expect('(', "before the size in front of a sub-axis") ||
      !integer(result.pre, "the size in front of a sub-axis") ||
      !expect(')', "after the size in front of a sub-axis") ||
      !integer(result.size, "the size of a sub-axis"))
    return false;
  Status legal = checkSubAxis(mesh, result);
  return legal.ok() || fail(start, legal.message());
}

bool TextScanner::units(char close, RunLengths &result) {
  std::vector<RunLengths::Run> runs;
  if (consume(close)) {
    result = RunLengths();
    return true;
  }
  do {
    // A tuple of one may end in a comma, as Python writes it.
    if (close == ')' && !runs.empty() && peek(close))
      break;
    RunLengths::Run run{0, 1};
    if (!integer(run.value, "a unit"))
      return false;
    if (consumeWord("x")) {
      int start = column();
      if (!integer(run.count, "the length of a run of units"))
        return false;
      if (run.count < 1)
        return fail(start, fmt::format("a run of {} units; it has at least 1", run.count));
    }
    runs.push_back(run);
  } while (consume(','));
  result = RunLengths(runs);
  return expect(close, "after the units");
}

} // namespace vescale::layout
