//===- ThreadsCollective.h - One rank's part of a collective --------------===//
#ifndef VESCALE_RUNTIME_COMMUNICATOR_THREADSCOLLECTIVE_H
#define VESCALE_RUNTIME_COMMUNICATOR_THREADSCOLLECTIVE_H

#include "layout/BoxCopy.h"
#include "layout/Transfer.h"
#include "runtime/communicator/Communicator.h"
#include "runtime/communicator/RankGroup.h"
#include "runtime/communicator/Reduce.h"
#include "runtime/device/CpuCommand.h"

#include <map>
#include <optional>

namespace vescale::runtime {

/// A box of the output and where its contributions lie; their loops are the same.
struct ReducedBox {
  std::vector<const std::byte *> contributions; // first elements, in rank order
  std::byte *target = nullptr;
  std::vector<layout::CopyDim> dims;
};

class ThreadsCollective final : public CpuCommand {
public:
  ThreadsCollective(int64_t rank, CpuStream *stream, CollectiveCall call);

  bool run(CpuExecution &execution) override;
  bool canProceed(const CommandProgress &progress) const override;
  std::string describeWait(const CommandProgress &progress) const override;

  /// What connecting fills in.
  layout::Status setReception(const layout::Reception &reception,
                              const std::map<int64_t, ThreadsCollective *> &parts);
  void join(RankGroup &group);
  /// After all parts have joined: chooses the two phases where all members of the group reduce the
  /// same contiguous elements of all members. Fails where that is not so, though the result is to
  /// replace the input.
  layout::Status choosePhases(const std::vector<ThreadsCollective *> &members);

  const int64_t rank;
  CpuStream *const stream;
  const CollectiveCall call;
  /// Ranks that this one reads from.
  std::vector<int64_t> peers;

private:
  bool meet(CpuExecution &execution);
  void pull() const;
  void reducePart(CpuExecution &execution) const;
  void gatherParts() const;
  std::pair<int64_t, int64_t> part(size_t member) const;

  int64_t elementSize;
  int64_t localElements = 0;
  std::vector<ReducedBox> boxes;
  ReduceFunction reduce = nullptr;
  std::optional<layout::Reduction> fill;
  RankGroup *group = nullptr;
  size_t member = 0;
  bool twoPhases = false;
  std::vector<const std::byte *> outputs; // of the group's members, where twoPhases
};

/// Fails where one rank's output overlaps bytes of its input that a peer reads, or that it reads
/// itself for other elements.
layout::Status checkInPlace(const std::map<int64_t, ThreadsCollective *> &parts,
                            const std::map<int64_t, layout::Reception> &receptions);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_COMMUNICATOR_THREADSCOLLECTIVE_H
