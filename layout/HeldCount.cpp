#include "layout/HeldCount.h"

#include <algorithm>

namespace vescale::layout {

int64_t HeldCount::belowOf(size_t at, int64_t n, int64_t end, int64_t index,
                           const Coordinate &device) const {
  const Cut &cut = dim[at];
  if (cut.interleave == 1) {
    Interval own = chunk(n, cut.axis.size, cut.block, index);
    return below(at + 1, own.length(), std::clamp(end, own.begin, own.end) - own.begin, device);
  }
  // Each of the parts gives the index one piece; they stand one behind the other on the device.
  int64_t part = n / cut.interleave, piece = part / cut.axis.size;
  if (piece == 0)
    return 0;
  int64_t begun = std::clamp<int64_t>(end % part - index * piece, 0, piece);
  return below(at + 1, piece * cut.interleave, end / part * piece + begun, device);
}

int64_t HeldCount::below(size_t at, int64_t n, int64_t end, const Coordinate &device) const {
  if (at == dim.size() || end == 0)
    return end;
  const Cut &cut = dim[at];
  int64_t own = indexAlong(mesh, cut.axis, device);
  bool free = agreeing != nullptr;
  for (size_t i = 0; agreeing && i < agreeing->size(); ++i) {
    if (contains((*agreeing)[i], cut.axis))
      return belowOf(at, n, end, own, device);
    free = free && !contains(cut.axis, (*agreeing)[i]);
  }
  if (!agreeing)
    return belowOf(at, n, end, own, device);
  if (free && cut.interleave == 1) {
    int64_t length = chunkLength(n, cut.axis.size, cut.block), full = end / length;
    int64_t last = std::min(length, n - full * length);
    int64_t started = last > 0 ? below(at + 1, last, end - full * length, device) : 0;
    return (full > 0 ? full * below(at + 1, length, length, device) : 0) + started;
  }
  Coordinate other(mesh.rank());
  int64_t sum = 0;
  for (int64_t index = 0; index < cut.axis.size; ++index) {
    setIndexAlong(mesh, cut.axis, index, other);
    bool agrees = true;
    for (const SubAxis &part : *agreeing)
      agrees = agrees && (!contains(cut.axis, part) ||
                          indexAlong(mesh, part, other) == indexAlong(mesh, part, device));
    if (agrees)
      sum += belowOf(at, n, end, index, device);
  }
  return sum;
}

} // namespace vescale::layout
