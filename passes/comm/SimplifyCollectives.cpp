//===- SimplifyCollectives.cpp - Removes, merges and reuses steps -------------------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/comm/Passes.h"
#include "passes/fusion/KernelKind.h"

#include "dialects/dist/Joining.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/StepInterface.h"
#include "layout/Redistribution.h"
#include "passes/comm/Machine.h"
#include "passes/spmd/StepBuilder.h"

#include "mlir/IR/Builders.h"

#include <tuple>

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_SIMPLIFYCOLLECTIVESPASS
#include "passes/comm/Passes.h.inc"

namespace {

/// Compared from left to right: predicted time, then the number of steps.
struct Price {
  double seconds = 0;
  int steps = 0;

  bool operator<(const Price &other) const {
    double rounding = 1e-9 * std::max(seconds, other.seconds);
    if (seconds < other.seconds - rounding || other.seconds < seconds - rounding)
      return seconds < other.seconds;
    return steps < other.steps;
  }
};

/// A step of one tensor that is not begun apart from being waited for.
dist::StepOpInterface wholeStep(Operation *op) {
  auto step = dyn_cast_or_null<dist::StepOpInterface>(op);
  if (!step || step.getBefore().size() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return nullptr;
  return step;
}

struct SimplifyCollectivesPass : impl::SimplifyCollectivesPassBase<SimplifyCollectivesPass> {
  using SimplifyCollectivesPassBase::SimplifyCollectivesPassBase;

  void runOnOperation() override {
    FailureOr<analysis::MachineModel> read = readMachine(getOperation(), cluster);
    if (failed(read))
      return signalPassFailure();
    machine = *read;
    nextId = 0;
    earlier.clear();
    SmallVector<dist::StepOpInterface> steps = stepsOf(getOperation());
    for (dist::StepOpInterface step : steps)
      if (std::optional<int64_t> id = step.getStepId())
        nextId = std::max<int64_t>(nextId, *id + static_cast<int64_t>(step.getBefore().size()));
    for (dist::StepOpInterface step : steps)
      if (wholeStep(step))
        simplify(step);
    // From the end, so that what only an unused step used goes too.
    steps = stepsOf(getOperation());
    for (dist::StepOpInterface step : llvm::reverse(steps))
      if (wholeStep(step) && step->use_empty()) {
        step->erase();
        ++numUnused;
      }
  }

private:
  static SmallVector<dist::StepOpInterface> stepsOf(func::FuncOp function) {
    SmallVector<dist::StepOpInterface> steps;
    walkOutsideGroups(function, [&](Operation *op) {
      if (auto step = dyn_cast<dist::StepOpInterface>(op))
        steps.push_back(step);
      return WalkResult::advance();
    });
    return steps;
  }

  Price price(dist::StepOpInterface step) const {
    auto before = cast<RankedTensorType>(step.getBefore()[0].getType());
    return {machine.stepSeconds(step.getStepKind(), before, step.getAfter()[0]), 1};
  }

  void simplify(dist::StepOpInterface step) {
    auto after = cast<RankedTensorType>(step->getResult(0).getType());
    Value &known = earlier[{step.getBefore()[0], after, static_cast<int>(step.getStepKind())}];
    if (known && known.getDefiningOp()->getBlock() == step->getBlock() && known.getDefiningOp() != step) {
      step->getResult(0).replaceAllUsesWith(known);
      step->erase();
      ++numReused;
      return;
    }
    known = step->getResult(0);

    // What the chain costs as far as it serves this step alone, against a plan from its beginning.
    Price now = price(step);
    bool alone = true;
    Value best;
    layout::Plan bestPlan;
    Price bestGain;
    for (Value origin = step.getBefore()[0];;) {
      dist::StepOpInterface previous = wholeStep(origin.getDefiningOp());
      if (!previous || previous->getBlock() != step->getBlock())
        break;
      alone &= origin.hasOneUse();
      if (alone) {
        Price more = price(previous);
        now = {now.seconds + more.seconds, now.steps + more.steps};
      }
      origin = previous.getBefore()[0];
      std::optional<layout::Plan> plan = planFrom(origin, after);
      if (!plan)
        continue;
      Price planned;
      auto before = cast<RankedTensorType>(origin.getType());
      for (const layout::Step &part : plan->steps()) {
        RankedTensorType next = dist::withLayout(after, part.after);
        planned.seconds += machine.stepSeconds(part.kind, before, next);
        ++planned.steps;
        before = next;
      }
      if (!(planned < now))
        continue;
      Price gain{now.seconds - planned.seconds, now.steps - planned.steps};
      if (!best || bestGain < gain) {
        best = origin;
        bestPlan = *plan;
        bestGain = gain;
      }
    }
    if (!best)
      return;
    OpBuilder builder(step);
    Value value = best;
    std::optional<int64_t> id = step.getStepId();
    Location location = builder.getFusedLoc({step.getBefore()[0].getLoc(), step->getLoc()});
    for (const layout::Step &part : bestPlan.steps()) {
      value = buildStep(builder, location, part.kind, value, dist::withLayout(after, part.after));
      if (id)
        cast<dist::StepOpInterface>(value.getDefiningOp()).setStepId(*id), id = nextId++;
    }
    step->getResult(0).replaceAllUsesWith(value);
    known = value;
    Operation *unused = step;
    // What served this step alone goes with it.
    while (unused && wholeStep(unused) && unused->use_empty()) {
      Operation *previous = unused->getOperand(0).getDefiningOp();
      forget(unused);
      unused->erase();
      unused = previous;
    }
    ++numMerged;
  }

  /// The plan from a value to a type; nothing where there is none.
  std::optional<layout::Plan> planFrom(Value origin, RankedTensorType after) const {
    layout::StatusOr<layout::Plan> plan = layout::planRedistribution(
        *dist::getLayout(origin), *dist::getLayout(after),
        layout::Shape(after.getShape().begin(), after.getShape().end()),
        std::max<int64_t>(after.getElementTypeBitWidth() / 8, 1), machine.prices().planning());
    if (!plan.ok())
      return std::nullopt;
    return dist::planForElements(*plan, *dist::getLayout(origin), *dist::getLayout(after),
                                 after.getElementType());
  }

  /// Takes a step that will be erased out of those that others may reuse.
  void forget(Operation *op) {
    auto step = cast<dist::StepOpInterface>(op);
    auto it = earlier.find({step.getBefore()[0], op->getResult(0).getType(), static_cast<int>(step.getStepKind())});
    if (it != earlier.end() && it->second == op->getResult(0))
      earlier.erase(it);
  }

  analysis::MachineModel machine{analysis::CostModel()};
  int64_t nextId = 0;
  /// By operand, type after it, and kind.
  DenseMap<std::tuple<Value, Type, int>, Value> earlier;
};

} // namespace
} // namespace vescale
