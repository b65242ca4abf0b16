#include "layout/ShardMatch.h"

#include "layout/Region.h"

#include <algorithm>

namespace vescale::layout {

namespace {

/// A part of an interval of one dim: the index of each cut of the dim, and where it lies.
struct DimMatch {
  std::vector<int64_t> indices;
  int64_t global, local, length;
  /// What the cuts leave of the dim on that shard.
  int64_t cutLength;
};

/// Follows an interval of one dim through its cuts.
class DimMatcher {
public:
  DimMatcher(const Mesh &mesh, const Dim &dim, const Coordinate *only)
      : mesh(mesh), dim(dim), only(only), indices(dim.size()) {}

  std::vector<DimMatch> match(int64_t size, int64_t begin, int64_t length) {
    follow(0, size, begin, begin + length, begin);
    return std::move(matches);
  }

private:
  /// [begin, end) is in the local indices of a piece of length n; `global` is where it begins.
  void follow(size_t c, int64_t n, int64_t begin, int64_t end, int64_t global) {
    if (c == dim.size()) {
      matches.push_back({indices, global, begin, end - begin, n});
      return;
    }
    const Cut &cut = dim[c];
    int64_t own = only ? indexAlong(mesh, cut.axis, *only) : -1;
    int64_t part = n / cut.interleave;
    int64_t piece =
        cut.interleave != 1 ? part / cut.axis.size : chunkLength(n, cut.axis.size, cut.block);
    for (int64_t at = begin; at < end;) {
      int64_t outer = at / part, index = at % part / piece;
      int64_t pieceBegin = outer * part + index * piece;
      if (only && index != own) {
        // The next place of the wanted index: in this part if it is still to come, else in the
        // next.
        at = (index < own ? outer : outer + 1) * part + multiplyUpTo(own, piece, part);
        continue;
      }
      int64_t stop = std::min({end, pieceBegin + piece, (outer + 1) * part});
      indices[c] = index;
      int64_t left = cut.interleave != 1 ? piece * cut.interleave : std::min(piece, n - pieceBegin);
      int64_t local = outer * piece + (at - pieceBegin);
      if (cut.interleave == 1)
        local = at - pieceBegin;
      follow(c + 1, left, local, local + (stop - at), global + (at - begin));
      at = stop;
    }
  }

  const Mesh &mesh;
  const Dim &dim;
  const Coordinate *only;
  std::vector<int64_t> indices;
  std::vector<DimMatch> matches;
};

/// Divides a box of the cut shape among the owners of a ragged layout.
class RaggedMatcher {
public:
  RaggedMatcher(const Layout &layout, const Shape &cutShape)
      : ragged(*layout.ragged()), division(raggedDivision(layout, cutShape)),
        flattened(cutShape.begin(), cutShape.begin() + ragged.dims),
        strides(rowMajorStrides(flattened)) {}

  /// Calls found(index, part, base): `part` of the local box is the index's, and `base` is where
  /// its shard begins in the flattened cut shape, in elements.
  template <class Found> void match(const Box &local, Found &&found) {
    int64_t slice = flat(local.offset);
    while (slice >= 0) {
      int64_t index = ragged.units.indexAtSum(ragged.dims == 0 ? 0 : slice / division.unitSlices);
      Interval own = matchOwner(local, index, found);
      slice = ragged.dims == 0 ? -1 : nextInside(local, own.end);
    }
  }

  /// The same for one owner alone; returns its slices.
  template <class Found> Interval matchOwner(const Box &local, int64_t index, Found &&found) {
    Interval own = raggedSlices(ragged, division, index);
    for (const Box &slices : flatIntervalBoxes(flattened, own.begin, own.end)) {
      Box whole = local;
      std::copy(slices.offset.begin(), slices.offset.end(), whole.offset.begin());
      std::copy(slices.size.begin(), slices.size.end(), whole.size.begin());
      if (std::optional<Box> part = intersect(whole, local))
        found(index, *part, own.begin * division.sliceElements);
    }
    return own;
  }

private:
  int64_t flat(const std::vector<int64_t> &offset) const {
    int64_t result = 0;
    for (size_t d = 0; d < flattened.size(); ++d)
      result += offset[d] * strides[d];
    return result;
  }

  /// The first slice from `slice` on that lies in the box; -1 where there is none.
  int64_t nextInside(const Box &local, int64_t slice) const {
    size_t rank = flattened.size();
    std::vector<int64_t> at(rank);
    for (size_t d = 0; d < rank; ++d)
      at[d] = d == 0 ? slice / strides[0] : slice / strides[d] % flattened[d];
    for (size_t d = 0; d < rank; ++d) {
      int64_t begin = local.offset[d], end = begin + local.size[d];
      if (at[d] >= begin && at[d] < end)
        continue;
      if (at[d] >= end) {
        // Behind the box in this dim: step on in the nearest outer dim that has room.
        do {
          if (d == 0)
            return -1;
          --d;
        } while (at[d] + 1 >= local.offset[d] + local.size[d]);
        ++at[d];
        ++d;
      }
      std::copy(local.offset.begin() + d, local.offset.begin() + rank, at.begin() + d);
      break;
    }
    return flat(at);
  }

  const Ragged &ragged;
  RaggedDivision division;
  Shape flattened;
  std::vector<int64_t> strides;
};

} // namespace

void matchShards(const Layout &layout, const Shape &shape, const Box &box, const Coordinate *only,
                 const std::function<void(const ShardMatch &)> &found) {
  const Mesh &mesh = layout.mesh();
  size_t rank = shape.size();
  std::vector<std::vector<DimMatch>> matches(rank);
  for (size_t d = 0; d < rank; ++d) {
    matches[d] = DimMatcher(mesh, layout.dim(d), only).match(shape[d], box.offset[d], box.size[d]);
    if (matches[d].empty())
      return;
  }
  ShardMatch match;
  match.box = box;
  Box local = box;
  Shape cutShape(rank);
  std::vector<size_t> choice(rank, 0);
  while (true) {
    match.indices.clear();
    for (size_t d = 0; d < rank; ++d) {
      const DimMatch &part = matches[d][choice[d]];
      match.indices.insert(match.indices.end(), part.indices.begin(), part.indices.end());
      match.box.offset[d] = part.global;
      local.offset[d] = part.local;
      match.box.size[d] = local.size[d] = part.length;
      cutShape[d] = part.cutLength;
    }
    match.strides = rowMajorStrides(cutShape);
    auto offsetOf = [&](const Box &part) {
      int64_t offset = 0;
      for (size_t d = 0; d < rank; ++d)
        offset += part.offset[d] * match.strides[d];
      return offset;
    };
    if (!layout.ragged()) {
      match.localOffset = offsetOf(local);
      found(match);
    } else {
      Box whole = match.box;
      match.indices.push_back(0);
      RaggedMatcher matcher(layout, cutShape);
      auto report = [&](int64_t index, const Box &part, int64_t base) {
        match.indices.back() = index;
        match.box.size = part.size;
        for (size_t d = 0; d < rank; ++d)
          match.box.offset[d] = whole.offset[d] + (part.offset[d] - local.offset[d]);
        match.localOffset = offsetOf(part) - base;
        found(match);
      };
      if (only)
        matcher.matchOwner(local, indexAlong(mesh, layout.ragged()->axis, *only), report);
      else
        matcher.match(local, report);
    }
    size_t d = rank;
    while (d-- > 0) {
      if (++choice[d] < matches[d].size())
        break;
      choice[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

} // namespace vescale::layout
