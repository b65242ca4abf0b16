//===- MostMissing.h - What the busiest device receives ---------------------------------------===//
//
// The largest count of elements over all devices, exact for all legal layouts. Devices are not
// visited one by one: a cut gives an axis at most three lengths, so that whole ranges of its
// indices are alike (as in RankClass.h), and one device of each range stands for it. Only axes
// along which two different cuts of one dim meet are looked at index by index, and mostly not to
// the end: a device that holds the largest part of the target and had nothing of it is as busy as
// any can be.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_MOSTMISSING_H
#define VESCALE_LAYOUT_MOSTMISSING_H

#include "layout/Layout.h"

namespace vescale::layout {

class Transfer;

/// The most elements that a device holds.
int64_t mostHeld(const Layout &layout, const Shape &shape);

/// The most elements by which what a device holds shrinks. Both layouts are on one mesh.
int64_t mostLost(const Layout &before, const Layout &after, const Shape &shape);

/// The most elements that a device holds after and does not hold before, whatever is partial. The
/// layouts may be on two meshes: then a device is known by its id.
int64_t mostMissing(const Layout &before, const Layout &after, const Shape &shape);

/// The most elements that a device receives in an exchange, each contribution counted: the largest
/// of transfer.receive(...).missingElements().
int64_t mostReceived(const Transfer &transfer);

} // namespace vescale::layout

#endif
