//===- LaunchOrder.cpp - Writes the order of launches into a block ------------------------===//

#include "passes/comm/LaunchOrder.h"

#include "passes/comm/Passes.h"
#include "passes/fusion/KernelKind.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <functional>

using namespace mlir;

namespace vescale {
namespace {

bool isWait(Operation *op) { return isa_and_nonnull<dist::WaitOp>(op); }

/// Whether a value is what a transfer delivers, or a view of that.
bool isDelivered(Value value) {
  Operation *producer = value.getDefiningOp();
  while (producer && !isWait(producer) && kernelKind(producer) == KernelKind::view)
    producer = cast<ViewLikeOpInterface>(producer).getViewSource().getDefiningOp();
  if (isWait(producer))
    return true;
  auto step = dyn_cast_or_null<dist::StepOpInterface>(producer);
  return step && !layout::isLocal(step.getStepKind());
}

SmallVector<Transfer *, 2> membersOf(Transfers &transfers, const Launch &launch) {
  SmallVector<Transfer *, 2> members;
  for (int number : launch.transfers)
    members.push_back(&transfers.all[number]);
  return members;
}

/// The waits that follow a start, one for each of its values.
SmallVector<Operation *> waitsOf(dist::StartOp start) {
  SmallVector<Operation *> waits;
  for (Value future : start.getFutures())
    waits.append(future.getUsers().begin(), future.getUsers().end());
  return waits;
}

} // namespace

void settleViews(Block &block) {
  auto isView = [](Operation &op) { return !isWait(&op) && kernelKind(&op) == KernelKind::view; };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isView(op) || isDelivered(op.getResult(0)))
      continue;
    Value source = cast<ViewLikeOpInterface>(op).getViewSource();
    if (Operation *producer = source.getDefiningOp())
      op.moveAfter(producer);
    else if (source.getParentBlock() == &block)
      op.moveBefore(&block, block.begin());
  }
  // Views that have been met and not yet been needed. Whoever needs one has it placed.
  llvm::SmallPtrSet<Operation *, 16> pending;
  std::function<void(Operation *)> placeOperands = [&](Operation *user) {
    auto place = [&](Value operand, Operation *before) {
      Operation *view = operand.getDefiningOp();
      if (!view || !pending.erase(view))
        return;
      view->moveBefore(before);
      placeOperands(view);
    };
    for (Value operand : user->getOperands())
      place(operand, user);
    if (user->getNumRegions() != 0 && !user->hasTrait<OpTrait::IsIsolatedFromAbove>())
      user->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          place(operand, user);
      });
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isView(op) && !op.use_empty() && isDelivered(op.getResult(0)))
      pending.insert(&op);
    else
      placeOperands(&op);
  }
}

dist::StartOp startTogether(OpBuilder &builder, ArrayRef<Transfer *> members) {
  MLIRContext *context = builder.getContext();
  SmallVector<Value> inputs;
  SmallVector<Type> futures;
  SmallVector<Location> locations;
  for (Transfer *member : members) {
    llvm::append_range(inputs, member->step.getBefore());
    for (RankedTensorType type : member->step.getAfter())
      futures.push_back(dist::FutureType::get(context, type));
    locations.push_back(member->step->getLoc());
  }
  dist::StepOpInterface first = members.front()->step;
  IntegerAttr id;
  if (std::optional<int64_t> known = first.getStepId())
    id = builder.getI64IntegerAttr(*known);
  auto start = builder.create<dist::StartOp>(builder.getFusedLoc(locations), futures,
                                             StringRef(layout::str(first.getStepKind())), inputs, id);
  unsigned pair = 0;
  for (Transfer *member : members) {
    SmallVector<Operation *> old;
    for (auto &values : member->results) {
      Value future = start.getFutures()[pair++];
      auto wait = builder.create<dist::WaitOp>(member->step->getLoc(), cast<dist::FutureType>(future.getType()).getType(),
                                               future);
      for (Value value : values) {
        value.replaceAllUsesWith(wait.getResult());
        if (isWait(value.getDefiningOp()))
          old.push_back(value.getDefiningOp());
      }
      values = {wait.getResult()};
    }
    for (Operation *wait : old)
      wait->erase();
    member->step->erase();
    member->step = start;
  }
  return start;
}

unsigned writeBuckets(Transfers &transfers, const LaneSchedule &schedule) {
  // A launch stands no later than those that it gives operands to.
  std::vector<int> launchOf(transfers.all.size()), place(schedule.launches.size());
  for (auto [number, launch] : llvm::enumerate(schedule.launches))
    for (int member : launch.transfers)
      launchOf[member] = static_cast<int>(number);
  for (size_t number = schedule.launches.size(); number-- > 0;) {
    const Launch &launch = schedule.launches[number];
    place[number] = static_cast<int>(transfers.ops.size()) - 1;
    for (int member : launch.transfers) {
      place[number] = std::min(place[number], transfers.all[member].need);
      for (int next : transfers.afterTransfer[member])
        place[number] = std::min(place[number], place[launchOf[next]]);
    }
  }
  unsigned joined = 0;
  for (auto [number, launch] : llvm::enumerate(schedule.launches)) {
    Operation *before = transfers.ops[place[number]];
    SmallVector<Transfer *, 2> members = membersOf(transfers, launch);
    OpBuilder builder(before);
    if (members.size() > 1) {
      joined += members.size();
      startTogether(builder, members);
      continue;
    }
    Operation *step = members.front()->step;
    step->moveBefore(before);
    if (auto start = dyn_cast<dist::StartOp>(step))
      for (Operation *wait : waitsOf(start))
        wait->moveBefore(before);
  }
  return joined;
}

void writeOverlap(Transfers &transfers, const LaneSchedule &schedule) {
  // The op before which each wait stands.
  DenseMap<Operation *, int> placeOf;
  for (const Launch &launch : schedule.launches) {
    OpBuilder builder(transfers.ops[launch.before]);
    SmallVector<Transfer *, 2> members = membersOf(transfers, launch);
    SmallVector<int> over;
    for (Transfer *member : members)
      for (int need : member->needs)
        over.push_back(std::min(launch.over, need));
    dist::StartOp start = startTogether(builder, members);
    // What it moves may come from a launch before it, which is over by now.
    for (Value operand : start->getOperands())
      if (auto wait = placeOf.find(operand.getDefiningOp()); wait != placeOf.end() && wait->second > launch.before) {
        wait->first->moveBefore(start);
        wait->second = launch.before;
      }
    for (auto [future, place] : llvm::zip_equal(start.getFutures(), over))
      for (Operation *wait : future.getUsers()) {
        wait->moveBefore(transfers.ops[place]);
        placeOf[wait] = place;
      }
    start->setAttr(exposedAttributeName, builder.getF64FloatAttr(launch.exposed));
  }
}

} // namespace vescale
