//===- NaiveRegion.h - What a device holds, element by element -------------------------------===//
//
// Written straight from the definitions with lists of indices, and sharing nothing with layout/ but
// the Layout type.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_LAYOUT_NAIVEREGION_H
#define VESCALE_TESTS_UNIT_LAYOUT_NAIVEREGION_H

#include "layout/Layout.h"

#include <algorithm>

namespace vescale::layout {

/// The global indices of a dim that a device holds, in local order.
inline std::vector<int64_t> naiveDim(const Layout &layout, const Shape &shape, int d,
                                     const Coordinate &coordinate) {
  std::vector<int64_t> held;
  for (int64_t i = 0; i < shape[d]; ++i)
    held.push_back(i);
  for (const Cut &cut : layout.dim(d)) {
    int64_t n = held.size(), k = cut.axis.size;
    int64_t axis = layout.mesh().axisSize(cut.axis.axis);
    int64_t index = coordinate[cut.axis.axis] / (axis / (cut.axis.pre * k)) % k;
    std::vector<int64_t> left;
    for (int64_t at = 0; at < n; ++at) {
      int64_t owner;
      if (cut.interleave != 1) {
        int64_t part = n / cut.interleave;
        owner = (at % part) / (part / k);
      } else {
        // The blocks are counted, and so many of them go to each index.
        int64_t blocks = (n + cut.block - 1) / cut.block;
        int64_t blocksEach = (blocks + k - 1) / k;
        owner = (at / cut.block) / blocksEach;
      }
      if (owner == index)
        left.push_back(held[at]);
    }
    held = left;
  }
  return held;
}

/// Row-major global indices of the elements that a device holds, in the order of its local array.
inline std::vector<int64_t> naiveElements(const Layout &layout, const Shape &shape,
                                          const Coordinate &coordinate) {
  std::vector<int64_t> elements = {0};
  int64_t flattened = 1;
  for (int d = 0; d < layout.rank(); ++d) {
    std::vector<int64_t> held = naiveDim(layout, shape, d, coordinate), next;
    if (layout.ragged() && d < layout.ragged()->dims)
      flattened *= held.size();
    for (int64_t before : elements)
      for (int64_t index : held)
        next.push_back(before * shape[d] + index);
    elements = next;
  }
  if (!layout.ragged())
    return elements;
  const Ragged &ragged = *layout.ragged();
  int64_t axis = layout.mesh().axisSize(ragged.axis.axis);
  int64_t index = coordinate[ragged.axis.axis] / (axis / (ragged.axis.pre * ragged.axis.size)) %
                  ragged.axis.size;
  std::vector<int64_t> units = ragged.units.values();
  if (ragged.dims == 0)
    return units[index] ? elements : std::vector<int64_t>();
  int64_t before = 0, sum = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    before += static_cast<int64_t>(i) < index ? units[i] : 0;
    sum += units[i];
  }
  int64_t total = elements.size();
  auto border = [&](int64_t unitsBefore) {
    return flattened == 0 ? 0 : unitsBefore * flattened / sum * (total / flattened);
  };
  return {elements.begin() + border(before), elements.begin() + border(before + units[index])};
}

} // namespace vescale::layout

#endif
