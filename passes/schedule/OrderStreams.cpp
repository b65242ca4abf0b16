//===- OrderStreams.cpp - lets streams wait where they touch the same bytes ===//
//
// See the description in Passes.td. What is known about the arena is a map of disjoint byte ranges;
// ranges are split where an access begins or ends inside them.
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/Passes.h"

#include "dialects/sched/SchedOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_ORDERSTREAMSPASS
#include "passes/schedule/Passes.h.inc"

namespace {

using sched::InstructionOpInterface;

/// For each stream, how many of its instructions are known to have happened.
using Clock = SmallVector<int64_t, 4>;

/// An access: the `time`-th instruction of a stream; none at time 0.
struct Touch {
  int64_t stream = 0, time = 0;
};

struct Bytes {
  int64_t end = 0;
  Touch write;
  /// Since that write, the last one of each stream.
  SmallVector<Touch, 2> reads;
};

class ProgramOrderer {
public:
  explicit ProgramOrderer(sched::ProgramOp program)
      : program(program), known(program.getStreams().size(), Clock(program.getStreams().size(), 0)),
        history(program.getStreams().size()) {}

  /// Adds events; returns how many events and waits there are.
  std::pair<unsigned, unsigned> run() {
    walk(program.getBody().front());
    unsigned waits = 0;
    OpBuilder builder(program.getContext());
    llvm::DenseMap<Operation *, int64_t> eventAfter;
    int64_t events = 0;
    for (auto &[op, sources] : waitsBefore)
      for (Operation *source : sources) {
        auto [entry, isNew] = eventAfter.try_emplace(source, events);
        if (isNew) {
          builder.setInsertionPointAfter(source);
          builder.create<sched::RecordOp>(source->getLoc(), events++,
                                          cast<InstructionOpInterface>(source).getStream());
        }
        builder.setInsertionPoint(op);
        builder.create<sched::WaitOp>(op->getLoc(), entry->second,
                                      cast<InstructionOpInterface>(op).getStream());
        ++waits;
      }
    program.setEvents(events);
    return {events, waits};
  }

private:
  void walk(Block &block) {
    for (Operation &op : block) {
      if (auto instruction = dyn_cast<InstructionOpInterface>(op))
        execute(instruction);
      // The second run of a loop's body meets what the first left behind.
      for (int run = 0; run < 2; ++run)
        for (Region &region : op.getRegions())
          walk(region.front());
    }
  }

  void execute(InstructionOpInterface op) {
    int64_t stream = op.getStream();
    SmallVector<Touch> conflicts;
    int64_t time = static_cast<int64_t>(history[stream].size()) + 1;
    for (unsigned operand = 0; operand < op.getBuffers().size(); ++operand) {
      sched::ArenaRange range = sched::operandRange(op, operand);
      if (range.begin < range.end)
        access(range.begin, range.end, {stream, time}, op.getAccess()[operand] != sched::read, conflicts);
    }
    // The latest first: what it knows may make waiting for the others needless.
    llvm::sort(conflicts, [](const Touch &a, const Touch &b) {
      return a.time != b.time ? a.time > b.time : a.stream < b.stream;
    });
    Clock &clock = known[stream];
    for (const Touch &touch : conflicts) {
      if (touch.stream == stream || touch.time <= clock[touch.stream])
        continue;
      const auto &[source, sourceClock] = history[touch.stream][touch.time - 1];
      waitsBefore[op].insert(source);
      for (size_t s = 0; s < clock.size(); ++s)
        clock[s] = std::max(clock[s], sourceClock[s]);
    }
    clock[stream] = time;
    history[stream].push_back({op, clock});
  }

  /// Makes `position` a border between ranges.
  void split(int64_t position) {
    auto next = arena.upper_bound(position);
    if (next == arena.begin())
      return;
    auto before = std::prev(next);
    if (before->first == position || before->second.end <= position)
      return;
    Bytes tail = before->second;
    before->second.end = position;
    arena.emplace(position, std::move(tail));
  }

  /// Notes an access and collects the earlier ones that must have happened.
  void access(int64_t begin, int64_t end, Touch touch, bool write, SmallVectorImpl<Touch> &conflicts) {
    split(begin);
    split(end);
    int64_t position = begin;
    auto it = arena.lower_bound(begin);
    while (position < end) {
      if (it == arena.end() || it->first > position) {
        int64_t gap = it == arena.end() ? end : std::min(end, it->first);
        it = arena.emplace_hint(it, position, Bytes{gap, {}, {}});
      }
      Bytes &bytes = it->second;
      if (bytes.write.time > 0)
        conflicts.push_back(bytes.write);
      if (write) {
        llvm::append_range(conflicts, bytes.reads);
        bytes.write = touch;
        bytes.reads.clear();
      } else {
        auto same = llvm::find_if(bytes.reads, [&](const Touch &read) { return read.stream == touch.stream; });
        if (same == bytes.reads.end())
          bytes.reads.push_back(touch);
        else
          *same = touch;
      }
      position = bytes.end;
      ++it;
    }
  }

  sched::ProgramOp program;
  SmallVector<Clock> known;
  /// Of each stream: its instructions, with what was known after each.
  SmallVector<SmallVector<std::pair<Operation *, Clock>, 0>> history;
  std::map<int64_t, Bytes> arena;
  llvm::MapVector<Operation *, llvm::SmallSetVector<Operation *, 2>> waitsBefore;
};

struct OrderStreamsPass : impl::OrderStreamsPassBase<OrderStreamsPass> {
  using OrderStreamsPassBase::OrderStreamsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](sched::ProgramOp program) {
      auto [events, waits] = ProgramOrderer(program).run();
      numEvents += events;
      numWaits += waits;
    });
  }
};

} // namespace
} // namespace vescale
