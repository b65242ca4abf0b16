#include "layout/LayoutText.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace vescale::layout {

static bool scanCut(TextScanner &scanner, const Mesh &mesh, Cut &cut) {
  if (!scanner.subAxis(mesh, cut.axis))
    return false;
  if (scanner.consume('/'))
    return scanner.integer(cut.interleave, "the number of interleaved parts");
  if (scanner.consumeWord("by"))
    return scanner.integer(cut.block, "the size of a block");
  return true;
}

std::string meanRefusal() {
  return "a mean over uneven shards is not the mean of means; write sum and scale by the global "
         "count";
}

static bool scanPartial(TextScanner &scanner, const Mesh &mesh, std::optional<Partial> &partial) {
  if (!scanner.expect('[', "before the partial axes"))
    return false;
  partial = Partial();
  bool first = true;
  if (scanner.peek(']'))
    return scanner.fail(scanner.column(), "partial lists no axis; leave it out");
  do {
    int start = scanner.column();
    std::string name;
    if (!scanner.word(name, "a reduction"))
      return false;
    std::optional<Reduction> reduction = reductionNamed(name);
    if (!reduction) {
      bool mean = name == "mean" || name == "avg";
      return scanner.fail(
          start, fmt::format("unknown reduction `{}`: {}", name,
                             mean ? meanRefusal() : "known are sum, max, min, prod, and, or"));
    }
    SubAxis axis;
    if (!scanner.expect(':', "after the reduction") || !scanner.subAxis(mesh, axis))
      return false;
    for (const SubAxis &other : partial->axes)
      if (overlaps(axis, other))
        return scanner.fail(start, fmt::format("partial: axis used twice: {} overlaps {}",
                                               str(mesh, axis), str(mesh, other)));
    if (!first && *reduction != partial->reduction)
      return scanner.fail(
          start,
          fmt::format("partial by {} and by {} on one value has no defined order; reduce one "
                      "of them first",
                      str(partial->reduction), name));
    partial->reduction = *reduction;
    partial->axes.push_back(axis);
    first = false;
  } while (scanner.consume(','));
  return scanner.expect(']', "after the partial axes");
}

static bool scanRagged(TextScanner &scanner, const Mesh &mesh, std::optional<Ragged> &ragged) {
  ragged = Ragged();
  auto keyword = [&](std::string_view word) {
    return scanner.expect(',', fmt::format("before `{} =`", word)) &&
           (scanner.consumeWord(word) ||
            scanner.fail(scanner.column(), fmt::format("expected `{} =`", word))) &&
           scanner.expect('=', fmt::format("after `{}`", word));
  };
  int64_t dims = 0;
  if (!scanner.expect('{', "before the ragged axis") || !scanner.subAxis(mesh, ragged->axis) ||
      !keyword("dims"))
    return false;
  int start = scanner.column();
  if (!scanner.integer(dims, "the number of flattened dims"))
    return false;
  if (dims < 0 || dims > std::numeric_limits<int>::max())
    return scanner.fail(start, fmt::format("ragged dims = {} is not a number of dims", dims));
  ragged->dims = static_cast<int>(dims);
  return keyword("units") && scanner.expect('[', "before the units") &&
         scanner.units(']', ragged->units) && scanner.expect('}', "after the ragged part");
}

/// `p3` behind a dim.
static bool scanPriority(TextScanner &scanner, std::optional<int64_t> &priority) {
  int start = scanner.column();
  std::string word;
  if (!scanner.word(word, "a priority"))
    return false;
  int64_t value = 0;
  const char *end = word.data() + word.size();
  auto [after, error] = std::from_chars(word.data() + 1, end, value);
  if (word[0] != 'p' || word.size() == 1 || after != end || error != std::errc())
    return scanner.fail(start, fmt::format("`{}` is no priority; write p and a number: p0", word));
  priority = value;
  return true;
}

static bool scanDim(TextScanner &scanner, const Mesh &mesh, bool isWish, DimText &dim) {
  if (!scanner.expect('{', "before the axes of a dim"))
    return false;
  if (!scanner.peek('}'))
    do {
      int start = scanner.column();
      if (scanner.consume('?')) {
        if (!isWish)
          return scanner.fail(start, "`?` leaves a dim open, which is a wish; a layout is closed");
        dim.open = true;
        break; // nothing stands behind it
      }
      Cut cut;
      if (!scanCut(scanner, mesh, cut))
        return false;
      dim.cuts.push_back(cut);
    } while (scanner.consume(','));
  if (!scanner.expect('}', dim.open ? "after `?`, which is the last of a dim"
                                    : "after the axes of a dim"))
    return false;
  if (isWish && scanner.peek('p'))
    return scanPriority(scanner, dim.priority);
  return true;
}

static bool scanReplicated(TextScanner &scanner, const Mesh &mesh, std::vector<SubAxis> &axes) {
  if (!scanner.expect('[', "before the replicated axes"))
    return false;
  if (scanner.peek(']'))
    return scanner.fail(scanner.column(), "replicated lists no axis; leave it out");
  do {
    axes.emplace_back();
    if (!scanner.subAxis(mesh, axes.back()))
      return false;
  } while (scanner.consume(','));
  return scanner.expect(']', "after the replicated axes");
}

bool scanLayoutText(TextScanner &scanner, const Mesh &mesh, bool isWish, LayoutText &result) {
  if (!scanner.expect('[', "before the dims"))
    return false;
  if (!scanner.peek(']'))
    do {
      result.dims.emplace_back();
      if (!scanDim(scanner, mesh, isWish, result.dims.back()))
        return false;
    } while (scanner.consume(','));
  if (!scanner.expect(']', "after the dims"))
    return false;
  const char *known = isWish ? "`partial`, `ragged` or `replicated`" : "`partial` or `ragged`";
  while (scanner.consume(',')) {
    int start = scanner.column();
    std::string word;
    if (!scanner.word(word, known))
      return false;
    bool again = (word == "partial" && result.partial) || (word == "ragged" && result.ragged) ||
                 (word == "replicated" && !result.replicated.empty());
    if (again)
      return scanner.fail(start, fmt::format("`{}` is given twice", word));
    if (word == "replicated" && !isWish)
      return scanner.fail(start, "`replicated` is a wish; in a layout an unused axis replicates");
    if (word != "partial" && word != "ragged" && word != "replicated")
      return scanner.fail(start, fmt::format("expected {}, found `{}`", known, word));
    if (!scanner.expect('=', "after `" + word + "`"))
      return false;
    bool read = word == "partial"  ? scanPartial(scanner, mesh, result.partial)
                : word == "ragged" ? scanRagged(scanner, mesh, result.ragged)
                                   : scanReplicated(scanner, mesh, result.replicated);
    if (!read)
      return false;
  }
  return true;
}

} // namespace vescale::layout
