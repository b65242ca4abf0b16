//===- VerifyProgram.cpp - Checks of one class's program ------------------===//

#include "runtime/format/VerifyProgram.h"
#include "runtime/format/Describe.h"

#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Status;

namespace {

/// Larger files or arenas are not refused for what they are but for what they could overflow.
constexpr uint64_t maximumBytes = uint64_t(1) << 60;

Status verifyBuffers(const Program &program, const std::string &name) {
  if (program.arenaBytes > maximumBytes)
    return Status::error(
        fmt::format("{}: an arena of {} bytes cannot exist", name, program.arenaBytes));
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer &buffer = program.buffers[b];
    if (buffer.offset % bufferAlignment != 0)
      return Status::error(fmt::format("{}: buffer {} starts at byte {}, which is not a "
                                       "multiple of {}",
                                       name, b, buffer.offset, bufferAlignment));
    if (buffer.offset > program.arenaBytes || buffer.bytes > program.arenaBytes - buffer.offset)
      return Status::error(fmt::format("{}: buffer {}, bytes [{}, {} + {}), does not lie in "
                                       "the arena of {} bytes",
                                       name, b, buffer.offset, buffer.offset, buffer.bytes,
                                       program.arenaBytes));
  }
  return Status();
}

Status verifyScalars(const Schedule &schedule, const Program &program, const std::string &name) {
  for (size_t s = 0; s < program.scalars.size(); ++s) {
    const Scalar &scalar = program.scalars[s];
    bool region = scalar.kind == ScalarKind::RegionStart;
    if (region && (scalar.layout >= schedule.layouts.size() || scalar.dim >= scalar.shape.size()))
      return Status::error(fmt::format("{}: scalar {} is the start of dim {} of a shape of "
                                       "{} dims under layout {}, of {} layouts",
                                       name, s, scalar.dim, scalar.shape.size(),
                                       scalar.layout, schedule.layouts.size()));
    if (scalar.kind == ScalarKind::AxisIndex && scalar.dim >= schedule.classMap.axes.size())
      return Status::error(fmt::format("{}: scalar {} is the index on axis {} of a mesh of "
                                       "{} axes",
                                       name, s, scalar.dim, schedule.classMap.axes.size()));
    if (scalar.kind == ScalarKind::LoopIndex && scalar.dim >= maximumLoopDepth)
      return Status::error(fmt::format("{}: scalar {} is the iteration of loop {}, loops "
                                       "nest at most {} deep",
                                       name, s, scalar.dim, maximumLoopDepth));
  }
  return Status();
}

/// Checks one instruction at a time, in list order.
class InstructionVerifier {
public:
  InstructionVerifier(const Schedule &schedule, size_t programNumber)
      : schedule(schedule), programNumber(programNumber), program(schedule.programs[programNumber]) {}

  Status verify();

private:
  Status verifyInstruction(size_t index);
  Status verifyLoopIndices(const Instruction &instruction) const;
  Status verifyEvents();
  Status error(size_t index, const std::string &what) const {
    return Status::error(describe(schedule, programNumber, index) + ": " + what);
  }

  const Schedule &schedule;
  size_t programNumber;
  const Program &program;
  std::vector<size_t> loops; // LoopBegin instructions that are open
};

Status InstructionVerifier::verifyLoopIndices(const Instruction &instruction) const {
  auto check = [&](uint32_t index) {
    if (index >= program.scalars.size())
      return Status::error(
          fmt::format("there is no scalar {}, the program has {}", index, program.scalars.size()));
    const Scalar &scalar = program.scalars[index];
    if (scalar.kind == ScalarKind::LoopIndex && scalar.dim >= loops.size())
      return Status::error(fmt::format("scalar {} is the iteration of loop {}, but the instruction "
                                       "stands in {} loops",
                                       index, scalar.dim, loops.size()));
    return Status();
  };
  if (const auto *launch = std::get_if<LaunchKernel>(&instruction.operation)) {
    for (uint32_t scalar : launch->scalars)
      if (Status status = check(scalar); !status.ok())
        return status;
  } else if (const auto *a = std::get_if<Attention>(&instruction.operation)) {
    for (uint32_t scalar : {a->batchStart, a->headStart, a->queryStart, a->keyStart, a->drawId})
      if (Status status = check(scalar); !status.ok())
        return status;
  }
  return Status();
}

