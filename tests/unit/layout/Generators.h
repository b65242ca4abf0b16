//===- Generators.h - Arbitrary meshes, shapes and legal layouts -----------------------------===//
//
// Called inside a rapidcheck property; each draw shrinks.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_LAYOUT_GENERATORS_H
#define VESCALE_TESTS_UNIT_LAYOUT_GENERATORS_H

#include "layout/Layout.h"

namespace vescale::layout {

/// An integer of [least, most].
int64_t arbitraryInteger(int64_t least, int64_t most);

/// One to three axes, at most `mostDevices` devices; sometimes with device ids out of order.
Mesh arbitraryMesh(int64_t mostDevices = 24);

/// Up to `mostRank` dims of sizes that often divide and sometimes do not, with 0 and 1 among them.
Shape arbitraryShape(int mostRank = 3);

/// A layout that is legal for the shape: any mixture of whole axes and sub-axes that cut plainly,
/// interleaved or in blocks, of partial axes and a ragged one.
Layout arbitraryLayout(const Mesh &mesh, const Shape &shape);

} // namespace vescale::layout

#endif
