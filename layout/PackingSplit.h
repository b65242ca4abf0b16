/// Packing into several buffers, where one needs too much padding.
///
/// A tensor that holds whole shards forces S to a multiple of its granularity; a few tensors with
/// coarse or unlike blocks can so inflate one buffer of a thousand shards by half. Apart, each
/// buffer has an S of its own. The price is one more collective for each buffer, which the
/// communication library can launch as a group.
#ifndef VESCALE_LAYOUT_PACKINGSPLIT_H
#define VESCALE_LAYOUT_PACKINGSPLIT_H

#include "layout/RaggedPacking.h"

#include <vector>

namespace vescale::layout {

/// One of the buffers: some tensors of the problem, and where they lie.
struct PackedBuffer {
  /// Indices of the problem's tensors, ascending.
  std::vector<int> tensors;
  /// The problem of these tensors alone, and its packing.
  PackingProblem problem;
  PackingResult packing;
};

struct SplitPacking {
  std::vector<PackedBuffer> buffers;
  /// Elements of all buffers that hold no tensor, and their share of the elements of all tensors.
  int64_t paddingElements = 0;
  double padding = 0;
};

/// Packs into at most `maxBuffers` (at least 1) buffers with less padding than fewer need, as far
/// as a local search finds: from one buffer on, it moves the tensor, or all tensors of one
/// granularity, whose move to another buffer saves most, until no move saves anything. Fails as
/// packTensors does.
StatusOr<SplitPacking> packIntoBuffers(const PackingProblem &problem, size_t maxBuffers);

} // namespace vescale::layout

#endif // VESCALE_LAYOUT_PACKINGSPLIT_H
