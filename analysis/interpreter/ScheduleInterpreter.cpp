//===- ScheduleInterpreter.cpp - The meaning of schedules -----------------------------------===//

#include "analysis/interpreter/ScheduleInterpreter.h"

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/ScheduleLibrary.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/sched/TensorNames.h"
#include "layout/Region.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;

namespace vescale::analysis {
namespace {

Shape shapeOf(RankedTensorType type) {
  return Shape(type.getShape().begin(), type.getShape().end());
}

/// This rank's part of a tensor, from memory.
Tensor loadShard(const std::byte *memory, RankedTensorType type,
                 const layout::Coordinate &coordinate) {
  Tensor shard(*elementTypeOf(type),
               layout::localShape(*dist::getLayout(type), shapeOf(type), coordinate));
  for (int64_t i = 0; i < shard.elements(); ++i)
    loadElement(memory, i, shard, i);
  return shard;
}

void storeShard(std::byte *memory, const Tensor &shard) {
  for (int64_t i = 0; i < shard.elements(); ++i)
    storeElement(memory, i, shard, i);
}

} // namespace

FailureOr<std::unique_ptr<ScheduleInterpreter>> ScheduleInterpreter::get(sched::ScheduleOp schedule,
                                                                         ModuleOp kernels) {
  std::unique_ptr<ScheduleInterpreter> result(new ScheduleInterpreter(schedule));
  for (auto function : kernels.getOps<func::FuncOp>()) {
    FailureOr<KernelInterpreter> kernel = KernelInterpreter::get(function);
    if (failed(kernel))
      return failure();
    result->kernels.emplace(function.getSymName().str(), std::move(*kernel));
  }
  if (failed(result->placeRanks()))
    return failure();
  return result;
}

LogicalResult ScheduleInterpreter::placeRanks() {
  const layout::Mesh &mesh = schedule.getMesh().getMesh();
  SmallVector<sched::ProgramOp> programs(schedule.getBody().getOps<sched::ProgramOp>());
  // The kind of each index of each axis, and the table of classes over them.
  std::vector<std::vector<int64_t>> kinds;
  std::vector<int64_t> counts;
  for (auto [lengths, runs] : llvm::zip_equal(schedule.getAxisLengths(), schedule.getAxisKinds())) {
    std::vector<int64_t> &axis = kinds.emplace_back();
    int64_t count = 1;
    for (auto [length, kind] : llvm::zip_equal(cast<DenseI64ArrayAttr>(lengths).asArrayRef(),
                                               cast<DenseI64ArrayAttr>(runs).asArrayRef())) {
      axis.insert(axis.end(), length, kind);
      count = std::max(count, kind + 1);
    }
    counts.push_back(count);
  }
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    Rank rank;
    rank.coordinate = mesh.coordinate(position);
    int64_t entry = 0;
    for (size_t axis = 0; axis < kinds.size(); ++axis)
      entry = entry * counts[axis] + kinds[axis][rank.coordinate[axis]];
    rank.program = programs[schedule.getClasses()[entry]];
    rank.arena.assign(rank.program.getArenaBytes(), std::byte(0xfb));
    ranks.push_back(std::move(rank));
  }
  return success();
}

sched::BufferOp ScheduleInterpreter::bufferOf(sched::ProgramOp program, sched::TensorOp tensor) {
  for (auto buffer : program.getBody().getOps<sched::BufferOp>())
    if (buffer.getTensor() == tensor.getSymName())
      return buffer;
  return nullptr;
}

LogicalResult ScheduleInterpreter::set(sched::TensorOp tensor, const Tensor &value) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (value.type() != *elementTypeOf(type) || value.shape() != shapeOf(type))
    return tensor.emitOpError() << "is of type " << type << ", and is set to another";
  Sharded parts = cut(value, dist::getLayout(type));
  for (auto [position, rank] : llvm::enumerate(ranks))
    if (sched::BufferOp buffer = bufferOf(rank.program, tensor))
      storeShard(rank.arena.data() + buffer.getOffset(), parts.at(position));
  given.insert_or_assign(tensor.getSymName().str(), value);
  return success();
}

FailureOr<Tensor> ScheduleInterpreter::value(sched::TensorOp tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Sharded parts;
  parts.layout = dist::getLayout(type);
  for (Rank &rank : ranks) {
    sched::BufferOp buffer = bufferOf(rank.program, tensor);
    if (!buffer)
      return tensor.emitOpError("has no buffer in a program"), failure();
    parts.shards.push_back(
        loadShard(rank.arena.data() + buffer.getOffset(), type, rank.coordinate));
  }
  layout::StatusOr<Tensor> whole = rebuild(parts, shapeOf(type));
  if (!whole.ok())
    return tensor.emitOpError() << "is not the same everywhere: " << whole.message(), failure();
  return *whole;
}

