#include "layout/Box.h"

#include <algorithm>
#include <fmt/format.h>

namespace vescale::layout {

std::string str(const Box &box) {
  return fmt::format("({})+({})", fmt::join(box.offset, ", "), fmt::join(box.size, ", "));
}

std::optional<Box> intersect(const Box &a, const Box &b) {
  Box result;
  result.offset.reserve(a.offset.size());
  result.size.reserve(a.offset.size());
  for (size_t d = 0; d < a.offset.size(); ++d) {
    int64_t begin = std::max(a.offset[d], b.offset[d]);
    int64_t end = std::min(a.offset[d] + a.size[d], b.offset[d] + b.size[d]);
    if (begin >= end)
      return std::nullopt;
    result.offset.push_back(begin);
    result.size.push_back(end - begin);
  }
  return result;
}

std::vector<Box> overlap(const std::vector<Box> &a, const std::vector<Box> &b) {
  std::vector<Box> result;
  for (const Box &one : a)
    for (const Box &other : b)
      if (std::optional<Box> common = intersect(one, other))
        result.push_back(std::move(*common));
  return result;
}

int64_t elementCount(const std::vector<Box> &boxes) {
  int64_t count = 0;
  for (const Box &box : boxes)
    count += box.elements();
  return count;
}

std::vector<Box> flatIntervalBoxes(const std::vector<int64_t> &shape, int64_t begin, int64_t end) {
  std::vector<Box> boxes;
  size_t rank = shape.size();
  if (begin >= end)
    return boxes;
  if (rank == 0)
    return {Box()};
  std::vector<int64_t> strides(rank);
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  while (begin < end) {
    // The outermost dim at whose slice border the rest begins and that has a whole slice left; the
    // box takes as many slices as are left before the end and inside the enclosing slice.
    size_t d = 0;
    while (begin % strides[d] != 0 || begin + strides[d] > end)
      ++d;
    Box box{std::vector<int64_t>(rank, 0), shape};
    for (size_t i = 0; i <= d; ++i) {
      box.offset[i] = begin / strides[i] % shape[i];
      box.size[i] = 1;
    }
    box.size[d] = std::min((end - begin) / strides[d], shape[d] - box.offset[d]);
    begin += box.size[d] * strides[d];
    boxes.push_back(std::move(box));
  }
  return boxes;
}

} // namespace vescale::layout
