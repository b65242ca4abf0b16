//===- Settle.cpp - Decides, by price, what moves --------------------------------------------===//

#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/DistDialect.h"
#include "passes/placement/ConstantSplitting.h"
#include "passes/placement/Passes.h"
#include "passes/placement/PlacementAttributes.h"
#include "passes/placement/Settler.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_SETTLE
#include "passes/placement/Passes.h.inc"

namespace {

class SettlePass : public impl::SettleBase<SettlePass> {
public:
  using SettleBase::SettleBase;

  void runOnOperation() override {
    auto mesh = getOperation()->getAttrOfType<dist::MeshAttr>(meshAttributeName);
    if (!mesh) {
      emitError(getOperation().getLoc()) << "no " << meshAttributeName << ": run dist-propagate first";
      return signalPassFailure();
    }
    layout::StatusOr<analysis::CostModel> costs = analysis::CostModel::read(cluster);
    if (!costs.ok()) {
      emitError(getOperation().getLoc()) << costs.message();
      return signalPassFailure();
    }
    OptionMemory options(mesh.getMesh(), *costs);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      Settler settler(function, mesh.getMesh(), options);
      if (failed(settler.run()))
        return signalPassFailure();
      redistributions += settler.statistics.redistributions;
      decomposed += settler.statistics.decomposed;
      improvements += settler.statistics.improvements;
      mergeConstants(function);
    }
    candidates += options.statistics.candidates;
  }
};

} // namespace
} // namespace vescale
