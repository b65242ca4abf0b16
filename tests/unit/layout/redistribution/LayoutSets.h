//===- LayoutSets.h - All layouts of a shape on a mesh ---------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_LAYOUT_REDISTRIBUTION_LAYOUTSETS_H
#define VESCALE_TESTS_UNIT_LAYOUT_REDISTRIBUTION_LAYOUTSETS_H

#include "layout/Layout.h"

#include <vector>

namespace vescale::layout {

/// Every layout of plain cuts and a partial sum, over every way to take the axes apart, each once
/// (layouts with the same cuts after merging are one).
std::vector<Layout> plainLayouts(const Mesh &mesh, const Shape &shape);

/// Some legal layouts with interleaved, block and ragged cuts, beside plain ones.
std::vector<Layout> specialLayouts(const Mesh &mesh, const Shape &shape);

} // namespace vescale::layout

#endif
