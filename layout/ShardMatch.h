//===- ShardMatch.h - Which shards of a layout hold a box of the tensor ----------------------===//
//
// The inverse of a region for whole boxes. The time is proportional to what is found, not to the
// number of devices: each cut jumps straight to the indices that own a part of the box.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_SHARDMATCH_H
#define VESCALE_LAYOUT_SHARDMATCH_H

#include "layout/Box.h"
#include "layout/Layout.h"

#include <functional>

namespace vescale::layout {

/// A part of a box that one shard holds, with its place in the shard's local array.
struct ShardMatch {
  /// Along layout.shardingAxes(), in that order.
  std::vector<int64_t> indices;
  Box box;
  int64_t localOffset = 0;
  std::vector<int64_t> strides;
};

/// Calls `found` for each part of `box` and the shard that holds it; the parts are disjoint and
/// cover the box. With `only`, a coordinate of the mesh, the shard of that device alone. The match
/// is valid during the call.
void matchShards(const Layout &layout, const Shape &shape, const Box &box, const Coordinate *only,
                 const std::function<void(const ShardMatch &)> &found);

} // namespace vescale::layout

#endif
