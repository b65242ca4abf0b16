#include "layout/Region.h"

#include <algorithm>
#include <cassert>

namespace vescale::layout {

Interval dimInterval(const Layout &layout, const Shape &shape, int dim,
                     const Coordinate &coordinate) {
  Interval result{0, shape[dim]};
  for (const Cut &cut : layout.dim(dim)) {
    assert(cut.interleave == 1 && "an interleaved dim is not one interval");
    Interval own = chunk(result.length(), cut.axis.size, cut.block,
                         indexAlong(layout.mesh(), cut.axis, coordinate));
    result = {result.begin + own.begin, result.begin + own.end};
  }
  return result;
}

int64_t cutLength(const Layout &layout, const Shape &shape, int dim, const Coordinate &coordinate) {
  int64_t length = shape[dim];
  for (const Cut &cut : layout.dim(dim))
    length = cutLength(cut, length, indexAlong(layout.mesh(), cut.axis, coordinate));
  return length;
}

Shape cutShape(const Layout &layout, const Shape &shape, const Coordinate &coordinate) {
  Shape result(shape.size());
  for (int d = 0; d < layout.rank(); ++d)
    result[d] = cutLength(layout, shape, d, coordinate);
  return result;
}

RaggedDivision raggedDivision(const Layout &layout, const Shape &cutShape) {
  const Ragged &ragged = *layout.ragged();
  RaggedDivision division{1, 1, 0};
  for (int d = 0; d < layout.rank(); ++d)
    (d < ragged.dims ? division.slices : division.sliceElements) *= cutShape[d];
  // The one owner of dims = 0 has the only slice, whatever its unit is.
  if (ragged.dims > 0)
    division.unitSlices = division.slices / ragged.units.sum();
  return division;
}

Interval raggedSlices(const Ragged &ragged, const RaggedDivision &division, int64_t index) {
  if (ragged.dims == 0) {
    int64_t owner = ragged.units.indexAtSum(0);
    return {index > owner ? 1 : 0, index >= owner ? 1 : 0};
  }
  return {ragged.units.sumBefore(index) * division.unitSlices,
          ragged.units.sumBefore(index + 1) * division.unitSlices};
}

static Interval ownSlices(const Layout &layout, const RaggedDivision &division,
                          const Coordinate &coordinate) {
  const Ragged &ragged = *layout.ragged();
  return raggedSlices(ragged, division, indexAlong(layout.mesh(), ragged.axis, coordinate));
}

Shape localShape(const Layout &layout, const Shape &shape, const Coordinate &coordinate) {
  Shape result = cutShape(layout, shape, coordinate);
  if (!layout.ragged())
    return result;
  RaggedDivision division = raggedDivision(layout, result);
  return {ownSlices(layout, division, coordinate).length() * division.sliceElements};
}

int64_t localElements(const Layout &layout, const Shape &shape, const Coordinate &coordinate) {
  int64_t count = 1;
  for (int64_t size : localShape(layout, shape, coordinate))
    count *= size;
  return count;
}

std::vector<int64_t> rowMajorStrides(const Shape &shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<int64_t>(shape[d], 1);
  }
  return strides;
}

namespace {

/// Turns boxes of the cut shape into pieces of the global tensor, through the segments of each dim.
class PieceWriter {
public:
  PieceWriter(const std::vector<std::vector<Segment>> &segments, LocalRegion &region)
      : segments(segments), region(region) {}

  /// `base` is the flat offset in the cut shape where the local array begins.
  void write(const Box &local, int64_t base) {
    piece = {local, -base};
    writeDim(local, 0);
  }

private:
  void writeDim(const Box &local, size_t d) {
    if (d == segments.size()) {
      region.pieces.push_back(piece);
      return;
    }
    int64_t before = piece.localOffset;
    for (const Segment &segment : segments[d]) {
      int64_t begin = std::max(local.offset[d], segment.local);
      int64_t end = std::min(local.offset[d] + local.size[d], segment.local + segment.length);
      if (begin >= end)
        continue;
      piece.box.offset[d] = segment.global + (begin - segment.local);
      piece.box.size[d] = end - begin;
      piece.localOffset = before + begin * region.strides[d];
      writeDim(local, d + 1);
    }
    piece.localOffset = before;
  }

  const std::vector<std::vector<Segment>> &segments;
  LocalRegion &region;
  Piece piece;
};

} // namespace

static bool isPlain(const Layout &layout) {
  if (layout.ragged())
    return false;
  for (const Dim &dim : layout.dims())
    for (const Cut &cut : dim)
      if (cut.interleave != 1)
        return false;
  return true;
}

LocalRegion localRegion(const Layout &layout, const Shape &shape, const Coordinate &coordinate) {
  LocalRegion region;
  if (isPlain(layout)) {
    Piece piece{{shape, shape}, 0};
    bool empty = false;
    for (int d = 0; d < layout.rank(); ++d) {
      Interval own = dimInterval(layout, shape, d, coordinate);
      piece.box.offset[d] = own.begin;
      piece.box.size[d] = own.length();
      empty |= own.length() == 0;
    }
    region.strides = rowMajorStrides(piece.box.size);
    if (!empty)
      region.pieces.push_back(std::move(piece));
    return region;
  }

  std::vector<std::vector<Segment>> segments(layout.rank());
  Box whole{Shape(layout.rank(), 0), cutShape(layout, shape, coordinate)};
  for (int d = 0; d < layout.rank(); ++d)
    segments[d] = dimSegments(layout.mesh(), layout.dim(d), shape[d], coordinate);
  region.strides = rowMajorStrides(whole.size);
  PieceWriter writer(segments, region);
  if (!layout.ragged()) {
    writer.write(whole, 0);
    return region;
  }

  RaggedDivision division = raggedDivision(layout, whole.size);
  Interval own = ownSlices(layout, division, coordinate);
  int dims = layout.ragged()->dims;
  Shape flattened(whole.size.begin(), whole.size.begin() + dims);
  Box local = whole;
  for (const Box &slices : flatIntervalBoxes(flattened, own.begin, own.end)) {
    std::copy(slices.offset.begin(), slices.offset.end(), local.offset.begin());
    std::copy(slices.size.begin(), slices.size.end(), local.size.begin());
    writer.write(local, own.begin * division.sliceElements);
  }
  // Only cuts inside the slices, where they interleave, leave the order of the boxes.
  auto before = [](const Piece &a, const Piece &b) { return a.localOffset < b.localOffset; };
  if (!std::is_sorted(region.pieces.begin(), region.pieces.end(), before))
    std::sort(region.pieces.begin(), region.pieces.end(), before);
  return region;
}

std::vector<Box> region(const Layout &layout, const Shape &shape, const Coordinate &coordinate) {
  std::vector<Box> boxes;
  LocalRegion local = localRegion(layout, shape, coordinate);
  boxes.reserve(local.pieces.size());
  for (Piece &piece : local.pieces)
    boxes.push_back(std::move(piece.box));
  return boxes;
}

} // namespace vescale::layout
