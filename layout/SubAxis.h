//===- SubAxis.h - Parts of a mesh axis ------------------------------------------------------===//
//
// An axis of size n seen as (pre, size, rest): the sub-axis is the middle part, written
// `"x":(pre)size`, where pre * size divides n. On a device its index is
// (coordinate / (n / (pre * size))) mod size. The whole axis has pre = 1 and size = n.
//
// Which of this is also true of what an axis does to a tensor depends on the cut: merging and
// splitting keep indices, but they keep regions only where the cut is even (see Cutting.h).
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_SUBAXIS_H
#define VESCALE_LAYOUT_SUBAXIS_H

#include "layout/Mesh.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace vescale::layout {

/// A part of the mesh axis with index `axis`. Ordered by axis, then major to minor.
struct SubAxis {
  int axis = 0;
  int64_t pre = 1;
  int64_t size = 1;

  /// What stands before the minor end: pre * size.
  int64_t end() const { return pre * size; }

  bool operator==(const SubAxis &other) const {
    return axis == other.axis && pre == other.pre && size == other.size;
  }
  bool operator!=(const SubAxis &other) const { return !(*this == other); }
  bool operator<(const SubAxis &other) const {
    return std::tie(axis, pre, size) < std::tie(other.axis, other.pre, other.size);
  }
};

/// The whole of an axis.
inline SubAxis wholeAxis(const Mesh &mesh, int axis) { return {axis, 1, mesh.axisSize(axis)}; }
inline bool isWhole(const Mesh &mesh, const SubAxis &part) {
  return part.pre == 1 && part.size == mesh.axisSize(part.axis);
}
/// Fails, with the reason, unless `part` is a part of an axis of the mesh.
Status checkSubAxis(const Mesh &mesh, const SubAxis &part);

/// Steps of the axis coordinate from one index of `part` to the next: n / (pre * size).
inline int64_t indexStride(const Mesh &mesh, const SubAxis &part) {
  return mesh.axisSize(part.axis) / part.end();
}
/// The index of a device along `part`, in [0, part.size).
inline int64_t indexAlong(const Mesh &mesh, const SubAxis &part, const Coordinate &coordinate) {
  int64_t n = mesh.axisSize(part.axis);
  return part.size == n ? coordinate[part.axis]
                        : coordinate[part.axis] / (n / part.end()) % part.size;
}
/// `coordinate` with its index along `part` replaced; other parts of the axis keep theirs.
void setIndexAlong(const Mesh &mesh, const SubAxis &part, int64_t index, Coordinate &coordinate);

/// True where one layout may not use both. Two parts of one axis are disjoint where one ends, in
/// whole factors, before the other begins: a.end() divides b.pre or the other way round.
bool overlaps(const SubAxis &a, const SubAxis &b);
/// True where every digit of `part` is a digit of `whole`.
bool contains(const SubAxis &whole, const SubAxis &part);
/// True where `part` is the major end of `whole` (or all of it).
bool isPrefix(const SubAxis &part, const SubAxis &whole);
/// The largest common major end; nothing where the two do not begin together or share only size 1.
std::optional<SubAxis> commonPrefix(const SubAxis &a, const SubAxis &b);
/// The largest major end of `part` that does not overlap `other`; nothing where that has size 1.
std::optional<SubAxis> prefixWithout(const SubAxis &part, const SubAxis &other);
/// The parts of `part`, major to minor, that are outside `inner`, which `part` contains.
std::vector<SubAxis> difference(const SubAxis &part, const SubAxis &inner);

/// True where `minor` follows `major` directly, so that the two are one part.
inline bool canMerge(const SubAxis &major, const SubAxis &minor) {
  return major.axis == minor.axis && major.end() == minor.pre;
}
/// index(merged) = index(major) * minor.size + index(minor). Requires canMerge.
SubAxis merge(const SubAxis &major, const SubAxis &minor);
/// Cuts `part` into a major part of size `majorSize` and the rest; nothing unless it divides.
std::optional<std::pair<SubAxis, SubAxis>> split(const SubAxis &part, int64_t majorSize);
/// Prime parts, major to minor, smaller primes first: 12 is 2, 2, 3. Empty for size 1.
std::vector<SubAxis> primeFactors(const SubAxis &part);
/// Every way to write `part` as prime parts: 6 is 2, 3 and 3, 2. Sorted; one empty way for size 1.
std::vector<std::vector<SubAxis>> primeOrders(const SubAxis &part);

/// The parts of an axis that no member of `used` covers, major to minor. Members must not overlap.
std::vector<SubAxis> unusedParts(const Mesh &mesh, int axis, const std::vector<SubAxis> &used);
/// Cuts each member of `parts` at the borders of the members of `others` that lie inside it.
/// Nothing where two of them overlap in part of a factor (as 2 and 3 in an axis of 6).
std::optional<std::vector<SubAxis>> refine(const std::vector<SubAxis> &parts,
                                           const std::vector<SubAxis> &others);

/// `"x"` for a whole axis, `"x":(2)4` for a part.
std::string str(const Mesh &mesh, const SubAxis &part);

} // namespace vescale::layout

#endif
