//===- Box.h - Axis-aligned boxes of a tensor ------------------------------------------------===//
//
// The currency of checkpoints, redistribution and data loading: a box has an offset and a size in
// each dim. A scalar is the one box without dims.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_BOX_H
#define VESCALE_LAYOUT_BOX_H

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace vescale::layout {

struct Box {
  std::vector<int64_t> offset, size;

  int64_t elements() const {
    int64_t count = 1;
    for (int64_t extent : size)
      count *= extent;
    return count;
  }
  bool operator==(const Box &other) const { return offset == other.offset && size == other.size; }
  bool operator!=(const Box &other) const { return !(*this == other); }
  bool operator<(const Box &other) const {
    return std::tie(offset, size) < std::tie(other.offset, other.size);
  }
};

/// `(0, 2)+(1, 3)`: the offset, then the size.
std::string str(const Box &box);

/// What both contain; nothing where that is empty. The boxes have the same number of dims.
std::optional<Box> intersect(const Box &a, const Box &b);
/// The non-empty intersections of each box of `a` with each of `b`, in the order of `a`, then `b`.
/// Where the boxes of each list are disjoint, so are these.
std::vector<Box> overlap(const std::vector<Box> &a, const std::vector<Box> &b);
int64_t elementCount(const std::vector<Box> &boxes);

/// The elements [begin, end) of a row-major tensor of this shape as boxes, in order: at most
/// max(1, 2 * rank - 1). Each box is contiguous in the flattened tensor.
std::vector<Box> flatIntervalBoxes(const std::vector<int64_t> &shape, int64_t begin, int64_t end);

} // namespace vescale::layout

#endif
