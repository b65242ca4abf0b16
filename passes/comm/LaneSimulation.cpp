//===- LaneSimulation.cpp - When the collectives of a block are launched ------------------===//

#include "passes/comm/LaneSimulation.h"

#include <set>

using namespace mlir;

namespace vescale {
namespace {

class Simulation {
public:
  Simulation(const Transfers &transfers, const analysis::MachineModel &machine, LiveBytes &live,
             const LaneOptions &options)
      : transfers(transfers), live(live), options(options), before(1, 0.0),
        ready(transfers.all.size(), 0.0), launchOf(transfers.all.size(), -1),
        retry(transfers.all.size(), 0), joinable(transfers.numKeys()) {
    for (Operation *op : transfers.ops)
      before.push_back(before.back() + machine.computeSeconds(op));
    for (const Transfer &transfer : transfers.all) {
      latency.push_back(machine.launchSeconds(transfer.step));
      moving.push_back(machine.transferSeconds(transfer.step));
      waitingFor.push_back(transfer.inputs);
    }
  }

  LaneSchedule run() {
    for (int transfer = 0; transfer < static_cast<int>(transfers.all.size()); ++transfer)
      if (waitingFor[transfer] == 0)
        makeReady(transfer, 0);
    for (op = 0; op < static_cast<int>(transfers.ops.size()); ++op) {
      for (int needed : transfers.neededByOp[op]) {
        while (launchOf[needed] < 0)
          launchFirst();
        Launch &launch = result.launches[launchOf[needed]];
        if (launch.finish > now) {
          launch.exposed += launch.finish - now;
          now = launch.finish;
        }
      }
      double end = now + before[op + 1] - before[op];
      while (launchUntil(end)) {
      }
      now = end;
      for (int transfer : transfers.afterOp[op])
        release(transfer, now);
    }
    // What only the communication of others needs, or nobody.
    op = static_cast<int>(transfers.ops.size()) - 1;
    while (!queue.empty())
      launchFirst();
    result.seconds = std::max(now, lane);
    return std::move(result);
  }

private:
  void makeReady(int transfer, double time) {
    ready[transfer] = time;
    queue.insert({transfers.all[transfer].need, transfer});
    if (options.merge)
      joinable[transfers.keyOf(transfer)].insert({transfers.all[transfer].need, transfer});
  }

  /// Takes a transfer out of those that can be launched.
  void take(int transfer) {
    queue.erase({transfers.all[transfer].need, transfer});
    if (options.merge)
      joinable[transfers.keyOf(transfer)].erase({transfers.all[transfer].need, transfer});
  }

  void release(int transfer, double time) {
    if (--waitingFor[transfer] == 0)
      makeReady(transfer, time);
  }

  /// Launches what is needed first, whatever memory says.
  void launchFirst() {
    int transfer = queue.begin()->second;
    launch(transfer, std::max({lane, ready[transfer], now}));
  }

  /// Launches what is needed first among what memory allows, if the lane is free before `end`.
  bool launchUntil(double end) {
    for (auto [need, transfer] : queue) {
      double start = std::max({lane, ready[transfer], now});
      if (start >= end)
        return false;
      if (retry[transfer] > op)
        continue;
      double finish = start + latency[transfer] + moving[transfer];
      int after = 0;
      if (!live.allows({transfer}, op, overAt(finish), after)) {
        if (retry[transfer] == 0)
          ++result.delayed;
        retry[transfer] = std::max(after, op + 1);
        continue;
      }
      launch(transfer, start);
      return true;
    }
    return false;
  }

  void launch(int transfer, double start) {
    Launch launch;
    launch.transfers = {transfer};
    launch.before = op;
    launch.start = start;
    launch.finish = start + latency[transfer] + moving[transfer];
    take(transfer);
    if (options.merge)
      merge(launch);
    launch.over = overAt(launch.finish);
    live.place(launch.transfers, op, launch.over);
    lane = launch.finish;
    for (int member : launch.transfers)
      launchOf[member] = static_cast<int>(result.launches.size());
    result.launches.push_back(launch);
    for (int member : launch.transfers)
      for (int next : transfers.afterTransfer[member])
        release(next, launch.finish);
  }

  /// Adds to a launch what can join it and costs less so. Two launches, one after the other, delay
  /// the ops by the longer of two waits; a common one by the wait of the first need for all bytes.
  /// A launch itself costs its latency, hidden or not.
  void merge(Launch &launch) {
    int first = launch.transfers[0];
    double firstNeed = timeOf(transfers.all[first].need);
    SmallVector<int> members = {first};
    SmallVector<double> finishes = {launch.finish};
    for (auto [need, other] : joinable[transfers.keyOf(first)]) {
      double merged = finishes.back() + moving[other];
      double apart = finishes.back() + latency[other] + moving[other];
      double waitApart = std::max({0.0, finishes.back() - firstNeed, apart - timeOf(need)});
      double waitMerged = std::max(0.0, merged - firstNeed);
      if (waitMerged > waitApart + latency[other])
        continue;
      members.push_back(other);
      finishes.push_back(merged);
    }
    size_t count = membersInMemory(members, finishes);
    launch.transfers.assign(members.begin(), members.begin() + count);
    launch.finish = finishes[count - 1];
    for (int member : ArrayRef(launch.transfers).drop_front())
      take(member);
  }

  /// How many members, in the order of their needs, memory allows in one launch that is over at the
  /// time of the last of them. What is needed later is in memory longer, so if some are too many,
  /// more are too.
  size_t membersInMemory(ArrayRef<int> members, ArrayRef<double> finishes) const {
    auto allowed = [&](size_t count) {
      int after = 0;
      return live.allows(members.take_front(count), op, overAt(finishes[count - 1]), after);
    };
    size_t most = members.size();
    if (most == 1 || allowed(most))
      return most;
    size_t fits = 1;
    while (most - fits > 1) {
      size_t middle = fits + (most - fits) / 2;
      (allowed(middle) ? fits : most) = middle;
    }
    return fits;
  }

  /// When an op begins, if nothing holds the ops before it up.
  double timeOf(int later) const { return now + before[later] - before[op]; }

  /// The first op that begins at `time` or after it.
  int overAt(double time) const {
    auto it = std::lower_bound(before.begin() + op, before.end() - 1, time - now + before[op]);
    return std::min<int>(static_cast<int>(it - before.begin()), static_cast<int>(transfers.ops.size()) - 1);
  }

  const Transfers &transfers;
  LiveBytes &live;
  const LaneOptions &options;
  /// Seconds of the ops before each, and of all.
  std::vector<double> before;
  std::vector<double> latency, moving;
  std::vector<double> ready;
  std::vector<int> waitingFor, launchOf;
  /// The op before which memory may allow a transfer that it refused.
  std::vector<int> retry;
  /// Transfers whose operands exist, by what needs them.
  std::set<std::pair<int, int>> queue;
  /// The same by Transfers::keyOf, where transfers are merged.
  std::vector<std::set<std::pair<int, int>>> joinable;
  /// The op that comes next, when it begins, and when the communication lane is free.
  int op = 0;
  double now = 0, lane = 0;
  LaneSchedule result;
};

} // namespace

LaneSchedule simulateLanes(const Transfers &transfers, const analysis::MachineModel &machine,
                           LiveBytes &live, const LaneOptions &options) {
  return Simulation(transfers, machine, live, options).run();
}

} // namespace vescale
