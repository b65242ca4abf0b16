//===- Legality.h - Which layouts a mesh and a shape allow -----------------------------------===//
//
// Two halves: what no shape is needed for holds for every Layout object, as Layout::get checks it;
// what depends on sizes is asked with the shape. Every refusal names the dim or part, the axis, the
// sizes and the rule that is broken.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_LEGALITY_H
#define VESCALE_LAYOUT_LEGALITY_H

#include "layout/Layout.h"

namespace vescale::layout {

/// The rules without sizes; see Layout::get.
Status checkParts(const Mesh &mesh, const std::vector<Dim> &dims,
                  const std::optional<Partial> &partial, const std::optional<Ragged> &ragged);

/// The rules with sizes: one dim of the layout for each dim of the shape, sizes not negative and
/// their product below 2^63; interleaved cuts divide everything that is left for them; beside a
/// ragged cut all others are even and spare the flattened dims after dim 0; the units divide the
/// flattened length.
Status checkLegal(const Layout &layout, const Shape &shape);

/// The number of elements of a legal shape.
int64_t elementCount(const Shape &shape);

} // namespace vescale::layout

#endif
