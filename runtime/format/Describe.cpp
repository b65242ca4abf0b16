//===- Describe.cpp - Names of instructions in messages -------------------===//

#include "runtime/format/Describe.h"

#include <fmt/format.h>

using namespace vescale::runtime;

namespace {

struct Name {
  const char *operator()(const LaunchKernel &) const { return "kernel"; }
  const char *operator()(const MatMul &) const { return "matmul"; }
  const char *operator()(const Attention &o) const {
    return o.backward ? "attention_gradient" : "attention";
  }
  const char *operator()(const Collective &o) const {
    switch (o.kind) {
    case CollectiveKind::AllGather:
      return "all_gather";
    case CollectiveKind::ReduceScatter:
      return "reduce_scatter";
    case CollectiveKind::AllReduce:
      return "all_reduce";
    case CollectiveKind::AllToAll:
      return "all_to_all";
    case CollectiveKind::Permute:
      return "permute";
    case CollectiveKind::Exchange:
      return "exchange";
    }
    return "collective";
  }
  const char *operator()(const Copy &) const { return "copy"; }
  const char *operator()(const RecordEvent &) const { return "record_event"; }
  const char *operator()(const WaitEvent &) const { return "wait_event"; }
  const char *operator()(const HostInput &) const { return "host_input"; }
  const char *operator()(const HostOutput &) const { return "host_output"; }
  const char *operator()(const ScalarUpdate &) const { return "scalar_update"; }
  const char *operator()(const LoopBegin &) const { return "loop_begin"; }
  const char *operator()(const LoopEnd &) const { return "loop_end"; }
};

} // namespace

const char *vescale::runtime::operationName(const Operation &operation) {
  return std::visit(Name(), operation);
}

std::string vescale::runtime::programName(const Schedule &schedule, size_t program) {
  size_t classes = schedule.numClasses();
  if (schedule.functions.size() < 2 || classes == 0 || program >= schedule.programs.size())
    return fmt::format("class {}", program);
  return fmt::format("class {} of {}", program % classes, schedule.functions[program / classes]);
}

std::string vescale::runtime::describe(const Schedule &schedule, size_t program,
                                       size_t instruction) {
  std::string what = "?";
  if (program < schedule.programs.size() &&
      instruction < schedule.programs[program].instructions.size()) {
    const Instruction &i = schedule.programs[program].instructions[instruction];
    what = operationName(i.operation);
    if (i.location < schedule.locations.size()) {
      const Location &l = schedule.locations[i.location];
      if (!l.label.empty())
        what += fmt::format(" \"{}\"", l.label);
      if (!l.file.empty())
        what += fmt::format(" at {}:{}:{}", l.file, l.line, l.column);
    }
  }
  return fmt::format("instruction {} ({}) of {}", instruction, what,
                     programName(schedule, program));
}
