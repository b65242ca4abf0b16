#include "layout/Parse.h"

#include "layout/TextScanner.h"

#include <fmt/format.h>
#include <limits>

namespace vescale::layout {

static bool scanMesh(TextScanner &scanner, std::vector<Axis> &axes,
                     std::vector<int64_t> &deviceIds) {
  auto scanDeviceIds = [&] {
    if (!scanner.expect('=', "after device_ids") || !scanner.expect('[', "before the device ids"))
      return false;
    do {
      int64_t id;
      if (!scanner.integer(id, "a device id"))
        return false;
      deviceIds.push_back(id);
    } while (scanner.consume(','));
    return scanner.expect(']', "after the device ids");
  };
  if (scanner.consume('[')) {
    if (!scanner.peek(']'))
      do {
        Axis axis;
        if (!scanner.quoted(axis.name, "an axis name") ||
            !scanner.expect('=', "between an axis and its size") ||
            !scanner.integer(axis.size, "the size of an axis"))
          return false;
        axes.push_back(axis);
      } while (scanner.consume(','));
    if (!scanner.expect(']', "after the axes"))
      return false;
    if (scanner.consume(',')) {
      if (!scanner.consumeWord("device_ids"))
        return scanner.fail(scanner.column(), "expected `device_ids` after the axes");
      return scanDeviceIds();
    }
    return true;
  }
  do {
    if (scanner.consumeWord("device_ids"))
      return scanDeviceIds();
    Axis axis;
    if (!scanner.word(axis.name, "an axis name") ||
        !scanner.expect('=', "between an axis and its size") ||
        !scanner.integer(axis.size, "the size of an axis"))
      return false;
    axes.push_back(axis);
  } while (scanner.consume(','));
  return true;
}

StatusOr<Mesh> parseMesh(std::string_view text) {
  TextScanner scanner(text);
  std::vector<Axis> axes;
  std::vector<int64_t> deviceIds;
  if (!scanMesh(scanner, axes, deviceIds) || !scanner.expectEnd())
    return scanner.status();
  return Mesh::get(std::move(axes), std::move(deviceIds));
}

bool scanCut(TextScanner &scanner, const Mesh &mesh, Cut &cut) {
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

bool scanPartial(TextScanner &scanner, const Mesh &mesh, std::optional<Partial> &partial) {
  if (!scanner.expect('[', "before the partial axes"))
    return false;
  partial = Partial();
  bool first = true;
  if (scanner.consume(']'))
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

bool scanRagged(TextScanner &scanner, const Mesh &mesh, std::optional<Ragged> &ragged) {
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

StatusOr<Layout> parseLayout(const Mesh &mesh, std::string_view text) {
  TextScanner scanner(text);
  std::vector<Dim> dims;
  std::optional<Partial> partial;
  std::optional<Ragged> ragged;
  auto scanDim = [&] {
    if (!scanner.expect('{', "before the axes of a dim"))
      return false;
    dims.emplace_back();
    if (scanner.consume('}'))
      return true;
    do {
      if (scanner.peek('?'))
        return scanner.fail(scanner.column(),
                            "`?` leaves a dim open, which is a wish; a layout is closed");
      Cut cut;
      if (!scanCut(scanner, mesh, cut))
        return false;
      dims.back().push_back(cut);
    } while (scanner.consume(','));
    return scanner.expect('}', "after the axes of a dim");
  };
  if (!scanner.expect('[', "before the dims"))
    return scanner.status();
  if (!scanner.peek(']'))
    do {
      if (!scanDim())
        return scanner.status();
    } while (scanner.consume(','));
  if (!scanner.expect(']', "after the dims"))
    return scanner.status();
  while (scanner.consume(',')) {
    int start = scanner.column();
    std::string word;
    if (!scanner.word(word, "`partial` or `ragged`"))
      return scanner.status();
    if (word != "partial" && word != "ragged") {
      scanner.fail(start, fmt::format("expected `partial` or `ragged`, found `{}`", word));
      return scanner.status();
    }
    bool again = word == "partial" ? partial.has_value() : ragged.has_value();
    if (again)
      scanner.fail(start, fmt::format("`{}` is given twice", word));
    if (!scanner.expect('=', "after `" + word + "`"))
      return scanner.status();
    if (!(word == "partial" ? scanPartial(scanner, mesh, partial)
                            : scanRagged(scanner, mesh, ragged)))
      return scanner.status();
  }
  if (!scanner.expectEnd())
    return scanner.status();
  return Layout::get(mesh, std::move(dims), std::move(partial), std::move(ragged));
}

StatusOr<Shape> parseShape(std::string_view text) {
  TextScanner scanner(text);
  Shape shape;
  if (!scanner.atEnd())
    do {
      int start = scanner.column();
      int64_t size;
      if (!scanner.integer(size, "the size of a dim"))
        return scanner.status();
      if (size < 0)
        return Status::errorAt(start,
                               fmt::format("dim {} has the negative size {}", shape.size(), size));
      shape.push_back(size);
    } while (scanner.consume('x'));
  if (!scanner.expectEnd())
    return scanner.status();
  return shape;
}

} // namespace vescale::layout
