//===- ThreadsCommunicator.h - All ranks in one process -------------------===//
//
// Ranks meet without occupying a worker, then each copies what it needs straight out of the arenas
// of its peers, by the list that layout/Transfer.h gives it, and meets the others again before the
// bytes that were read may change. Contributions are reduced in rank order, so that results do not
// depend on timing. Counts may be uneven; nothing is padded.
//
// An all-reduce of g ranks is done in two phases: each rank reduces its g-th of the elements, then
// copies the other parts from the ranks that reduced them.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_COMMUNICATOR_THREADSCOMMUNICATOR_H
#define VESCALE_RUNTIME_COMMUNICATOR_THREADSCOMMUNICATOR_H

#include "runtime/communicator/Communicator.h"
#include "runtime/communicator/RankGroup.h"
#include "runtime/device/CpuDevice.h"

#include <deque>
#include <map>

namespace vescale::runtime {

class ThreadsCollective;

class ThreadsCommunicator final : public Communicator {
public:
  /// `device` must be a CpuDevice of the one pool of this process.
  layout::StatusOr<CommandId> prepare(int64_t rank, Device &device, StreamId stream,
                                      CollectiveCall call) override;
  layout::Status connect() override;

private:
  /// One id: the commands of its ranks, which the devices own.
  using Parts = std::map<int64_t, ThreadsCollective *>;

  layout::Status connect(Parts &parts);

  std::map<uint32_t, Parts> collectives;
  std::deque<RankGroup> groups;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_COMMUNICATOR_THREADSCOMMUNICATOR_H
