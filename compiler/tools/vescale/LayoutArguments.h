/// Reading of --mesh, --shape and layouts. Each error names the option, its text, and what is
/// wrong.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_LAYOUTARGUMENTS_H
#define VESCALE_COMPILER_TOOLS_VESCALE_LAYOUTARGUMENTS_H

#include "layout/Layout.h"

#include <string>
#include <vector>

namespace vescale::tools {

/// `x=2,y=4`.
layout::StatusOr<layout::Mesh> readMesh(const std::string &option, const std::string &text);

/// `10x6`; the empty text is a scalar.
layout::StatusOr<layout::Shape> readShape(const std::string &option, const std::string &text);

/// A layout that is legal for the shape, as `[{"x"}, {}]` or, one placement for each mesh axis, as
/// `[S(0), R]`.
layout::StatusOr<layout::Layout> readLayout(const std::string &option, const std::string &text,
                                            const layout::Mesh &mesh, const layout::Shape &shape);

/// `10x6`; `scalar` for a shape without dims.
std::string describeShape(const layout::Shape &shape);

/// `x=0, y=2`.
std::string describeCoordinate(const layout::Mesh &mesh, const layout::Coordinate &coordinate);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_LAYOUTARGUMENTS_H
