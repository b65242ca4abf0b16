//===- Canonical.h - One way of writing the same layout --------------------------------------===//
#ifndef VESCALE_LAYOUT_CANONICAL_H
#define VESCALE_LAYOUT_CANONICAL_H

#include "layout/Layout.h"

namespace vescale::layout {

/// The same layout, for tensors of this shape, with axes of size 1 dropped from cuts and partial
/// and with neighbouring sub-axes merged where that changes no region. Two layouts with equal
/// canonical forms store every element at the same place of the same devices, so that changing one
/// into the other is no work.
Layout canonical(const Layout &layout, const Shape &shape);

} // namespace vescale::layout

#endif
