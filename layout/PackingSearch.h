/// Is there a packing with shards of exactly S elements? One answer for a fixed order, one for a
/// free order.
#ifndef VESCALE_LAYOUT_PACKINGSEARCH_H
#define VESCALE_LAYOUT_PACKINGSEARCH_H

#include "layout/PackingPlacement.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vescale::layout {

/// Places the tensors in `order`, each at its earliest legal start, and returns their starts
/// (tensors as given); none if they do not fit. Exact for this order. Adds to `placements`.
std::optional<std::vector<int64_t>> placeInOrder(const PackingProblem &problem,
                                                 const std::vector<int> &order, ShardTrial &trial,
                                                 int64_t &placements);

/// Searches all orders for one shard size at a time.
///
/// Branches on the tensor that comes next, layer by layer (a layer holds the partial packings of
/// as many tensors); bounds by what is left: a partial packing whose rest no longer fits is
/// dropped; and merges: of the partial packings that hold the same tensors only the one that ends
/// first stays. All three are decisions that the trial keeps track of. Tensors of equal size,
/// granularity and alignment are not told apart.
class FreeOrderSearch {
public:
  explicit FreeOrderSearch(const PackingProblem &problem);

  enum class Answer { feasible, infeasible, unknown };

  /// Answers for one shard size. A layer keeps at most `width` partial packings, those with the
  /// least padding; if more were dropped, or `placements` reached `placementLimit`, "no" becomes
  /// "unknown". On "feasible" `order()` is an order that fits.
  Answer search(ShardTrial &trial, size_t width, int64_t placementLimit, int64_t &placements);

  const std::vector<int> &order() const { return found; }

  /// False if there are too many sets of tensors to number them; then nothing can be searched.
  bool possible() const { return countable; }

private:
  /// Equal tensors.
  struct Kind {
    PackedTensor tensor;
    std::vector<int> members;
    /// What one more member adds to the number of a set of tensors (mixed radix).
    uint64_t radix = 1;
  };
  /// A partial packing: which tensors (as a number), their elements, where it ends, and how it came
  /// about.
  struct Partial {
    uint64_t tensors;
    int64_t elements;
    BufferPoint end;
    int parent;
    int kind;
  };

  using Layer = std::vector<Partial>;

  /// Keeps one of the partial packings that hold the same tensors, and at most `width` of all;
  /// returns whether any were dropped for the width.
  bool reduce(Layer &layer, size_t width, ShardTrial &trial) const;
  void readOrder(const std::vector<Layer> &layers);

  std::vector<Kind> kinds;
  std::vector<int> empty;
  std::vector<int> found;
  size_t count = 0;
  int64_t elements = 0;
  bool countable = true;
};

} // namespace vescale::layout

#endif // VESCALE_LAYOUT_PACKINGSEARCH_H
