/// A tensor as a picture of who holds what.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_LAYOUTPICTURE_H
#define VESCALE_COMPILER_TOOLS_VESCALE_LAYOUTPICTURE_H

#include "layout/Layout.h"

#include <string>

namespace vescale::tools {

/// The tensor as a grid, its last dim from left to right, the others from top to bottom; each cell
/// names the first rank that holds it. Large tensors are sampled. Below the grid: what each set of
/// ranks that hold the same elements has, and what is partial.
std::string drawLayout(const layout::Layout &layout, const layout::Shape &shape);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_LAYOUTPICTURE_H
