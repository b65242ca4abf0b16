//===- NativeProgram.cpp - A compiled module, run in this process ---------------------------===//

#include "tests/differential/NativeProgram.h"

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/KernelInterpreter.h"
#include "analysis/interpreter/Shards.h"
#include "dialects/dist/LayoutTypes.h"
#include "layout/Region.h"
#include "passes/codegen/ScheduleEncoder.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace mlir;

namespace vescale::analysis {

using layout::Status;
using layout::StatusOr;

namespace {

Status statusOf(llvm::Error error) { return Status::error(llvm::toString(std::move(error))); }

RankedTensorType typeOf(sched::TensorOp tensor) { return cast<RankedTensorType>(tensor.getType()); }

void storeShard(std::byte *memory, const Tensor &shard) {
  for (int64_t i = 0; i < shard.elements(); ++i)
    storeElement(memory, i, shard, i);
}

} // namespace

NativeProgram::~NativeProgram() = default;

StatusOr<std::unique_ptr<NativeProgram>> NativeProgram::get(ModuleOp module) {
  std::unique_ptr<NativeProgram> program(new NativeProgram());
  FailureOr<runtime::Schedule> schedule = encodeModule(module);
  if (failed(schedule))
    return Status::error("the schedule cannot be encoded");
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return statusOf(jit.takeError());
  program->machineCode = std::move(*jit);
  llvm::orc::JITDylib &library = program->machineCode->getMainJITDylib();
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      program->machineCode->getDataLayout().getGlobalPrefix());
  if (!process)
    return statusOf(process.takeError());
  library.addGenerator(std::move(*process));
  for (auto image : module.getOps<sched::KernelImageOp>())
    if (!schedule->kernels.empty())
      if (llvm::Error error = program->machineCode->addObjectFile(
              llvm::MemoryBuffer::getMemBufferCopy(image.getObject())))
        return statusOf(std::move(error));
  for (const std::string &symbol : schedule->kernels) {
    auto address = program->machineCode->lookup(symbol);
    if (!address)
      return statusOf(address.takeError());
    program->kernels.push_back(address->toPtr<vescale_kernel>());
  }
  std::vector<uint8_t> file = runtime::encodeSchedule(*schedule);
  runtime::ExecutorOptions options;
  options.workers = 1;
  options.input = [self = program.get()](const runtime::HostTransfer &transfer) {
    return self->fill(transfer);
  };
  options.output = [](const runtime::HostTransfer &) { return Status(); };
  auto executor = runtime::Executor::create(
      file.data(), file.size(),
      {program->kernels.data(), program->kernels.size(), schedule->kernelsChecksum}, options);
  if (!executor.ok())
    return executor.status();
  program->executor = std::move(*executor);
  // What is read before it is written must show.
  for (int64_t rank = 0; rank < program->executor->ranks(); ++rank)
    std::memset(program->executor->arena(rank), 0xfb, program->executor->arenaBytes(rank));
  return program;
}

uint32_t NativeProgram::indexOf(sched::TensorOp tensor) const {
  return executor->findTensor(static_cast<runtime::TensorRole>(tensor.getRole()),
                              tensor.getTensorName().str());
}

Status NativeProgram::fill(const runtime::HostTransfer &transfer) const {
  auto found = given.find({transfer.tensor, transfer.rank});
  if (found == given.end())
    return Status::error("the host has no such tensor");
  storeShard(transfer.data, found->second);
  return Status();
}

void NativeProgram::set(sched::TensorOp tensor, const Tensor &value) {
  const layout::Layout *layout = dist::getLayout(typeOf(tensor));
  uint32_t index = indexOf(tensor);
  Sharded parts = cut(value, layout);
  for (int64_t position = 0; position < layout->mesh().numDevices(); ++position) {
    int64_t rank = layout->mesh().deviceId(position);
    if (std::byte *memory = executor->tensorData(index, rank))
      storeShard(memory, parts.at(position));
    given.insert_or_assign({index, rank}, parts.at(position));
  }
}

StatusOr<Tensor> NativeProgram::value(sched::TensorOp tensor) const {
  RankedTensorType type = typeOf(tensor);
  const layout::Layout *layout = dist::getLayout(type);
  Shape shape(type.getShape().begin(), type.getShape().end());
  ElementType element = *elementTypeOf(type);
  Sharded parts;
  parts.layout = layout;
  uint32_t index = indexOf(tensor);
  for (int64_t position = 0; position < layout->mesh().numDevices(); ++position) {
    Tensor shard(element, layout::localShape(*layout, shape, layout->mesh().coordinate(position)));
    const std::byte *memory = executor->tensorData(index, layout->mesh().deviceId(position));
    for (int64_t i = 0; memory && i < shard.elements(); ++i)
      loadElement(memory, i, shard, i);
    parts.shards.push_back(std::move(shard));
  }
  return rebuild(parts, shape);
}

} // namespace vescale::analysis
