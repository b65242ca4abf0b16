//===- ClassMap.cpp - The map of rank classes that a schedule carries -----===//

#include "runtime/format/ClassMap.h"

#include <algorithm>
#include <map>

using namespace vescale::runtime;
using vescale::layout::Coordinate;
using vescale::layout::Mesh;
using vescale::layout::RankClasses;

ClassMap vescale::runtime::classMapOf(const RankClasses &classes) {
  const Mesh &mesh = classes.mesh();
  ClassMap result;
  std::vector<std::vector<int64_t>> firstOfKind(mesh.rank());
  for (int axis = 0; axis < mesh.rank(); ++axis) {
    // Coordinates are of one kind when they lie in the same range of every part of the axis.
    std::map<std::vector<size_t>, uint32_t> kinds;
    bool cut = std::any_of(classes.ranges().begin(), classes.ranges().end(),
                           [&](const RankClasses::Ranges &r) { return r.part.axis == axis; });
    AxisKinds runs;
    // Without a range all coordinates are like the first.
    int64_t different = cut ? mesh.axisSize(axis) : 1;
    for (int64_t i = 0; i < different; ++i) {
      Coordinate coordinate(mesh.rank(), 0);
      coordinate[axis] = i;
      std::vector<size_t> ranges;
      for (const RankClasses::Ranges &r : classes.ranges())
        if (r.part.axis == axis) {
          int64_t index = indexAlong(mesh, r.part, coordinate);
          ranges.push_back(std::upper_bound(r.starts.begin(), r.starts.end(), index) -
                           r.starts.begin());
        }
      auto [it, fresh] = kinds.emplace(ranges, static_cast<uint32_t>(kinds.size()));
      if (fresh)
        firstOfKind[axis].push_back(i);
      if (runs.kinds.empty() || runs.kinds.back() != it->second) {
        runs.kinds.push_back(it->second);
        runs.lengths.push_back(0);
      }
      ++runs.lengths.back();
    }
    runs.lengths.back() += static_cast<uint32_t>(mesh.axisSize(axis) - different);
    result.axes.push_back(std::move(runs));
  }

  // Row-major over the kinds of all axes.
  std::vector<size_t> kind(mesh.rank(), 0);
  while (true) {
    Coordinate coordinate;
    for (int axis = 0; axis < mesh.rank(); ++axis)
      coordinate.push_back(firstOfKind[axis][kind[axis]]);
    result.classes.push_back(static_cast<uint32_t>(classes.classOf(coordinate)));
    int axis = mesh.rank() - 1;
    while (axis >= 0 && ++kind[axis] == firstOfKind[axis].size())
      kind[axis--] = 0;
    if (axis < 0)
      return result;
  }
}
