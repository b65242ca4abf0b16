//===- Placement.h - The per-axis notation ---------------------------------------------------===//
//
// One placement for each mesh axis, in mesh order, as users of PyTorch know it: `[S(0), R]`. It
// says less than a layout (no sub-axes, no block cuts, one order of axes), so the way back from a
// layout may fail, with the reason.
//
// | R, Replicate()                      | the axis is unused                                      |
// | S(d), Shard(d)                      | the axis is appended to dim d; d < 0 counts from the end
// | | P, P(op), Partial(op)               | the axis is partial; op is sum unless written | | IS(d,
// k), InterleavedShard(d, k)    | {"axis" / k} on dim d                                   | |
// RS((0, 1), (5, 7)), RaggedShard(..) | ragged over the first dims, which the tuple lists       |
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_PLACEMENT_H
#define VESCALE_LAYOUT_PLACEMENT_H

#include "layout/Layout.h"

#include <string_view>
#include <vector>

namespace vescale::layout {

/// What one mesh axis does with a tensor.
struct Placement {
  enum class Kind { replicate, shard, partial, interleavedShard, raggedShard };

  Kind kind = Kind::replicate;
  /// Of shard and interleavedShard.
  int64_t dim = 0;
  int64_t interleave = 1;
  /// Of partial.
  Reduction reduction = Reduction::sum;
  /// Of raggedShard.
  int raggedDims = 0;
  RunLengths units;

  bool operator==(const Placement &other) const;
  bool operator!=(const Placement &other) const { return !(*this == other); }
  /// The short form: `R`, `S(0)`, `P(sum)`, `IS(0, 3)`, `RS((0,), (5, 7))`.
  std::string str() const;
};

using Placements = std::vector<Placement>;

/// `[S(0), R]`.
std::string str(const Placements &placements);

/// Reads a list in the short or long forms. Errors name the column; `avg` is refused with what to
/// write instead.
StatusOr<Placements> parsePlacements(std::string_view text);

/// The layout of a tensor with `rank` dims. Where several axes cut one dim, `order` gives them from
/// major to minor as indices of mesh axes; axes that it does not list come behind, in mesh order.
StatusOr<Layout> layoutOf(const Mesh &mesh, int rank, const Placements &placements,
                          const std::vector<int> &order = {});

/// The placements whose layout, without an order, is this one; fails with what they cannot say.
StatusOr<Placements> placementsOf(const Layout &layout);

/// Reads either notation: `[{"x"}, {}]` or `[S(0), R]`.
StatusOr<Layout> parseLayoutOrPlacements(const Mesh &mesh, int rank, std::string_view text);

} // namespace vescale::layout

#endif
