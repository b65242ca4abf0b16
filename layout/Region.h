//===- Region.h - What a device holds of a tensor, and where -------------------------------===//
//
// A device stores its part of a tensor as a row-major array of its local shape. The region lists
// that part as boxes of the global tensor, each with its place in the local array. All functions
// take a legal pair of layout and shape (checkLegal) and a coordinate of the layout's mesh.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_REGION_H
#define VESCALE_LAYOUT_REGION_H

#include "layout/Box.h"
#include "layout/Cutting.h"
#include "layout/Layout.h"

namespace vescale::layout {

/// The interval of a dim that a device holds where no cut of the dim interleaves, before a ragged
/// cut. An empty one stands at the end of the piece it is cut from.
Interval dimInterval(const Layout &layout, const Shape &shape, int dim,
                     const Coordinate &coordinate);

/// What the cuts of a dim leave on a device, before a ragged cut.
int64_t cutLength(const Layout &layout, const Shape &shape, int dim, const Coordinate &coordinate);
Shape cutShape(const Layout &layout, const Shape &shape, const Coordinate &coordinate);

/// The local shape: cutShape, or one dim of elements for a ragged layout.
Shape localShape(const Layout &layout, const Shape &shape, const Coordinate &coordinate);
int64_t localElements(const Layout &layout, const Shape &shape, const Coordinate &coordinate);

/// How a ragged layout divides what the cuts left, the same on every device because the cuts are
/// even: `slices` slices of `sliceElements` elements, `unitSlices` slices for each unit.
struct RaggedDivision {
  int64_t slices, sliceElements, unitSlices;
};
RaggedDivision raggedDivision(const Layout &layout, const Shape &cutShape);
/// The slices that the index of the ragged axis owns.
Interval raggedSlices(const Ragged &ragged, const RaggedDivision &division, int64_t index);

/// A box of the global tensor. The local array holds its element (i, j, ...), counted from the
/// box's corner, at localOffset + i * strides[0] + j * strides[1] + ...
struct Piece {
  Box box;
  int64_t localOffset;
};

/// Pieces in ascending order of localOffset. The strides, in elements, are those of a row-major
/// array of the cut shape and hold for all pieces: a ragged shard is a contiguous part of it.
struct LocalRegion {
  std::vector<int64_t> strides;
  std::vector<Piece> pieces;
};
LocalRegion localRegion(const Layout &layout, const Shape &shape, const Coordinate &coordinate);

/// The boxes of localRegion: disjoint, one for plain cuts, one for each block for interleaved
/// ones, at most max(1, 2 * dims - 1) for ragged ones over plain dims, none for an empty shard.
std::vector<Box> region(const Layout &layout, const Shape &shape, const Coordinate &coordinate);

/// Row-major strides in elements; sizes of 0 count as 1, so that they stay meaningful.
std::vector<int64_t> rowMajorStrides(const Shape &shape);

} // namespace vescale::layout

#endif
