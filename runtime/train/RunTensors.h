//===- RunTensors.h - The named tensors of a run ----------------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_RUNTENSORS_H
#define VESCALE_RUNTIME_TRAIN_RUNTENSORS_H

#include "layout/Region.h"
#include "layout/Status.h"
#include "runtime/checkpoint/SafeTensors.h"
#include "runtime/format/Schedule.h"
#include "runtime/format/Verify.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vescale::runtime {

/// A rank's part of a tensor of the schedule.
struct RankPart {
  std::byte *data = nullptr; ///< In the rank's arena; nullptr where the rank has no part.
  int64_t bytes = 0;
  layout::LocalRegion region;
  bool first = false; ///< No rank before this one holds the same part: this one writes it to files.
};

/// Where each rank keeps its part of each tensor, for all ranks of the process. The schedule must
/// have been verified and must outlive this.
class RunTensors {
public:
  /// \param locate the address of a rank's part of a tensor, nullptr where it has none.
  RunTensors(const Schedule &schedule, const ResolvedLayouts &layouts,
             const std::function<std::byte *(uint32_t tensor, int64_t rank)> &locate);

  const Schedule &schedule() const { return *source; }
  int64_t ranks() const { return rankCount; }
  const RankPart &part(size_t tensor, int64_t rank) const {
    return parts[tensor * rankCount + rank];
  }

  /// Gives all tensors their first values: those of their initialisers, the random ones by global
  /// index at step 0. Tensors of initialiser None stay as they are. `File` initialisers must have
  /// been loaded by `load`.
  layout::Status initialize(uint64_t seed) const;

  /// Reads parameters and state from a file. Errors: a parameter that is missing, state of which
  /// only some is there, a tensor of the file that the model lacks, another shape or type.
  layout::Status load(const std::string &path) const;

  /// Writes the tensors of the given roles, as global tensors, in the order of the schedule.
  /// Tensors that are partial have no global value: they are refused.
  layout::Status save(const std::string &path, const std::vector<TensorRole> &roles) const;

  /// Whether `save` would succeed now: makes the file and discards it.
  layout::Status checkSave(const std::string &path, const std::vector<TensorRole> &roles) const;

  /// Indices of the tensors of a role.
  std::vector<size_t> withRole(TensorRole role) const;

  /// The entries of a file of these tensors; fails where one is partial.
  layout::StatusOr<std::vector<StoredTensor>> describe(const std::vector<size_t> &tensors) const;

private:
  std::vector<size_t> withRoles(const std::vector<TensorRole> &roles) const;
  layout::StatusOr<SafeTensorsWriter> startFile(const std::string &path,
                                                const std::vector<size_t> &chosen) const;
  layout::Status initializePart(const Tensor &tensor, const RankPart &part, uint64_t seed) const;

  const Schedule *source;
  const ResolvedLayouts *layouts;
  int64_t rankCount;
  std::vector<RankPart> parts; ///< By tensor, then by rank.
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_RUNTENSORS_H
