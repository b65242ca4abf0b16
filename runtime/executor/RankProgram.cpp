//===- RankProgram.cpp - A program, bound to one rank's device ------------===//

#include "runtime/executor/RankProgram.h"
#include "layout/Region.h"
#include "runtime/executor/InstructionBinder.h"
#include "runtime/format/Describe.h"

#include <algorithm>

using namespace vescale::runtime;
using vescale::layout::Box;
using vescale::layout::Layout;
using vescale::layout::Status;
using vescale::layout::StatusOr;

std::vector<uint64_t> vescale::runtime::entriesByStream(const Program &program) {
  // Saturates: what matters is the order of magnitude of huge numbers.
  constexpr uint64_t limit = uint64_t(1) << 32;
  std::vector<uint64_t> entries(program.streams.size(), 0), counts = {1};
  for (const Instruction &instruction : program.instructions) {
    if (const auto *loop = std::get_if<LoopBegin>(&instruction.operation))
      counts.push_back(std::min(limit, counts.back() * loop->count));
    else if (std::holds_alternative<LoopEnd>(instruction.operation))
      counts.pop_back();
    else
      entries[instruction.stream] = std::min(limit, entries[instruction.stream] + counts.back());
  }
  return entries;
}

BoundScalar vescale::runtime::bindScalar(const Scalar &scalar, const ResolvedLayouts &layouts,
                                         int64_t rank) {
  BoundScalar bound{scalar.kind, scalar.scale, scalar.constant, 0};
  int64_t value = 0;
  switch (scalar.kind) {
  case ScalarKind::LoopIndex:
    bound.loop = scalar.dim;
    return bound;
  case ScalarKind::Step:
  case ScalarKind::SeedLow:
  case ScalarKind::SeedHigh:
    return bound;
  case ScalarKind::Constant:
    break;
  case ScalarKind::AxisIndex:
    value = layouts.coordinate(rank)[scalar.dim];
    break;
  case ScalarKind::RegionStart: {
    const Layout &layout = layouts.layouts[scalar.layout];
    std::vector<Box> boxes =
        region(layout, scalar.shape, layout.mesh().coordinate(*layout.mesh().positionOf(rank)));
    value = boxes.empty() ? 0 : boxes[scalar.box].offset[scalar.dim];
    break;
  }
  }
  return {ScalarKind::Constant, 0, scalar.scale * value + scalar.constant, 0};
}

Status RankProgram::bind(const BindContext &context) {
  const Program &program = context.schedule.programs[context.program];
  std::vector<EventId> events;
  for (uint32_t e = 0; e < program.events; ++e)
    events.push_back(context.device.createEvent());

  InstructionBinder binder(context, program);
  std::vector<uint32_t> loops;
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    Issue issue{Issue::Kind::command, instruction.stream, 0, context.firstInstruction + i};
    if (const auto *record = std::get_if<RecordEvent>(&instruction.operation)) {
      issue.kind = Issue::Kind::record;
      issue.index = events[record->event];
    } else if (const auto *wait = std::get_if<WaitEvent>(&instruction.operation)) {
      issue.kind = Issue::Kind::wait;
      issue.index = events[wait->event];
    } else if (const auto *loop = std::get_if<LoopBegin>(&instruction.operation)) {
      issue.kind = Issue::Kind::loopBegin;
      issue.index = loop->count;
      loops.push_back(i);
    } else if (std::holds_alternative<LoopEnd>(instruction.operation)) {
      issue.kind = Issue::Kind::loopEnd;
      issue.index = loops.back() + 1;
      loops.pop_back();
    } else {
      StatusOr<CommandId> command = binder.bind(instruction);
      if (!command.ok())
        return Status::error("rank " + std::to_string(context.rank) + ": " +
                             describe(context.schedule, context.program, i) + ": " +
                             command.message());
      issue.index = *command;
    }
    issues.push_back(issue);
  }
  return Status();
}

void RankProgram::restart() {
  next = 0;
  depth = 0;
  iteration = Iteration();
}

bool RankProgram::walk(Device &device, bool &progress) {
  while (next < issues.size()) {
    const Issue &issue = issues[next];
    switch (issue.kind) {
    case Issue::Kind::command:
      if (!device.enqueue(issue.stream, issue.index, issue.instruction, iteration))
        return false;
      break;
    case Issue::Kind::record:
      if (!device.record(issue.stream, issue.index, issue.instruction))
        return false;
      break;
    case Issue::Kind::wait:
      if (!device.wait(issue.stream, issue.index, issue.instruction))
        return false;
      break;
    case Issue::Kind::loopBegin:
      counts[depth] = issue.index;
      iteration.loops[depth] = 0;
      ++depth;
      break;
    case Issue::Kind::loopEnd:
      if (++iteration.loops[depth - 1] < counts[depth - 1]) {
        next = issue.index;
        continue;
      }
      --depth;
      iteration.loops[depth] = 0;
      break;
    }
    progress = true;
    ++next;
  }
  return true;
}
