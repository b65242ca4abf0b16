#include "layout/Parse.h"

#include "layout/LayoutText.h"
#include "layout/TextScanner.h"

#include <fmt/format.h>

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

StatusOr<Layout> parseLayout(const Mesh &mesh, std::string_view text) {
  TextScanner scanner(text);
  LayoutText parts;
  if (!scanLayoutText(scanner, mesh, /*isWish=*/false, parts) || !scanner.expectEnd())
    return scanner.status();
  std::vector<Dim> dims;
  for (DimText &dim : parts.dims)
    dims.push_back(std::move(dim.cuts));
  return Layout::get(mesh, std::move(dims), std::move(parts.partial), std::move(parts.ragged));
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
