//===- Cutting.h - The chunk rule: how one axis cuts one length ------------------------------===//
//
// Cutting a length n by an axis of size k in blocks of b: c = ceil(ceil(n / b) / k) * b, and index
// i owns [min(i * c, n), min((i + 1) * c, n)). The last pieces may be short or empty. The rule
// nests: the next axis cuts the piece that this one left.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_CUTTING_H
#define VESCALE_LAYOUT_CUTTING_H

#include "layout/Layout.h"

#include <algorithm>
#include <vector>

namespace vescale::layout {

struct Interval {
  int64_t begin = 0, end = 0;

  int64_t length() const { return end - begin; }
  bool operator==(const Interval &other) const { return begin == other.begin && end == other.end; }
};

/// a * b, or `limit` where the product is larger; all are not negative.
inline int64_t multiplyUpTo(int64_t a, int64_t b, int64_t limit) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? limit : std::min(product, limit);
}

/// The length c of a full piece, at most n: a longer one would own nothing more.
inline int64_t chunkLength(int64_t n, int64_t k, int64_t block) {
  int64_t blocks = n / block + (n % block != 0);
  return multiplyUpTo(blocks / k + (blocks % k != 0), block, n);
}

/// What index i owns of [0, n) under a cut without interleaving.
inline Interval chunk(int64_t n, int64_t k, int64_t block, int64_t i) {
  int64_t c = chunkLength(n, k, block);
  int64_t begin = multiplyUpTo(i, c, n);
  return {begin, begin + std::min(c, n - begin)};
}

/// True where all pieces of a length n have one size.
inline bool isEven(const Cut &cut, int64_t n) {
  int64_t k = cut.axis.size;
  if (cut.interleave != 1)
    return n % cut.interleave == 0 && n / cut.interleave % k == 0;
  return n % k == 0 && chunkLength(n, k, cut.block) == n / k;
}

/// True where every cut of the dim is even, one after the other.
bool isEven(const Dim &dim, int64_t n);

/// What index i of the cut owns of a length n; interleaved cuts own as much of each part.
inline int64_t cutLength(const Cut &cut, int64_t n, int64_t i) {
  if (cut.interleave != 1)
    return n / cut.axis.size;
  return chunk(n, cut.axis.size, cut.block, i).length();
}

/// The lengths that the cut makes of a length n, each with how many indices have it: full pieces,
/// the short one, empty ones. At most three, in order of the index.
struct LengthRun {
  int64_t length, count;
};
std::vector<LengthRun> cutLengths(const Cut &cut, int64_t n);

/// A run of indices that is consecutive both in the tensor's dim and in the device's.
struct Segment {
  int64_t global = 0, local = 0, length = 0;
};

/// What a device holds of a dim of length n, in local order. One segment unless a cut interleaves;
/// none where it holds nothing.
std::vector<Segment> dimSegments(const Mesh &mesh, const Dim &dim, int64_t n,
                                 const Coordinate &coordinate);

/// The axes of two neighbouring cuts become one cut only where that changes no region: plain cuts,
/// or block cuts of one block size, of consecutive parts of one axis, whose length n is cut evenly.
bool canMergeCuts(const Cut &major, const Cut &minor, int64_t n);
/// True where cutting n by a major part of `majorSize` and then the rest changes no region.
bool canSplitCut(const Cut &cut, int64_t majorSize, int64_t n);
/// The same regions in one way of writing: cuts of size 1 dropped, neighbours merged.
Dim mergeCuts(const Dim &dim, int64_t n);

} // namespace vescale::layout

#endif
