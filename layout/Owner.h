//===- Owner.h - Who holds an element: the inverse of a region -------------------------------===//
#ifndef VESCALE_LAYOUT_OWNER_H
#define VESCALE_LAYOUT_OWNER_H

#include "layout/Layout.h"

namespace vescale::layout {

/// The indices along layout.shardingAxes(), in that order, of the devices that hold an element:
/// exactly one for each axis. Devices that differ only in other axes hold replicas, or, along
/// partial axes, contributions. Requires 0 <= element[d] < shape[d].
std::vector<int64_t> ownerIndices(const Layout &layout, const Shape &shape,
                                  const std::vector<int64_t> &element);

/// The first of these devices: unused and partial axes at 0.
Coordinate owner(const Layout &layout, const Shape &shape, const std::vector<int64_t> &element);

/// The positions of all of these devices, ascending; the time is that of writing them.
std::vector<int64_t> owners(const Layout &layout, const Shape &shape,
                            const std::vector<int64_t> &element);

} // namespace vescale::layout

#endif
