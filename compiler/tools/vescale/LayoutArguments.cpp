#include "compiler/tools/vescale/LayoutArguments.h"

#include "layout/Legality.h"
#include "layout/Parse.h"
#include "layout/Placement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vescale::tools {

using namespace vescale::layout;

static Status wrong(const std::string &option, const std::string &text, const Status &why) {
  return Status::error(fmt::format("{} '{}': {}", option, text, why.message()));
}

StatusOr<Mesh> readMesh(const std::string &option, const std::string &text) {
  StatusOr<Mesh> mesh = parseMesh(text);
  return mesh.ok() ? mesh : wrong(option, text, mesh.status());
}

StatusOr<Shape> readShape(const std::string &option, const std::string &text) {
  StatusOr<Shape> shape = parseShape(text);
  return shape.ok() ? shape : wrong(option, text, shape.status());
}

StatusOr<Layout> readLayout(const std::string &option, const std::string &text, const Mesh &mesh,
                            const Shape &shape) {
  StatusOr<Layout> layout = parseLayoutOrPlacements(mesh, shape.size(), text);
  if (!layout.ok())
    return wrong(option, text, layout.status());
  if (Status legal = checkLegal(*layout, shape); !legal.ok())
    return wrong(option, text, legal);
  return layout;
}

std::string describeShape(const Shape &shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::string describeCoordinate(const Mesh &mesh, const Coordinate &coordinate) {
  std::string text;
  for (int axis = 0; axis < mesh.rank(); ++axis)
    text += fmt::format("{}{}={}", axis ? ", " : "", mesh.axis(axis).name, coordinate[axis]);
  return text;
}

} // namespace vescale::tools
