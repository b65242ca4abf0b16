#include "layout/Cutting.h"

#include <algorithm>

namespace vescale::layout {

bool isEven(const Dim &dim, int64_t n) {
  for (const Cut &cut : dim) {
    if (!isEven(cut, n))
      return false;
    n /= cut.axis.size;
  }
  return true;
}

std::vector<LengthRun> cutLengths(const Cut &cut, int64_t n) {
  int64_t k = cut.axis.size;
  if (isEven(cut, n) || cut.interleave != 1)
    return {{n / k, k}};
  int64_t c = chunkLength(n, k, cut.block);
  int64_t full = n / c, shortLength = n % c;
  std::vector<LengthRun> runs;
  if (full)
    runs.push_back({c, full});
  if (shortLength)
    runs.push_back({shortLength, 1});
  int64_t empty = k - full - (shortLength ? 1 : 0);
  if (empty)
    runs.push_back({0, empty});
  return runs;
}

/// Keeps of `segments` the local indices [begin, end), appended to `result` in order; segments that
/// continue one another become one.
static void appendPart(const std::vector<Segment> &segments, int64_t begin, int64_t end,
                       std::vector<Segment> &result) {
  int64_t local = result.empty() ? 0 : result.back().local + result.back().length;
  for (const Segment &segment : segments) {
    int64_t from = std::max(begin, segment.local);
    int64_t to = std::min(end, segment.local + segment.length);
    if (from >= to)
      continue;
    int64_t global = segment.global + (from - segment.local);
    if (!result.empty() && result.back().global + result.back().length == global)
      result.back().length += to - from;
    else
      result.push_back({global, local, to - from});
    local += to - from;
  }
}

std::vector<Segment> dimSegments(const Mesh &mesh, const Dim &dim, int64_t n,
                                 const Coordinate &coordinate) {
  std::vector<Segment> segments;
  if (n > 0)
    segments.push_back({0, 0, n});
  for (const Cut &cut : dim) {
    int64_t i = indexAlong(mesh, cut.axis, coordinate);
    std::vector<Segment> cutSegments;
    if (n > 0)
      cutSegments.reserve(segments.size() + cut.interleave - 1);
    if (cut.interleave == 1) {
      Interval own = chunk(n, cut.axis.size, cut.block, i);
      appendPart(segments, own.begin, own.end, cutSegments);
      n = own.length();
    } else {
      int64_t part = n / cut.interleave, piece = part / cut.axis.size;
      for (int64_t j = 0; j < cut.interleave; ++j)
        appendPart(segments, j * part + i * piece, j * part + (i + 1) * piece, cutSegments);
      n = piece * cut.interleave;
    }
    segments = std::move(cutSegments);
  }
  return segments;
}

bool canMergeCuts(const Cut &major, const Cut &minor, int64_t n) {
  // Where the merged cut is even, so is each of the two.
  return canMerge(major.axis, minor.axis) && major.interleave == 1 && minor.interleave == 1 &&
         major.block == minor.block && isEven({merge(major.axis, minor.axis), 1, major.block}, n);
}

bool canSplitCut(const Cut &cut, int64_t majorSize, int64_t n) {
  auto parts = split(cut.axis, majorSize);
  return parts && cut.interleave == 1 &&
         canMergeCuts({parts->first, 1, cut.block}, {parts->second, 1, cut.block}, n);
}

Dim mergeCuts(const Dim &dim, int64_t n) {
  Dim result;
  // Merging asks for even cuts, so the length before each kept cut is a quotient; it is tracked
  // only up to the first uneven one, behind which nothing merges.
  std::vector<int64_t> lengths;
  bool even = true;
  for (Cut cut : dim) {
    if (cut.axis.size == 1)
      continue;
    if (even && !result.empty() && canMergeCuts(result.back(), cut, lengths.back()))
      result.back().axis = merge(result.back().axis, cut.axis);
    else {
      lengths.push_back(n);
      result.push_back(cut);
    }
    even = even && isEven(cut, n);
    n /= cut.axis.size;
  }
  return result;
}

} // namespace vescale::layout
