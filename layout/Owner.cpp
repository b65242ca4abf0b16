#include "layout/Owner.h"

#include "layout/Region.h"

#include <algorithm>

namespace vescale::layout {

std::vector<int64_t> ownerIndices(const Layout &layout, const Shape &shape,
                                  const std::vector<int64_t> &element) {
  std::vector<int64_t> indices;
  Shape left(shape);
  std::vector<int64_t> local(element);
  for (int d = 0; d < layout.rank(); ++d)
    for (const Cut &cut : layout.dim(d)) {
      int64_t n = left[d], at = local[d], k = cut.axis.size, index;
      if (cut.interleave != 1) {
        int64_t part = n / cut.interleave, piece = part / k;
        index = at % part / piece;
        local[d] = at / part * piece + at % piece;
      } else {
        int64_t c = chunkLength(n, k, cut.block);
        index = at / c;
        local[d] = at - index * c;
      }
      left[d] = cutLength(cut, n, index);
      indices.push_back(index);
    }
  if (!layout.ragged())
    return indices;
  const Ragged &ragged = *layout.ragged();
  RaggedDivision division = raggedDivision(layout, left);
  int64_t slice = 0;
  for (int d = 0; d < ragged.dims; ++d)
    slice = slice * left[d] + local[d];
  indices.push_back(ragged.units.indexAtSum(ragged.dims == 0 ? 0 : slice / division.unitSlices));
  return indices;
}

Coordinate owner(const Layout &layout, const Shape &shape, const std::vector<int64_t> &element) {
  std::vector<SubAxis> axes = layout.shardingAxes();
  std::vector<int64_t> indices = ownerIndices(layout, shape, element);
  Coordinate result(layout.mesh().rank(), 0);
  for (size_t i = 0; i < axes.size(); ++i)
    setIndexAlong(layout.mesh(), axes[i], indices[i], result);
  return result;
}

std::vector<int64_t> owners(const Layout &layout, const Shape &shape,
                            const std::vector<int64_t> &element) {
  const Mesh &mesh = layout.mesh();
  std::vector<int64_t> positions = {mesh.position(owner(layout, shape, element))};
  std::vector<SubAxis> sharding = layout.shardingAxes();
  for (int axis = 0; axis < mesh.rank(); ++axis)
    for (const SubAxis &part : unusedParts(mesh, axis, sharding)) {
      int64_t stride = mesh.axisStride(axis) * indexStride(mesh, part);
      size_t before = positions.size();
      for (int64_t index = 1; index < part.size; ++index)
        for (size_t i = 0; i < before; ++i)
          positions.push_back(positions[i] + index * stride);
    }
  std::sort(positions.begin(), positions.end());
  return positions;
}

} // namespace vescale::layout
