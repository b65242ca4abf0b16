//===- ScheduleEncoder.cpp - from the sched dialect to a schedule ---------===//

#include "passes/codegen/ScheduleEncoder.h"

#include "passes/codegen/InstructionEncoder.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsDialect.h"
#include "runtime/format/Verify.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace vescale {
namespace {

/// How a tensor starts; the attributes are those of vs.init.
runtime::Initializer initializer(sched::TensorOp tensor) {
  using Kind = runtime::InitializerKind;
  runtime::Initializer result;
  result.draw = static_cast<uint32_t>(tensor.getDraw());
  if (!tensor.getInitializer())
    return result;
  llvm::TypeSwitch<Attribute>(*tensor.getInitializer())
      .Case([&](vs::ZerosAttr) { result.kind = Kind::Fill; })
      .Case([&](vs::OnesAttr) {
        result.kind = Kind::Fill;
        result.a = 1;
      })
      .Case([&](vs::NormalAttr attribute) {
        result.kind = Kind::Normal;
        result.b = attribute.getStddev().getValueAsDouble();
      })
      .Case([&](vs::UniformAttr attribute) {
        result.kind = Kind::Uniform;
        result.a = attribute.getLow().getValueAsDouble();
        result.b = attribute.getHigh().getValueAsDouble();
      })
      .Case([&](vs::FromFileAttr) {
        result.kind = Kind::File;
        result.name = tensor.getTensorName().str();
      });
  return result;
}

runtime::Tensor encodeTensor(sched::TensorOp op, ScheduleTables &tables) {
  auto type = cast<RankedTensorType>(op.getType());
  runtime::Tensor tensor;
  tensor.name = op.getTensorName().str();
  tensor.role = static_cast<runtime::TensorRole>(op.getRole());
  tensor.shape = type.getShape();
  tensor.element = tables.element(type.getElementType());
  tensor.layout = tables.layout(type);
  tensor.initializer = initializer(op);
  tensor.weightDecay = op.getWeightDecay();
  tensor.checkpoint = op.getRole() == sched::Role::parameter || op.getRole() == sched::Role::state;
  tensor.tokenOffset = op.getTokenOffset();
  tensor.vocabulary = op.getVocabulary();
  return tensor;
}

void encodeClassMap(sched::ScheduleOp op, runtime::ClassMap &map) {
  for (auto [lengths, kinds] : llvm::zip_equal(op.getAxisLengths(), op.getAxisKinds())) {
    runtime::AxisKinds &axis = map.axes.emplace_back();
    for (int64_t length : cast<DenseI64ArrayAttr>(lengths).asArrayRef())
      axis.lengths.push_back(static_cast<uint32_t>(length));
    for (int64_t kind : cast<DenseI64ArrayAttr>(kinds).asArrayRef())
      axis.kinds.push_back(static_cast<uint32_t>(kind));
  }
  for (int64_t number : op.getClasses())
    map.classes.push_back(static_cast<uint32_t>(number));
}

} // namespace

FailureOr<runtime::Schedule> encodeModule(ModuleOp module) {
  SmallVector<sched::ScheduleOp> schedules(module.getOps<sched::ScheduleOp>());
  if (schedules.size() != 1)
    return module.emitError() << "has " << schedules.size() << " schedules, needs one: run sched-lower";
  sched::ScheduleOp op = schedules[0];
  runtime::Schedule schedule;
  schedule.target = op.getTarget().str();
  if (FloatAttr seconds = op.getPredictedStepSecondsAttr())
    schedule.predictedStepSeconds = seconds.getValueAsDouble();
  encodeClassMap(op, schedule.classMap);
  ScheduleTables tables(schedule, op.getMesh().getMesh());
  for (auto image : module.getOps<sched::KernelImageOp>()) {
    for (StringRef symbol : image.getSymbols().getAsValueRange<StringAttr>())
      tables.addKernel(symbol);
    schedule.kernelsChecksum = runtime::checksum(
        reinterpret_cast<const uint8_t *>(image.getObject().data()), image.getObject().size());
  }
  for (auto tensor : op.getBody().getOps<sched::TensorOp>()) {
    tables.addTensor(tensor.getSymName());
    schedule.tensors.push_back(encodeTensor(tensor, tables));
  }
  size_t programs = llvm::range_size(op.getBody().getOps<sched::ProgramOp>());
  for (runtime::Tensor &tensor : schedule.tensors)
    tensor.buffers.assign(programs, runtime::none);
  schedule.functions.clear();
  for (auto program : op.getBody().getOps<sched::ProgramOp>()) {
    if (program.getClassNumber() == 0)
      schedule.functions.push_back(program.getFunction().str());
    FailureOr<runtime::Program> encoded = encodeProgram(program, schedule, tables);
    if (failed(encoded))
      return failure();
    schedule.programs.push_back(std::move(*encoded));
  }
  if (tables.unsupported)
    return op.emitError() << "the runtime has no tensors of " << tables.unsupported;
  if (layout::Status status = runtime::verifySchedule(schedule); !status.ok())
    return op.emitError() << "the schedule does not verify: " << status.message();
  return schedule;
}

} // namespace vescale
