//===- Parse.h - Meshes and layouts from text ------------------------------------------------===//
//
// Errors name the column, from 1, and what was expected there. Printing and parsing are inverse:
// parse(x.str()) == x. White space between tokens does not matter.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_PARSE_H
#define VESCALE_LAYOUT_PARSE_H

#include "layout/Layout.h"

#include <string_view>

namespace vescale::layout {

/// `x=2,y=4` as on a command line, or `["x" = 2, "y" = 4]`; both may be followed by
/// `, device_ids = [3, 2, 1, 0]`.
StatusOr<Mesh> parseMesh(std::string_view text);

/// `[{"x"}, {}], partial = [sum: "y"], ragged = {"z", dims = 1, units = [1, 2]}`.
StatusOr<Layout> parseLayout(const Mesh &mesh, std::string_view text);

/// Sizes joined by `x`: `10x6`. The empty text is the shape of a scalar.
StatusOr<Shape> parseShape(std::string_view text);

} // namespace vescale::layout

#endif
