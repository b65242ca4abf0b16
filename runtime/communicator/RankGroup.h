//===- RankGroup.h - Ranks of one process that meet -----------------------===//
#ifndef VESCALE_RUNTIME_COMMUNICATOR_RANKGROUP_H
#define VESCALE_RUNTIME_COMMUNICATOR_RANKGROUP_H

#include "runtime/device/CpuStream.h"

#include <atomic>
#include <string>
#include <vector>

namespace vescale::runtime {

/// The ranks that exchange data in one collective. They meet again and again: the r-th meeting is
/// complete when each member has arrived r times. Nobody arrives r + 1 times before that, as it
/// waits for the r-th meeting first, so one counter serves all meetings.
class RankGroup {
public:
  /// Returns the member's number.
  size_t join(int64_t rank, CpuStream *stream) {
    ranks.push_back(rank);
    streams.push_back(stream);
    rounds.push_back(0);
    return ranks.size() - 1;
  }

  size_t size() const { return ranks.size(); }

  /// A member arrives at its next meeting; returns the ticket to wait with. The last one wakes the
  /// others.
  uint64_t arrive(size_t member, CpuExecution &execution) {
    uint64_t ticket = ++rounds[member] * ranks.size();
    if (arrivals.fetch_add(1) + 1 == ticket && ranks.size() > 1)
      execution.wake(streams);
    return ticket;
  }
  bool complete(uint64_t ticket) const { return arrivals.load() >= ticket; }

  /// "ranks 1, 3": those that have not arrived. Only while nothing runs.
  std::string missing(uint64_t ticket) const {
    std::string text;
    for (size_t m = 0; m < ranks.size(); ++m)
      if (rounds[m] * ranks.size() < ticket)
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[m]);
    return "ranks " + text;
  }

private:
  std::vector<int64_t> ranks;
  std::vector<CpuStream *> streams;
  std::vector<uint64_t> rounds; // each written by its member only
  std::atomic<uint64_t> arrivals{0};
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_COMMUNICATOR_RANKGROUP_H
