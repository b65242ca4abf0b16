//===- CpuCommands.cpp - The CPU's commands for kernels and libraries -----===//

#include "runtime/device/CpuDevice.h"
#include "runtime/library/AttentionKernel.h"
#include "runtime/library/MatMulKernel.h"

#include <cstring>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

class KernelCommand final : public CpuCommand {
public:
  explicit KernelCommand(KernelCall given) : call(std::move(given)) {
    ranges = call.arguments;
    for (const AccessRange &range : call.arguments)
      arguments.push_back(range.address);
    values.resize(call.scalars.size());
  }

  bool run(CpuExecution &execution) override {
    for (size_t s = 0; s < values.size(); ++s)
      values[s] = evaluate(call.scalars[s], execution.scalars(), execution.iteration());
    execution.forTiles(
        [](const void *context, int64_t begin, int64_t end) {
          const auto *self = static_cast<const KernelCommand *>(context);
          self->call.kernel(self->arguments.data(), self->values.data(), begin, end);
        },
        this, call.extent, call.grain);
    return true;
  }

private:
  KernelCall call;
  std::vector<void *> arguments;
  std::vector<int64_t> values;
};

class MatMulCommand final : public CpuCommand {
public:
  MatMulCommand(MatMulKernel kernel, std::vector<AccessRange> given) : kernel(std::move(kernel)) {
    ranges = std::move(given);
  }

  bool run(CpuExecution &execution) override {
    execution.forTiles(
        [](const void *context, int64_t begin, int64_t end) {
          const auto *self = static_cast<const MatMulCommand *>(context);
          self->kernel.run(begin, end, self->ranges[0].address, self->ranges[1].address,
                           self->ranges[2].address);
        },
        this, kernel.parts(), 1);
    return true;
  }

private:
  MatMulKernel kernel;
};

class AttentionCommand final : public CpuCommand {
public:
  AttentionCommand(AttentionKernel kernel, AttentionCall given)
      : kernel(std::move(kernel)), call(std::move(given)) {
    ranges = call.operands;
    for (const AccessRange &range : ranges)
      operands.push_back(range.address);
  }

  bool run(CpuExecution &execution) override {
    auto value = [&](const BoundScalar &scalar) {
      return evaluate(scalar, execution.scalars(), execution.iteration());
    };
    position.batch = value(call.batchStart);
    position.head = value(call.headStart);
    position.query = value(call.queryStart);
    position.key = value(call.keyStart);
    position.draw = {static_cast<uint32_t>(value(call.drawId)),
                     static_cast<uint32_t>(execution.scalars().step), execution.scalars().seed};
    execution.forTiles(
        [](const void *context, int64_t begin, int64_t end) {
          const auto *self = static_cast<const AttentionCommand *>(context);
          self->kernel.run(begin, end, self->operands.data(), self->position);
        },
        this, kernel.parts(), 1);
    return true;
  }

private:
  AttentionKernel kernel;
  AttentionCall call;
  std::vector<void *> operands;
  AttentionPosition position;
};

class CopyCommand final : public CpuCommand {
public:
  CopyCommand(AccessRange from, AccessRange to) { ranges = {from, to}; }

  bool run(CpuExecution &execution) override {
    // A tile of a page is worth handing to another worker only in longer runs.
    constexpr int64_t grain = 1 << 16;
    execution.forTiles(
        [](const void *context, int64_t begin, int64_t end) {
          const auto *self = static_cast<const CopyCommand *>(context);
          std::memcpy(self->ranges[1].address + begin, self->ranges[0].address + begin,
                      end - begin);
        },
        this, static_cast<int64_t>(ranges[0].bytes), grain);
    return true;
  }
};

class HostCommand final : public CpuCommand {
public:
  HostCommand(HostCall call, AccessRange range) : call(std::move(call)) { ranges = {range}; }

  bool run(CpuExecution &execution) override {
    if (Status status = call(execution.scalars(), execution.iteration()); !status.ok())
      execution.fail(status);
    return true;
  }

private:
  HostCall call;
};

} // namespace

StatusOr<CommandId> CpuDevice::prepareKernel(KernelCall call) {
  return add(std::make_unique<KernelCommand>(std::move(call)));
}

StatusOr<CommandId> CpuDevice::prepareMatMul(const MatMul &description,
                                             std::vector<AccessRange> ranges) {
  StatusOr<MatMulKernel> kernel = MatMulKernel::prepare(description, share);
  if (!kernel.ok())
    return kernel.status();
  return add(std::make_unique<MatMulCommand>(std::move(*kernel), std::move(ranges)));
}

StatusOr<CommandId> CpuDevice::prepareAttention(AttentionCall call) {
  StatusOr<AttentionKernel> kernel = AttentionKernel::prepare(call.description, share);
  if (!kernel.ok())
    return kernel.status();
  return add(std::make_unique<AttentionCommand>(std::move(*kernel), std::move(call)));
}

StatusOr<CommandId> CpuDevice::prepareCopy(AccessRange from, AccessRange to) {
  return add(std::make_unique<CopyCommand>(from, to));
}

StatusOr<CommandId> CpuDevice::prepareHostCall(HostCall call, AccessRange range) {
  return add(std::make_unique<HostCommand>(std::move(call), range));
}
