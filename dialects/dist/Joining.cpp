//===- Joining.cpp - What joins contributions of which one counts ---------------------------===//

#include "dialects/dist/Joining.h"

namespace vescale::dist {

using layout::Reduction;

Reduction joiningReduction(mlir::Type elementType) {
  return elementType.isInteger(1) ? Reduction::bitOr : Reduction::sum;
}

layout::Plan planForElements(const layout::Plan &plan, const layout::Layout &from,
                             const layout::Layout &to, mlir::Type elementType) {
  Reduction reduction = joiningReduction(elementType);
  if (reduction == Reduction::sum || from.partial() || to.partial())
    return plan;
  layout::Plan::Contents contents;
  contents.steps = plan.steps();
  contents.bytes = plan.bytes();
  contents.launches = plan.launches();
  contents.seconds = plan.seconds();
  contents.lowerBoundBytes = plan.lowerBoundBytes();
  contents.searchCutShort = plan.searchCutShort();
  contents.gap = plan.gap();
  contents.runnerUp = plan.runnerUp();
  for (layout::Step &step : contents.steps)
    if (const std::optional<layout::Partial> &partial = step.after.partial())
      step.after = layout::Layout::fromChecked(step.after.mesh(), step.after.dims(),
                                               layout::Partial{reduction, partial->axes},
                                               step.after.ragged());
  return layout::Plan(std::move(contents));
}

} // namespace vescale::dist
