//===- InstructionOps.cpp - Verifiers of instructions ---------------------===//

#include "dialects/sched/SchedOps.h"

#include "dialects/dist/LayoutTypes.h"

using namespace mlir;
using namespace vescale::sched;

static LogicalResult verifyStream(Operation *op, int64_t stream) {
  auto program = op->getParentOfType<ProgramOp>();
  if (!program)
    return op->emitOpError("must stand in a sched.program");
  int64_t streams = program.getStreams().size();
  if (stream < 0 || stream >= streams)
    return op->emitOpError() << "is on stream " << stream << ", the program has " << streams;
  return success();
}

LogicalResult vescale::sched::verifyInstruction(Operation *op) {
  auto instruction = cast<InstructionOpInterface>(op);
  if (failed(verifyStream(op, instruction.getStream())))
    return failure();
  size_t operands = instruction.getBuffers().size();
  ArrayRef<int32_t> access = instruction.getAccess();
  if (access.size() != operands)
    return op->emitOpError() << "says of " << access.size() << " operands how they are accessed, but has "
                             << operands;
  for (auto [i, one] : llvm::enumerate(access))
    if (one < read || one > update)
      return op->emitOpError() << "operand " << i << " has the access " << one
                               << ", which is not 1 (read), 2 (write) or 3 (update)";
  std::optional<ArrayRef<int64_t>> ranges = instruction.getRanges();
  if (ranges && ranges->size() != 2 * operands)
    return op->emitOpError() << "has " << ranges->size() << " numbers of ranges for " << operands
                             << " operands, needs two for each";
  for (unsigned i = 0; i < operands; ++i) {
    auto buffer = instruction.getBuffers()[i].getDefiningOp<BufferOp>();
    if (!buffer)
      return op->emitOpError() << "operand " << i << " is no sched.buffer";
    if (!ranges)
      continue;
    int64_t size = buffer.getBytes(), offset = (*ranges)[2 * i], bytes = (*ranges)[2 * i + 1];
    if (offset < 0 || offset > size || bytes < -1 || bytes > size - offset)
      return op->emitOpError() << "operand " << i << ", bytes [" << offset << ", " << offset << " + "
                               << bytes << "), does not lie in its buffer of " << size << " bytes";
  }
  return success();
}

/// Checks that the operands are accessed as `expected`, one character each: r, w, u.
static LogicalResult verifyAccess(InstructionOpInterface op, StringRef expected) {
  ArrayRef<int32_t> access = op.getAccess();
  if (access.size() != expected.size())
    return op->emitOpError() << "has " << access.size() << " operands, needs " << expected.size();
  for (auto [i, one] : llvm::enumerate(expected)) {
    int32_t needed = one == 'r' ? read : one == 'w' ? write : update;
    if (access[i] != needed)
      return op->emitOpError() << "operand " << i << " must be "
                               << (one == 'r' ? "read" : one == 'w' ? "written" : "updated");
  }
  return success();
}

LogicalResult LaunchOp::verify() {
  int64_t extent = getExtent(), grain = getGrain();
  if (extent < 0 || grain < 1)
    return emitOpError() << "has an extent of " << extent << " in grains of " << grain;
  return success();
}

LogicalResult MatMulOp::verify() {
  if (failed(verifyAccess(*this, getBeta().isZero() ? "rrw" : "rru")))
    return failure();
  size_t batch = getBatch().size();
  for (auto [name, strides] : {std::pair("a", getAStrides()), {"b", getBStrides()}, {"c", getCStrides()}})
    if (strides.size() != batch)
      return emitOpError() << "matrix " << name << " has " << strides.size() << " strides for " << batch
                           << " batch sizes";
  return success();
}

LogicalResult AttentionOp::verify() {
  if (getScalars().size() != 5)
    return emitOpError() << "has " << getScalars().size() << " scalars, needs five";
  if (getStrides().size() != 12)
    return emitOpError() << "has " << getStrides().size()
                         << " strides, needs three for each of q, k, v and output";
  std::string expected = getBias() ? "rrrr" : "rrr";
  expected += getBackward() ? "rrrwww" : "ww";
  return verifyAccess(*this, expected);
}

LogicalResult CollectiveOp::verify() {
  if (int64_t id = getId(); id < 0)
    return emitOpError() << "id is negative: " << id;
  auto source = dyn_cast<RankedTensorType>(getSource()), target = dyn_cast<RankedTensorType>(getTarget());
  if (!source || !target || !dist::getLayout(source) || !dist::getLayout(target))
    return emitOpError() << "needs two tensor types with layouts, has " << getSource() << " and "
                         << getTarget();
  if (dist::globalType(source) != dist::globalType(target))
    return emitOpError() << "types differ in more than their layouts: " << source << " and " << target;
  ArrayRef<int32_t> access = getAccess();
  if (access.size() == 1 && access[0] != update)
    return success();
  return verifyAccess(*this, "rw");
}

LogicalResult CopyOp::verify() { return verifyAccess(*this, "rw"); }

static LogicalResult verifyTensorName(Operation *op, FlatSymbolRefAttr name) {
  auto schedule = op->getParentOfType<ScheduleOp>();
  if (schedule && isa_and_nonnull<TensorOp>(schedule.lookupSymbol(name)))
    return success();
  return op->emitOpError() << "there is no sched.tensor " << name;
}

LogicalResult HostInputOp::verify() {
  if (failed(verifyAccess(*this, "w")))
    return failure();
  return verifyTensorName(*this, getTensorAttr());
}

LogicalResult HostOutputOp::verify() {
  if (failed(verifyAccess(*this, "r")))
    return failure();
  return verifyTensorName(*this, getTensorAttr());
}

LogicalResult ScalarUpdateOp::verify() { return verifyAccess(*this, "w"); }

static LogicalResult verifyEvent(Operation *op, int64_t event, int64_t stream) {
  if (failed(verifyStream(op, stream)))
    return failure();
  int64_t events = op->getParentOfType<ProgramOp>().getEvents();
  if (event < 0 || event >= events)
    return op->emitOpError() << "there is no event " << event << ", the program has " << events;
  return success();
}

LogicalResult RecordOp::verify() { return verifyEvent(*this, getEvent(), getStream()); }
LogicalResult WaitOp::verify() { return verifyEvent(*this, getEvent(), getStream()); }

LogicalResult LoopOp::verify() {
  if (int64_t count = getCount(); count < 1)
    return emitOpError() << "runs " << count << " times, must run at least once";
  return success();
}
