//===- PlanRedistributions.cpp - redistributions as steps -----------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/spmd/Passes.h"

#include "analysis/cost/CostModel.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/Joining.h"
#include "dialects/dist/LayoutTypes.h"
#include "layout/Redistribution.h"
#include "passes/spmd/StepBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_PLANREDISTRIBUTIONSPASS
#include "passes/spmd/Passes.h.inc"

namespace {

int64_t elementBytes(RankedTensorType type) {
  return std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1);
}

struct PlanRedistributionsPass : impl::PlanRedistributionsPassBase<PlanRedistributionsPass> {
  using PlanRedistributionsPassBase::PlanRedistributionsPassBase;

  void runOnOperation() override {
    layout::RedistributionOptions options = analysis::CostModel().planning();
    options.collectivesOnly = collectivesOnly;
    if (failed(readLinks(options)))
      return signalPassFailure();
    SmallVector<dist::RedistributeOp> redistributions;
    getOperation().walk([&](dist::RedistributeOp op) { redistributions.push_back(op); });
    for (dist::RedistributeOp op : redistributions)
      if (failed(replace(op, options)))
        return signalPassFailure();
    int64_t id = 0;
    getOperation().walk<WalkOrder::PreOrder>([&](dist::StepOpInterface step) { step.setStepId(id++); });
  }

private:
  LogicalResult readLinks(layout::RedistributionOptions &options) {
    if (links.empty())
      return success();
    auto file = llvm::MemoryBuffer::getFile(links);
    if (!file)
      return getOperation().emitError() << "cannot read the link costs " << links.getValue() << ": "
                                        << file.getError().message();
    layout::StatusOr<layout::LinkCosts> costs = layout::LinkCosts::parse((*file)->getBuffer().str());
    if (!costs.ok())
      return getOperation().emitError() << links.getValue() << ": " << costs.message();
    options.links = std::make_shared<const layout::LinkCosts>(*costs);
    return success();
  }

  LogicalResult replace(dist::RedistributeOp op, const layout::RedistributionOptions &options) {
    auto from = cast<RankedTensorType>(op.getInput().getType()), to = cast<RankedTensorType>(op.getType());
    layout::StatusOr<layout::Plan> plan =
        layout::planRedistribution(*dist::getLayout(from), *dist::getLayout(to),
                                   layout::Shape(to.getShape().begin(), to.getShape().end()),
                                   elementBytes(to), options);
    if (!plan.ok())
      return op.emitOpError() << "has no plan: " << plan.message();
    Value value = op.getInput();
    OpBuilder builder(op);
    layout::Plan forElements = dist::planForElements(*plan, *dist::getLayout(from), *dist::getLayout(to),
                                               to.getElementType());
    for (const layout::Step &step : forElements.steps()) {
      RankedTensorType type = dist::withLayout(to, step.after);
      Value &known = earlier[{value, type}];
      if (!known || !isBefore(known, op)) {
        known = buildStep(builder, op.getLoc(), step.kind, value, type);
        ++numSteps;
        numBytes += step.bytes;
      }
      value = known;
    }
    if (value.getType() != to)
      return op.emitOpError() << "has a plan that ends in another layout: " << value.getType();
    op.getResult().replaceAllUsesWith(value);
    op.erase();
    ++numRedistributions;
    return success();
  }

  /// A step in the same block that stands before `op`, whose result may therefore be used there.
  static bool isBefore(Value step, Operation *op) {
    Operation *producer = step.getDefiningOp();
    return producer->getBlock() == op->getBlock() && producer->isBeforeInBlock(op);
  }

  /// By operand and type after it.
  llvm::DenseMap<std::pair<Value, Type>, Value> earlier;
};

} // namespace
} // namespace vescale
