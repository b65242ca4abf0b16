//===- ContainerOps.cpp - Verifiers of schedules and programs -------------===//

#include "dialects/sched/SchedOps.h"

#include "dialects/dist/LayoutTypes.h"

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
  for (int64_t number : getClasses())
    if (number < 0 || number >= static_cast<int64_t>(programs.size()))
      return emitOpError() << "the class map names class " << number << ", there are " << programs.size()
                           << " programs";
  SmallVector<int64_t> first;
  for (auto [number, program] : llvm::enumerate(programs)) {
    if (program.getClassNumber() != number)
      return program.emitOpError() << "is of class " << program.getClassNumber() << ", must be of class "
                                   << number;
    SmallVector<int64_t> ids = collectiveIds(program);
    if (number == 0)
      first = std::move(ids);
    else if (ids != first) {
      size_t at = std::mismatch(ids.begin(), ids.end(), first.begin(), first.end()).first - ids.begin();
      return program.emitOpError() << "issues other collectives than class 0, from number " << at
                                   << " on; all classes must issue the same ids in the same order";
    }
  }
  return success();
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