Status InstructionVerifier::verifyInstruction(size_t index) {
  const Instruction &instruction = program.instructions[index];
  if (instruction.stream >= program.streams.size())
    return error(index, fmt::format("there is no stream {}, the program has {}", instruction.stream,
                                    program.streams.size()));
  if (instruction.location != none && instruction.location >= schedule.locations.size())
    return error(index, fmt::format("there is no location {}", instruction.location));
  for (size_t o = 0; o < instruction.operands.size(); ++o) {
    const Operand &operand = instruction.operands[o];
    if (operand.buffer >= program.buffers.size())
      return error(index, fmt::format("operand {}: there is no buffer {}, the program has {}", o,
                                      operand.buffer, program.buffers.size()));
    if (operand.access == Access::None)
      return error(index, fmt::format("operand {} is neither read nor written", o));
    uint64_t bytes = program.buffers[operand.buffer].bytes;
    if (operand.offset > bytes || operand.bytes > bytes - operand.offset)
      return error(index, fmt::format("operand {}, bytes [{}, {} + {}), does not lie in buffer {} "
                                      "of {} bytes",
                                      o, operand.offset, operand.offset, operand.bytes,
                                      operand.buffer, bytes));
  }
  if (Status status = verifyOperation(schedule, program, instruction); !status.ok())
    return error(index, status.message());
  if (Status status = verifyLoopIndices(instruction); !status.ok())
    return error(index, status.message());

  const Operation &operation = instruction.operation;
  if (const auto *loop = std::get_if<LoopBegin>(&operation)) {
    if (loop->count == 0)
      return error(index, "a loop runs at least once");
    loops.push_back(index);
    if (loops.size() > maximumLoopDepth)
      return error(index, fmt::format("loops nest at most {} deep", maximumLoopDepth));
  } else if (std::holds_alternative<LoopEnd>(operation)) {
    if (loops.empty())
      return error(index, "no loop is open");
    loops.pop_back();
  }
  return Status();
}

/// A wait is for the latest record before it. Within a loop the record may stand after the wait:
/// the first iteration then goes on at once, the others wait for the iteration before.
Status InstructionVerifier::verifyEvents() {
  constexpr size_t never = ~size_t(0);
  std::vector<size_t> firstRecord(program.events, never);
  for (size_t i = 0; i < program.instructions.size(); ++i)
    if (const auto *record = std::get_if<RecordEvent>(&program.instructions[i].operation)) {
      if (record->event >= program.events)
        return error(i, fmt::format("there is no event {}, the program has {}", record->event,
                                    program.events));
      firstRecord[record->event] = std::min(firstRecord[record->event], i);
    }
  std::vector<size_t> loopEnd; // by open loop
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Operation &operation = program.instructions[i].operation;
    if (std::holds_alternative<LoopBegin>(operation)) {
      size_t close = i + 1;
      for (int depth = 1;; ++close) {
        depth += std::holds_alternative<LoopBegin>(program.instructions[close].operation);
        depth -= std::holds_alternative<LoopEnd>(program.instructions[close].operation);
        if (depth == 0)
          break;
      }
      loopEnd.push_back(close);
    } else if (std::holds_alternative<LoopEnd>(operation)) {
      loopEnd.pop_back();
    } else if (const auto *wait = std::get_if<WaitEvent>(&operation)) {
      if (wait->event >= program.events)
        return error(i, fmt::format("there is no event {}, the program has {}", wait->event,
                                    program.events));
      size_t limit = loopEnd.empty() ? i : loopEnd.front();
      if (firstRecord[wait->event] == never || firstRecord[wait->event] >= limit)
        return error(
            i, fmt::format("waits for event {}, which nothing before it records", wait->event));
    }
  }
  return Status();
}

Status InstructionVerifier::verify() {
  for (size_t i = 0; i < program.instructions.size(); ++i)
    if (Status status = verifyInstruction(i); !status.ok())
      return status;
  if (!loops.empty())
    return error(loops.back(), "the loop has no end");
  return verifyEvents();
}

} // namespace

Status vescale::runtime::verifyProgram(const Schedule &schedule, size_t programNumber) {
  const Program &program = schedule.programs[programNumber];
  std::string name = programName(schedule, programNumber);
  if (program.streams.empty() || program.streams.size() > maximumStreams)
    return Status::error(fmt::format("{} has {} streams, between 1 and {} are possible", name,
                                     program.streams.size(), maximumStreams));
  if (program.events > program.instructions.size())
    return Status::error(fmt::format("{} has {} events but only {} instructions", name,
                                     program.events, program.instructions.size()));
  if (Status status = verifyBuffers(program, name); !status.ok())
    return status;
  if (Status status = verifyScalars(schedule, program, name); !status.ok())
    return status;
  return InstructionVerifier(schedule, programNumber).verify();
}
