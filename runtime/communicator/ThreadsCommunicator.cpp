//===- ThreadsCommunicator.cpp - All ranks in one process -----------------===//

#include "runtime/communicator/ThreadsCommunicator.h"
#include "runtime/communicator/ThreadsCollective.h"

#include <algorithm>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Layout;
using vescale::layout::Reception;
using vescale::layout::Status;
using vescale::layout::StatusOr;
using vescale::layout::Transfer;

StatusOr<CommandId> ThreadsCommunicator::prepare(int64_t rank, Device &device, StreamId stream,
                                                 CollectiveCall call) {
  auto &cpu = static_cast<CpuDevice &>(device);
  auto command = std::make_unique<ThreadsCollective>(rank, &cpu.stream(stream), std::move(call));
  auto [it, inserted] = collectives[command->call.id].emplace(rank, command.get());
  if (!inserted)
    return Status::error(
        fmt::format("rank {} has two collectives of id {}", rank, command->call.id));
  cpu.stream(stream).setGoesFirst();
  return cpu.add(std::move(command));
}

Status ThreadsCommunicator::connect() {
  for (auto &[id, parts] : collectives)
    if (Status status = connect(parts); !status.ok())
      return status;
  return Status();
}

Status ThreadsCommunicator::connect(Parts &parts) {
  const CollectiveCall &call = parts.begin()->second->call;
  StatusOr<Transfer> transfer = Transfer::get(call.source, call.target, call.shape);
  if (!transfer.ok())
    return Status::error(fmt::format("collective {}: {}", call.id, transfer.message()));
  std::map<int64_t, Reception> receptions;
  for (auto [rank, part] : parts) {
    std::optional<int64_t> position = call.target.mesh().positionOf(rank);
    if (!position)
      continue;
    if (!part->call.output.address)
      return Status::error(fmt::format("collective {}: rank {} has no output", call.id, rank));
    const Reception &reception =
        receptions.emplace(rank, transfer->receive(*position)).first->second;
    if (Status status = part->setReception(reception, parts); !status.ok())
      return status;
  }
  if (Status status = checkInPlace(parts, receptions); !status.ok())
    return status;

  // Ranks that exchange data, directly or by way of others, form a group.
  std::map<int64_t, int64_t> leader;
  for (auto [rank, part] : parts)
    leader[rank] = rank;
  auto find = [&](int64_t rank) {
    while (leader[rank] != rank)
      rank = leader[rank] = leader[leader[rank]];
    return rank;
  };
  for (auto [rank, part] : parts)
    for (int64_t peer : part->peers) {
      int64_t a = find(rank), b = find(peer);
      leader[std::max(a, b)] = std::min(a, b);
    }
  std::map<int64_t, std::vector<ThreadsCollective *>> members;
  for (auto [rank, part] : parts)
    members[find(rank)].push_back(part);
  for (auto &[first, list] : members) {
    // Contributions come by ascending position in the source mesh, which need not be that of ranks.
    std::sort(list.begin(), list.end(), [&](const auto *a, const auto *b) {
      return call.source.mesh().positionOf(a->rank) < call.source.mesh().positionOf(b->rank);
    });
    groups.emplace_back();
    for (ThreadsCollective *part : list)
      part->join(groups.back());
    if (call.kind == CollectiveKind::AllReduce)
      for (ThreadsCollective *part : list)
        if (Status status = part->choosePhases(list); !status.ok())
          return status;
  }
  return Status();
}
