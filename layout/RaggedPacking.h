/// Packing of tensors into one communication buffer of equal shards.
///
/// The buffer has `devices` shards of S elements; device k holds [k * S, (k + 1) * S). Each tensor
/// is contiguous, starts at a multiple of its alignment, and is cut by a border of shards only at a
/// multiple of its granularity from its own start. S is a multiple of the collective's alignment.
/// Elements outside all tensors are padding. The smallest S is wanted.
///
/// The problem is NP-hard (reduction from Partition; "veScale-FSDP", arXiv 2602.22437, whose prefix
/// candidates give the first answer here). Two facts make small instances exact:
///
///  * With the order and S fixed, placing each tensor at its earliest legal start is optimal,
///    because an earlier end leaves every later tensor at least the same starts.
///  * With S fixed and the order free, the same argument orders partial placements: of two that
///    hold the same tensors, the one that ends earlier can replace the other.
///
/// Feasibility is not monotone in S, so a proof of optimality tests every smaller S that is not
/// excluded by arithmetic (see `ShardCandidates`).
///
/// Example: tensors of 12 elements and granularity 4, twice, on 4 devices: S = 8, starts 0 and 12,
/// units (2, 1, 0, 0) and (0, 1, 2, 0).
#ifndef VESCALE_LAYOUT_RAGGEDPACKING_H
#define VESCALE_LAYOUT_RAGGEDPACKING_H

#include "layout/RunLengths.h"
#include "layout/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vescale::layout {

/// A tensor to pack; all sizes in elements.
struct PackedTensor {
  std::string name;
  int64_t elements = 0;
  /// No border falls inside a block of this many elements, counted from the tensor's start. The
  /// last block may be short.
  int64_t granularity = 1;
  /// The tensor's start in the buffer is a multiple of this.
  int64_t alignment = 1;
};

enum class PackingOrder {
  given, ///< Tensors lie in the buffer in the order in which they were given.
  free,  ///< Any order.
};

struct PackingProblem {
  std::vector<PackedTensor> tensors;
  int64_t devices = 1;
  /// S is a multiple of this (what the collective prefers, such as 16 bytes).
  int64_t alignment = 1;
  PackingOrder order = PackingOrder::given;
  /// The most placements of a tensor that the search may try; 0 lets the size of the instance
  /// decide: small ones are searched to the end, large ones for some milliseconds.
  int64_t placementLimit = 0;
};

struct PackingResult {
  /// S.
  int64_t shardElements = 0;
  /// No packing has a smaller shard than this; proven.
  int64_t provenBound = 0;
  /// The start of each tensor in the buffer, tensors as given.
  std::vector<int64_t> starts;
  /// The tensors in the order in which they lie in the buffer.
  std::vector<int> order;
  /// Elements of the buffer that hold no tensor.
  int64_t paddingElements = 0;
  /// paddingElements over the elements of all tensors; 0 if there are none.
  double padding = 0;
  /// How far S may be from the optimum: (shardElements - provenBound) / provenBound.
  double gap = 0;
  /// Placements that the search tried.
  int64_t placementsTried = 0;

  /// True if no packing has a smaller shard.
  bool optimal() const { return shardElements == provenBound; }
};

/// Packs. Fails if a number is out of range (elements < 0, devices, granularity or an alignment
/// < 1) or if the buffer would not fit 63 bits; the message names the tensor.
StatusOr<PackingResult> packTensors(const PackingProblem &problem);

/// The blocks that each device holds of one tensor; a short last block counts as one. These are the
/// units of the tensor's ragged cut.
RunLengths packedUnits(const PackingProblem &problem, const PackingResult &result, int tensor);

/// Checks a packing against each constraint of the problem, independently of how it was found.
Status checkPacking(const PackingProblem &problem, const PackingResult &result);

} // namespace vescale::layout

#endif // VESCALE_LAYOUT_RAGGEDPACKING_H
