//===- ContainerOps.cpp - Verifiers of schedules and programs -------------===//

#include "dialects/sched/SchedOps.h"

#include "dialects/dist/LayoutTypes.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

using namespace mlir;
using namespace vescale::sched;

/// Checks one axis of the class map and gives the number of its kinds.
static FailureOr<int64_t> verifyAxis(ScheduleOp op, int axis) {
  ArrayRef<int64_t> lengths = cast<DenseI64ArrayAttr>(op.getAxisLengths()[axis]);
  ArrayRef<int64_t> kinds = cast<DenseI64ArrayAttr>(op.getAxisKinds()[axis]);
  if (lengths.size() != kinds.size())
    return op.emitOpError() << "axis " << axis << " has " << lengths.size() << " lengths and "
                            << kinds.size() << " kinds";
  int64_t size = op.getMesh().getMesh().axisSize(axis), sum = 0, count = 0;
  for (auto [length, kind] : llvm::zip_equal(lengths, kinds)) {
    if (length < 1 || kind < 0)
      return op.emitOpError() << "axis " << axis << " has a run of " << length << " coordinates of the kind "
                              << kind;
    sum += length;
    count = std::max(count, kind + 1);
  }
  if (sum != size)
    return op.emitOpError() << "the runs of axis " << axis << " cover " << sum << " of " << size
                            << " coordinates";
  return count;
}

/// The ids of collectives, in program order.
static SmallVector<int64_t> collectiveIds(ProgramOp program) {
  SmallVector<int64_t> ids;
  program.walk([&](CollectiveOp op) { ids.push_back(op.getId()); });
  return ids;
}

/// Checks that functions have programs of all classes, in order, which meet at the same collectives.
static LogicalResult verifyFunctions(ArrayRef<ProgramOp> programs, int64_t classCount) {
  llvm::SmallDenseSet<StringRef> functions;
  SmallVector<int64_t> first;
  int64_t expected = 0;
  ProgramOp before;
  for (ProgramOp program : programs) {
    StringRef function = program.getFunction();
    if (expected == classCount)
      expected = 0;
    if (static_cast<int64_t>(program.getClassNumber()) != expected)
      return program.emitOpError() << "is of class " << program.getClassNumber() << ", must be of class "
                                   << expected;
    SmallVector<int64_t> ids = collectiveIds(program);
    if (expected == 0) {
      if (!functions.insert(function).second)
        return program.emitOpError() << "function \"" << function << "\" has two programs of class 0";
      first = std::move(ids);
    } else if (before.getFunction() != function) {
      return program.emitOpError() << "is of function \"" << function << "\", must be of \""
                                   << before.getFunction() << "\", which has no program of this class yet";
    } else if (ids != first) {
      size_t at = std::mismatch(ids.begin(), ids.end(), first.begin(), first.end()).first - ids.begin();
      return program.emitOpError() << "issues other collectives than class 0, from number " << at
                                   << " on; all classes must issue the same ids in the same order";
    }
    ++expected;
    before = program;
  }
  if (expected != classCount)
    return before.emitOpError() << "is of the last class of function \"" << before.getFunction()
                                << "\", others have " << classCount << " classes";
  return success();
}

LogicalResult ScheduleOp::verifyRegions() {
  int axes = getMesh().getMesh().rank();
  if (static_cast<int>(getAxisLengths().size()) != axes || static_cast<int>(getAxisKinds().size()) != axes)
    return emitOpError() << "the class map has " << getAxisLengths().size() << " lists of lengths and "
                         << getAxisKinds().size() << " of kinds, the mesh " << axes << " axes";
  int64_t entries = 1;
  for (int axis = 0; axis < axes; ++axis) {
    FailureOr<int64_t> kinds = verifyAxis(*this, axis);
    if (failed(kinds))
      return failure();
    entries *= *kinds;
  }
  if (static_cast<int64_t>(getClasses().size()) != entries)
    return emitOpError() << "the class map has " << getClasses().size() << " entries, the kinds make "
                         << entries;
  SmallVector<ProgramOp> programs(getBody().getOps<ProgramOp>());
  int64_t classCount = 0;
  for (ProgramOp program : programs)
    classCount = std::max<int64_t>(classCount, program.getClassNumber() + 1);
  for (int64_t number : getClasses())
    if (number < 0 || number >= classCount)
      return emitOpError() << "the class map names class " << number << ", there are programs of "
                           << classCount;
  return verifyFunctions(programs, classCount);
}

LogicalResult TensorOp::verify() {
  if (getTensorName().empty())
    return emitOpError("has no name");
  if (!isa<RankedTensorType>(getType()) || !dist::getLayout(getType()))
    return emitOpError() << "needs a tensor type with a layout, has " << getType();
  bool stored = getRole() == Role::parameter || getRole() == Role::state || getRole() == Role::constant;
  if (stored && !getInitializer())
    return emitOpError() << "is a " << stringifyRole(getRole()) << " and has no initializer";
  if (!stored && getInitializer())
    return emitOpError() << "is a " << stringifyRole(getRole())
                         << " and has an initializer, but no step keeps it";
  return success();
}

LogicalResult ProgramOp::verify() {
  if (getStreams().empty())
    return emitOpError("has no stream");
  int64_t bytes = getArenaBytes(), events = getEvents();
  if (bytes < 0 || events < 0)
    return emitOpError() << "has an arena of " << bytes << " bytes and " << events << " events";
  return success();
}

LogicalResult BufferOp::verify() {
  int64_t bytes = getBytes(), offset = getOffset();
  if (bytes < 0 || offset < 0)
    return emitOpError() << "has " << bytes << " bytes at " << offset;
  if (offset % 64 != 0)
    return emitOpError() << "starts at byte " << offset << ", which is not a multiple of 64";
  auto program = (*this)->getParentOfType<ProgramOp>();
  if (!program)
    return emitOpError("must stand in a sched.program");
  int64_t arena = program.getArenaBytes();
  if (offset > arena || bytes > arena - offset)
    return emitOpError() << "of bytes [" << offset << ", " << offset << " + " << bytes
                         << ") does not lie in the arena of " << arena << " bytes";
  if (getTensorAttr() &&
      !isa_and_nonnull<TensorOp>(program->getParentOfType<ScheduleOp>().lookupSymbol(getTensorAttr())))
    return emitOpError() << "there is no sched.tensor " << getTensorAttr();
  return success();
}

LogicalResult ScalarOp::verify() {
  bool region = getKind() == ScalarKind::region_start;
  if (region != getTensorType().has_value())
    return emitOpError() << "of kind " << stringifyScalarKind(getKind())
                         << (region ? " needs a tensor type" : " has a tensor type");
  int64_t limit = -1;
  if (region) {
    auto type = dyn_cast<RankedTensorType>(*getTensorType());
    if (!type || !dist::getLayout(type))
      return emitOpError() << "needs a tensor type with a layout, has " << *getTensorType();
    limit = type.getRank();
  } else if (getKind() == ScalarKind::axis_index) {
    if (auto schedule = (*this)->getParentOfType<ScheduleOp>())
      limit = schedule.getMesh().getMesh().rank();
  }
  if (limit >= 0 && static_cast<int64_t>(getDim()) >= limit)
    return emitOpError() << "of dim " << getDim() << ", there are " << limit;
  return success();
}
