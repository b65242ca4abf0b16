//===- Races.cpp - Accesses that nothing orders ---------------------------===//

#include "runtime/format/Races.h"
#include "runtime/format/Describe.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

using namespace vescale::runtime;
using vescale::layout::Status;

namespace {

/// Number of each stream's instructions that happened before.
using Clock = std::vector<uint32_t>;

/// One access: the `time`-th instruction of a stream.
struct Touch {
  uint32_t stream = 0, time = 0, instruction = none;
};

/// What is known about the bytes from a map key to `end`.
struct Interval {
  uint64_t end = 0;
  Touch write;              // time 0: never written
  std::vector<Touch> reads; // since that write, the last one of each stream
};

class Checker {
public:
  Checker(const Schedule &schedule, size_t programNumber)
      : schedule(schedule), programNumber(programNumber), program(schedule.programs[programNumber]),
        clocks(program.streams.size(), Clock(program.streams.size(), 0)), events(program.events) {}

  Status check() { return run(0, program.instructions.size()); }

private:
  Status run(size_t begin, size_t end);
  Status execute(uint32_t index);
  Status access(uint32_t index, uint64_t begin, uint64_t end, bool write);
  std::map<uint64_t, Interval>::iterator split(uint64_t position);
  Status race(uint32_t first, uint32_t second, uint64_t begin, uint64_t end) const;

  const Schedule &schedule;
  size_t programNumber;
  const Program &program;
  std::vector<Clock> clocks; // by stream
  std::vector<Clock> events; // empty: never recorded
  std::map<uint64_t, Interval> arena;
};

Status Checker::run(size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    const auto *loop = std::get_if<LoopBegin>(&program.instructions[i].operation);
    if (!loop) {
      if (Status status = execute(static_cast<uint32_t>(i)); !status.ok())
        return status;
      continue;
    }
    size_t close = i + 1;
    for (int depth = 1;; ++close) {
      const Operation &operation = program.instructions[close].operation;
      depth += std::holds_alternative<LoopBegin>(operation);
      depth -= std::holds_alternative<LoopEnd>(operation);
      if (depth == 0)
        break;
    }
    for (uint32_t iteration = 0; iteration < std::min(loop->count, 2u); ++iteration)
      if (Status status = run(i + 1, close); !status.ok())
        return status;
    i = close;
  }
  return Status();
}

Status Checker::execute(uint32_t index) {
  const Instruction &instruction = program.instructions[index];
  Clock &clock = clocks[instruction.stream];
  ++clock[instruction.stream];
  if (const auto *record = std::get_if<RecordEvent>(&instruction.operation))
    events[record->event] = clock;
  if (const auto *wait = std::get_if<WaitEvent>(&instruction.operation))
    if (const Clock &event = events[wait->event]; !event.empty())
      for (size_t s = 0; s < clock.size(); ++s)
        clock[s] = std::max(clock[s], event[s]);
  for (const Operand &operand : instruction.operands) {
    uint64_t begin = program.buffers[operand.buffer].offset + operand.offset;
    if (operand.bytes > 0)
      if (Status status = access(index, begin, begin + operand.bytes, operand.writes());
          !status.ok())
        return status;
  }
  return Status();
}

/// Makes `position` a border between intervals; returns the first interval at or after it.
std::map<uint64_t, Interval>::iterator Checker::split(uint64_t position) {
  auto next = arena.lower_bound(position);
  if (next == arena.begin())
    return next;
  auto before = std::prev(next);
  if (before->second.end <= position)
    return next;
  Interval tail = before->second;
  before->second.end = position;
  return arena.emplace_hint(next, position, std::move(tail));
}

Status Checker::access(uint32_t index, uint64_t begin, uint64_t end, bool write) {
  uint32_t stream = program.instructions[index].stream;
  const Clock &clock = clocks[stream];
  Touch current{stream, clock[stream], index};
  auto ordered = [&](const Touch &earlier) { return earlier.time <= clock[earlier.stream]; };

  auto it = split(begin);
  split(end);
  uint64_t position = begin;
  while (position < end) {
    if (it == arena.end() || it->first > position) {
      uint64_t gap = it == arena.end() ? end : std::min(end, it->first);
      it = arena.emplace_hint(it, position, Interval{gap, {}, {}});
    }
    Interval &interval = it->second;
    if (!ordered(interval.write))
      return race(interval.write.instruction, index, it->first, interval.end);
    if (write) {
      for (const Touch &read : interval.reads)
        if (!ordered(read))
          return race(read.instruction, index, it->first, interval.end);
      interval.write = current;
      interval.reads.clear();
    } else {
      auto same = std::find_if(interval.reads.begin(), interval.reads.end(),
                               [&](const Touch &read) { return read.stream == stream; });
      if (same == interval.reads.end())
        interval.reads.push_back(current);
      else
        *same = current;
    }
    position = interval.end;
    ++it;
  }
  return Status();
}

Status Checker::race(uint32_t first, uint32_t second, uint64_t begin, uint64_t end) const {
  auto stream = [&](uint32_t i) { return program.streams[program.instructions[i].stream]; };
  return Status::error(fmt::format(
      "race: {} on stream {} and {} on stream {} both touch bytes [{}, {}) of the arena, one of "
      "them writes, and no event orders them",
      describe(schedule, programNumber, first), stream(first),
      describe(schedule, programNumber, second), stream(second), begin, end));
}

} // namespace

Status vescale::runtime::checkRaces(const Schedule &schedule, size_t programNumber) {
  return Checker(schedule, programNumber).check();
}