LogicalResult ScheduleInterpreter::run(const ScheduleStep &step) {
  for (Rank &rank : ranks) {
    rank.pending.clear();
    for (Operation &op : llvm::reverse(rank.program.getBody().front().getOperations()))
      rank.pending.push_back({&op, {}});
  }
  while (true) {
    for (Rank &rank : ranks)
      if (failed(runToCollective(rank, step)))
        return failure();
    if (llvm::all_of(ranks, [](const Rank &rank) { return rank.pending.empty(); }))
      return success();
    if (failed(runCollective()))
      return failure();
  }
}

LogicalResult ScheduleInterpreter::runToCollective(Rank &rank, const ScheduleStep &step) {
  while (!rank.pending.empty()) {
    auto [op, iterations] = rank.pending.back();
    if (isa<sched::CollectiveOp>(op))
      return success();
    rank.pending.pop_back();
    if (auto loop = dyn_cast<sched::LoopOp>(op)) {
      for (int64_t i = loop.getCount(); i-- > 0;) {
        std::vector<int64_t> inner = iterations;
        inner.push_back(i);
        for (Operation &body : llvm::reverse(loop.getBody().front().getOperations()))
          rank.pending.push_back({&body, inner});
      }
    } else if (failed(runInstruction(rank, op, step, iterations))) {
      return failure();
    }
  }
  return success();
}

std::byte *ScheduleInterpreter::memory(Rank &rank, sched::InstructionOpInterface instruction,
                                       unsigned operand) {
  return rank.arena.data() + sched::operandRange(instruction, operand).begin;
}

