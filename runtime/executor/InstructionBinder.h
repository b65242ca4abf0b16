//===- InstructionBinder.h - From an instruction to a device's command ----===//
#ifndef VESCALE_RUNTIME_EXECUTOR_INSTRUCTIONBINDER_H
#define VESCALE_RUNTIME_EXECUTOR_INSTRUCTIONBINDER_H

#include "runtime/executor/RankProgram.h"

namespace vescale::runtime {

/// Prepares instructions of one program on one rank's device: operands become addresses in its
/// arena, scalars become numbers.
class InstructionBinder {
public:
  InstructionBinder(const BindContext &context, const Program &program)
      : context(context), program(program) {}

  /// Everything but events and loops.
  layout::StatusOr<CommandId> bind(const Instruction &instruction);

private:
  using Ranges = std::vector<AccessRange>;

  layout::StatusOr<CommandId> bind(const LaunchKernel &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const MatMul &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const Attention &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const Collective &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const Copy &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const HostInput &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const HostOutput &operation, Ranges ranges);
  layout::StatusOr<CommandId> bind(const ScalarUpdate &operation, Ranges ranges);
  template <class Other> layout::StatusOr<CommandId> bind(const Other &operation, Ranges ranges);

  layout::StatusOr<CommandId> hostCall(const HostTransferCall &call, uint32_t tensor,
                                       AccessRange range);
  AccessRange address(const Operand &operand) const;
  BoundScalar scalar(uint32_t index) const {
    return bindScalar(program.scalars[index], context.layouts, context.rank);
  }

  const BindContext &context;
  const Program &program;
  StreamId stream = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_EXECUTOR_INSTRUCTIONBINDER_H
