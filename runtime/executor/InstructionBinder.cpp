//===- InstructionBinder.cpp - From an instruction to a device's command --===//

#include "runtime/executor/InstructionBinder.h"

#include <cstring>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

template <class T> void put(std::byte *address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

/// Writes a number of the step in the type of the operand; the verifier admits these types only.
void putScalar(const ScalarUpdate &update, const StepScalars &scalars, std::byte *address) {
  int64_t integer = 0;
  double real = 0;
  switch (update.quantity) {
  case HostScalar::LearningRate:
    real = scalars.learningRate;
    break;
  case HostScalar::StepIndex:
    integer = scalars.step;
    break;
  case HostScalar::StepCount:
    integer = scalars.step + 1;
    break;
  case HostScalar::Seed:
    integer = static_cast<int64_t>(scalars.seed);
    break;
  }
  if (update.quantity != HostScalar::LearningRate)
    real = static_cast<double>(integer);
  switch (update.element) {
  case ElementType::F64:
    return put(address, real);
  case ElementType::F32:
    return put(address, static_cast<float>(real));
  case ElementType::I64:
    return put(address, integer);
  default:
    return put(address, static_cast<int32_t>(integer));
  }
}

} // namespace

AccessRange InstructionBinder::address(const Operand &operand) const {
  return {context.device.arena() + program.buffers[operand.buffer].offset + operand.offset,
          operand.bytes, operand.access};
}

StatusOr<CommandId> InstructionBinder::bind(const Instruction &instruction) {
  stream = instruction.stream;
  Ranges ranges;
  for (const Operand &operand : instruction.operands)
    ranges.push_back(address(operand));
  return std::visit([&](const auto &operation) { return bind(operation, ranges); },
                    instruction.operation);
}

StatusOr<CommandId> InstructionBinder::bind(const LaunchKernel &operation, Ranges ranges) {
  KernelCall call;
  call.kernel = context.kernels[operation.kernel];
  call.arguments = std::move(ranges);
  for (uint32_t index : operation.scalars)
    call.scalars.push_back(scalar(index));
  call.extent = operation.extent;
  call.grain = operation.grain;
  return context.device.prepareKernel(std::move(call));
}

StatusOr<CommandId> InstructionBinder::bind(const MatMul &operation, Ranges ranges) {
  return context.device.prepareMatMul(operation, std::move(ranges));
}

StatusOr<CommandId> InstructionBinder::bind(const Attention &operation, Ranges ranges) {
  AttentionCall call;
  call.description = operation;
  call.operands = std::move(ranges);
  call.batchStart = scalar(operation.batchStart);
  call.headStart = scalar(operation.headStart);
  call.queryStart = scalar(operation.queryStart);
  call.keyStart = scalar(operation.keyStart);
  call.drawId = scalar(operation.drawId);
  return context.device.prepareAttention(std::move(call));
}

StatusOr<CommandId> InstructionBinder::bind(const Collective &operation, Ranges ranges) {
  CollectiveCall call;
  call.id = operation.id;
  call.kind = operation.kind;
  call.source = context.layouts.layouts[operation.source];
  call.target = context.layouts.layouts[operation.target];
  call.shape = operation.shape;
  call.element = operation.element;
  for (const AccessRange &range : ranges)
    (range.access == Access::Read ? call.input : call.output) = range;
  return context.communicator.prepare(context.rank, context.device, stream, std::move(call));
}

StatusOr<CommandId> InstructionBinder::bind(const Copy &, Ranges ranges) {
  return context.device.prepareCopy(ranges[0], ranges[1]);
}

StatusOr<CommandId> InstructionBinder::hostCall(const HostTransferCall &call, uint32_t tensor,
                                                AccessRange range) {
  int64_t rank = context.rank;
  return context.device.prepareHostCall(
      [call, rank, tensor, range](const StepScalars &scalars, const Iteration &iteration) {
        if (!call)
          return Status();
        return call({rank, tensor, range.address, range.bytes, scalars, iteration});
      },
      range);
}

StatusOr<CommandId> InstructionBinder::bind(const HostInput &operation, Ranges ranges) {
  if (!context.input)
    return Status::error("the schedule reads batch " +
                         context.schedule.tensors[operation.tensor].name +
                         ", and nothing was given to fill it");
  return hostCall(context.input, operation.tensor, ranges[0]);
}

StatusOr<CommandId> InstructionBinder::bind(const HostOutput &operation, Ranges ranges) {
  return hostCall(context.output, operation.tensor, ranges[0]);
}

StatusOr<CommandId> InstructionBinder::bind(const ScalarUpdate &operation, Ranges ranges) {
  std::byte *address = ranges[0].address;
  return context.device.prepareHostCall(
      [operation, address](const StepScalars &scalars, const Iteration &) {
        putScalar(operation, scalars, address);
        return Status();
      },
      ranges[0]);
}

template <class Other> StatusOr<CommandId> InstructionBinder::bind(const Other &, Ranges) {
  return Status::error("events and loops are not commands");
}