LogicalResult ScheduleInterpreter::runInstruction(Rank &rank, Operation *op,
                                                  const ScheduleStep &step,
                                                  ArrayRef<int64_t> iterations) {
  SmallVector<std::byte *> operands;
  auto instruction = dyn_cast<sched::InstructionOpInterface>(op);
  if (instruction)
    for (unsigned operand = 0; operand < instruction.getBuffers().size(); ++operand)
      operands.push_back(memory(rank, instruction, operand));
  auto numbers = [&](ValueRange values) {
    SmallVector<int64_t> result;
    for (Value value : values)
      result.push_back(scalar(rank, value, step, iterations));
    return result;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<sched::BufferOp, sched::ScalarOp, sched::RecordOp, sched::WaitOp, sched::HostOutputOp>(
          [](auto) { return success(); })
      .Case([&](sched::LaunchOp launch) -> LogicalResult {
        auto kernel = kernels.find(launch.getKernel().str());
        if (kernel == kernels.end())
          return launch.emitOpError("launches a kernel that the module does not have");
        kernel->second.run(operands, numbers(launch.getScalars()), 0, launch.getExtent());
        return success();
      })
      .Case([&](sched::MatMulOp product) {
        runMatMul(product, operands);
        return success();
      })
      .Case([&](sched::AttentionOp attention) {
        return runAttention(attention, operands, numbers(attention.getScalars()), step.seed,
                            step.number);
      })
      .Case([&](sched::CopyOp copy) {
        sched::ArenaRange range = sched::operandRange(instruction, 0);
        std::memmove(operands[1], operands[0], range.end - range.begin);
        return success();
      })
      .Case([&](sched::HostInputOp input) -> LogicalResult {
        auto found = given.find(input.getTensor().str());
        if (found == given.end())
          return input.emitOpError("needs a tensor that nothing gives");
        auto tensor = cast<sched::TensorOp>(
            SymbolTable::lookupSymbolIn(schedule, input.getTensorAttr()));
        const layout::Layout *layout = dist::getLayout(cast<RankedTensorType>(tensor.getType()));
        int64_t position = schedule.getMesh().getMesh().position(rank.coordinate);
        storeShard(operands[0], cut(found->second, layout).at(position));
        return success();
      })
      .Case([&](sched::ScalarUpdateOp update) {
        Tensor number = zerosOf(RankedTensorType::get({}, update.getElement()));
        switch (update.getQuantity()) {
        case sched::Quantity::learning_rate:
          number.setNumber(0, step.learningRate);
          break;
        case sched::Quantity::step_index:
          number.setNumber(0, static_cast<double>(step.number));
          break;
        case sched::Quantity::step_count:
          number.setNumber(0, static_cast<double>(step.number + 1));
          break;
        case sched::Quantity::seed:
          number.setNumber(0, static_cast<double>(step.seed));
          break;
        }
        storeElement(operands[0], 0, number, 0);
        return success();
      })
      .Default([](Operation *other) {
        return other->emitOpError("has no meaning in the interpreter of schedules");
      });
}

int64_t ScheduleInterpreter::scalar(const Rank &rank, Value value, const ScheduleStep &step,
                                    ArrayRef<int64_t> iterations) {
  auto op = value.getDefiningOp<sched::ScalarOp>();
  int64_t number = 0;
  switch (op.getKind()) {
  case sched::ScalarKind::constant:
    break;
  case sched::ScalarKind::region_start: {
    auto type = cast<RankedTensorType>(*op.getTensorType());
    std::vector<layout::Box> boxes =
        layout::region(*dist::getLayout(type), shapeOf(type), rank.coordinate);
    if (op.getBox() < boxes.size())
      number = boxes[op.getBox()].offset[op.getDim()];
    break;
  }
  case sched::ScalarKind::axis_index:
    number = rank.coordinate[op.getDim()];
    break;
  case sched::ScalarKind::step:
    number = step.number;
    break;
  case sched::ScalarKind::loop_index:
    number = iterations[op.getDim()];
    break;
  case sched::ScalarKind::seed_low:
    number = static_cast<int64_t>(step.seed & 0xffffffffu);
    break;
  case sched::ScalarKind::seed_high:
    number = static_cast<int64_t>(step.seed >> 32);
    break;
  }
  return static_cast<int64_t>(op.getScale()) * number + static_cast<int64_t>(op.getConstant());
}

LogicalResult ScheduleInterpreter::runCollective() {
  SmallVector<sched::CollectiveOp> ops;
  for (Rank &rank : ranks) {
    if (rank.pending.empty())
      return schedule.emitOpError("has ranks that end while others wait for a collective");
    ops.push_back(cast<sched::CollectiveOp>(rank.pending.back().first));
    rank.pending.pop_back();
  }
  sched::CollectiveOp first = ops[0];
  auto before = cast<RankedTensorType>(first.getSource());
  auto after = cast<RankedTensorType>(first.getTarget());
  Sharded parts;
  parts.layout = dist::getLayout(before);
  for (auto [rank, op] : llvm::zip_equal(ranks, ops)) {
    if (op.getId() != first.getId() || op.getSource() != first.getSource() ||
        op.getTarget() != first.getTarget() || op.getBuffers().size() != 2)
      return op.emitOpError() << "meets the collective " << first.getId() << " of other ranks";
    parts.shards.push_back(loadShard(memory(rank, op, 0), before, rank.coordinate));
  }
  layout::StatusOr<Tensor> whole = rebuild(parts, shapeOf(before));
  if (!whole.ok())
    return first.emitOpError() << whole.message();
  Sharded results = cut(*whole, dist::getLayout(after));
  for (auto [position, rank, op] : llvm::enumerate(ranks, ops))
    storeShard(memory(rank, op, 1), results.at(position));
  return success();
}

/// Values of a schedule without roles are named after what they are of its function.
static bool isComputed(sched::TensorOp tensor) {
  switch (tensor.getRole()) {
  case sched::Role::metric:
  case sched::Role::gradient:
    return true;
  case sched::Role::value:
    return tensor.getTensorName().starts_with(sched::resultPrefix);
  default:
    return false;
  }
}

SmallVector<sched::TensorOp> ScheduleInterpreter::inputs(sched::ScheduleOp schedule) {
  SmallVector<sched::TensorOp> result;
  for (auto tensor : schedule.getBody().getOps<sched::TensorOp>())
    if (!isComputed(tensor))
      result.push_back(tensor);
  return result;
}

/// Whether an instruction writes where a parameter or a state lies.
static bool isReplaced(sched::ScheduleOp schedule, sched::TensorOp tensor) {
  if (tensor.getRole() != sched::Role::parameter && tensor.getRole() != sched::Role::state)
    return false;
  bool written = false;
  schedule.walk([&](sched::InstructionOpInterface instruction) {
    for (auto [number, buffer] : llvm::enumerate(instruction.getBuffers()))
      if (auto op = buffer.getDefiningOp<sched::BufferOp>())
        written |= op.getTensor() == tensor.getSymName() &&
                   (instruction.getAccess()[number] & sched::write);
  });
  return written;
}

SmallVector<sched::TensorOp> ScheduleInterpreter::outputs(sched::ScheduleOp schedule) {
  SmallVector<sched::TensorOp> result;
  for (auto tensor : schedule.getBody().getOps<sched::TensorOp>())
    if (isReplaced(schedule, tensor) || isComputed(tensor))
      result.push_back(tensor);
  return result;
}

} // namespace vescale::analysis
