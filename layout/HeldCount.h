//===- HeldCount.h - How much of an interval a device holds ----------------------------------===//
#ifndef VESCALE_LAYOUT_HELDCOUNT_H
#define VESCALE_LAYOUT_HELDCOUNT_H

#include "layout/Cutting.h"

namespace vescale::layout {

/// Counts the indices of a dim that are held by devices which agree with a given one along some
/// parts of axes, and are anywhere along the others. Takes time by the number of cuts, not by what
/// they make, unless only a part of an uneven cut's axis agrees.
class HeldCount {
public:
  /// `agreeing`: the parts along which holders agree, each inside the axis of a cut or apart from
  /// all of them; null where they agree along all cuts.
  HeldCount(const Mesh &mesh, const Dim &dim, const std::vector<SubAxis> *agreeing)
      : mesh(mesh), dim(dim), agreeing(agreeing) {}

  /// Of [begin, end) in a dim of length n.
  int64_t within(int64_t n, int64_t begin, int64_t end, const Coordinate &device) const {
    return below(0, n, end, device) - below(0, n, begin, device);
  }

private:
  int64_t below(size_t cut, int64_t n, int64_t end, const Coordinate &device) const;
  /// The same where only the cut's index `index` holds anything.
  int64_t belowOf(size_t cut, int64_t n, int64_t end, int64_t index,
                  const Coordinate &device) const;

  const Mesh &mesh;
  const Dim &dim;
  const std::vector<SubAxis> *agreeing;
};

} // namespace vescale::layout

#endif
