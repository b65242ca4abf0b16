//===- TestSchedules.cpp - Schedules written by hand for tests ------------===//

#include "tests/unit/runtime/TestSchedules.h"
#include "layout/Mesh.h"

using namespace vescale::runtime;
using namespace vescale::runtime::test;

ScheduleBuilder::ScheduleBuilder(const std::string &mesh) {
  schedule.meshes = {mesh};
  auto parsed = vescale::layout::Mesh::parse(mesh);
  for (int a = 0; a < parsed->rank(); ++a)
    schedule.classMap.axes.push_back({{static_cast<uint32_t>(parsed->axisSize(a))}, {0}});
  schedule.classMap.classes = {0};
  schedule.programs.resize(1);
}

void ScheduleBuilder::useClass(uint32_t index) {
  current = index;
  if (schedule.programs.size() <= index)
    schedule.programs.resize(index + 1);
  for (Tensor &tensor : schedule.tensors)
    tensor.buffers.resize(schedule.programs.size(), none);
}

uint32_t ScheduleBuilder::stream(const std::string &name) {
  program().streams.push_back(name);
  return static_cast<uint32_t>(program().streams.size() - 1);
}

uint32_t ScheduleBuilder::event() { return program().events++; }

uint32_t ScheduleBuilder::buffer(uint64_t bytes) {
  uint64_t offset = program().arenaBytes;
  program().buffers.push_back({offset, bytes});
  program().arenaBytes = (offset + bytes + bufferAlignment - 1) / bufferAlignment * bufferAlignment;
  return static_cast<uint32_t>(program().buffers.size() - 1);
}

uint32_t ScheduleBuilder::scalar(const Scalar &scalar) {
  program().scalars.push_back(scalar);
  return static_cast<uint32_t>(program().scalars.size() - 1);
}

void ScheduleBuilder::emit(uint32_t stream, Operation operation, std::vector<Operand> operands,
                           const std::string &label) {
  Instruction instruction;
  instruction.stream = stream;
  instruction.operands = std::move(operands);
  instruction.operation = std::move(operation);
  if (!label.empty()) {
    instruction.location = static_cast<uint32_t>(schedule.locations.size());
    schedule.locations.push_back({"model.mlir", instruction.location + 1, 1, label});
  }
  program().instructions.push_back(std::move(instruction));
}

uint32_t ScheduleBuilder::layout(const std::string &text, uint32_t mesh) {
  for (uint32_t l = 0; l < schedule.layouts.size(); ++l)
    if (schedule.layouts[l].text == text && schedule.layouts[l].mesh == mesh)
      return l;
  schedule.layouts.push_back({mesh, text});
  return static_cast<uint32_t>(schedule.layouts.size() - 1);
}

uint32_t ScheduleBuilder::kernel(const std::string &symbol) {
  schedule.kernels.push_back(symbol);
  return static_cast<uint32_t>(schedule.kernels.size() - 1);
}

uint32_t ScheduleBuilder::tensor(const std::string &name, TensorRole role,
                                 std::vector<int64_t> shape, ElementType element, uint32_t layout,
                                 uint32_t buffer) {
  Tensor tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.shape = std::move(shape);
  tensor.element = element;
  tensor.layout = layout;
  tensor.buffers.resize(schedule.programs.size(), none);
  tensor.buffers[current] = buffer;
  if (role == TensorRole::Parameter || role == TensorRole::State || role == TensorRole::Constant)
    tensor.initializer.kind = InitializerKind::Fill;
  schedule.tensors.push_back(std::move(tensor));
  return static_cast<uint32_t>(schedule.tensors.size() - 1);
}

void ScheduleBuilder::place(uint32_t tensor, uint32_t buffer) {
  schedule.tensors[tensor].buffers[current] = buffer;
}

void ScheduleBuilder::order(uint32_t before, uint32_t after) {
  uint32_t e = event();
  emit(before, RecordEvent{e});
  emit(after, WaitEvent{e});
}

Operand ScheduleBuilder::whole(uint32_t buffer, Access access) const {
  return {buffer, 0, schedule.programs[current].buffers[buffer].bytes, access};
}
