//===- MachineModel.cpp - What the ops of a placed program take -----------------------------===//

#include "analysis/cost/MachineModel.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "layout/StepLegality.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace vescale::analysis {
namespace {

layout::Shape shapeOf(RankedTensorType type) {
  return layout::Shape(type.getShape().begin(), type.getShape().end());
}

/// How many devices share the work of an op: an axis that cuts any operand or result cuts the
/// work. An even estimate, also where cuts are not.
double devicesThatShare(Operation *op) {
  SmallVector<int64_t, 4> byAxis;
  auto add = [&](Type type) {
    const layout::Layout *layout = dist::getLayout(type);
    if (!layout)
      return;
    byAxis.resize(std::max<size_t>(byAxis.size(), layout->mesh().rank()), 1);
    SmallVector<int64_t, 4> here(byAxis.size(), 1);
    for (const layout::SubAxis &axis : layout->shardingAxes())
      here[axis.axis] *= axis.size;
    for (auto [known, cut] : llvm::zip(byAxis, here))
      known = std::max(known, cut);
  };
  for (Type type : op->getOperandTypes())
    add(type);
  for (Type type : op->getResultTypes())
    add(type);
  double devices = 1;
  for (int64_t cut : byAxis)
    devices *= static_cast<double>(cut);
  return devices;
}

/// Bytes of the part of a tensor that one device holds: an even estimate.
double evenBytes(RankedTensorType type) {
  double bytes = static_cast<double>(type.getNumElements()) *
                 static_cast<double>(std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1));
  for (const layout::SubAxis &axis : dist::getLayout(type)->shardingAxes())
    bytes /= static_cast<double>(axis.size);
  return bytes;
}

/// What one device receives in a step along axes of `n` devices.
double receivedBytes(layout::StepKind kind, RankedTensorType before, RankedTensorType after) {
  double n = 1;
  for (const layout::SubAxis &axis :
       layout::stepAxes(kind, *dist::getLayout(before), *dist::getLayout(after), shapeOf(before)))
    n *= static_cast<double>(axis.size);
  double bytes = evenBytes(after);
  switch (kind) {
  case layout::StepKind::allGather:
  case layout::StepKind::allToAll:
    return bytes * (n - 1) / n;
  case layout::StepKind::reduceScatter:
    return bytes * (n - 1);
  case layout::StepKind::allReduce:
    // Reduced in parts, which are then gathered.
    return 2 * bytes * (n - 1) / n;
  case layout::StepKind::permute:
  case layout::StepKind::exchange:
    return bytes;
  case layout::StepKind::slice:
  case layout::StepKind::toPartial:
    return 0;
  }
  llvm_unreachable("a step of an unknown kind");
}

/// Bytes of the elements that an op computes with: the widest of its operands and results.
int64_t elementBytes(Operation *op) {
  int64_t bytes = 1;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bytes = std::max<int64_t>(bytes, tensor.getElementTypeBitWidth() / 8);
  };
  for (Type type : op->getOperandTypes())
    add(type);
  for (Type type : op->getResultTypes())
    add(type);
  return bytes;
}

double points(Operation *op) {
  auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(op);
  if (!ruled || isa<ViewLikeOpInterface>(op))
    return 0;
  double product = 1;
  for (const dist::Factor &factor : ruled.getIndexingRule().factors)
    product *= static_cast<double>(factor.size);
  return product / devicesThatShare(op);
}

} // namespace

MachineModel::Moved MachineModel::moved(layout::StepKind kind, RankedTensorType before,
                                        RankedTensorType after) const {
  const layout::Layout *from = dist::getLayout(before), *to = dist::getLayout(after);
  const layout::LinkCosts &links = *costs.planning().links;
  Moved result;
  bool any = false;
  for (const layout::SubAxis &axis : layout::stepAxes(kind, *from, *to, shapeOf(before))) {
    const layout::Link &link = links.link(from->mesh().axes()[axis.axis].name);
    result.link = any ? layout::slowest(result.link, link) : link;
    any = true;
  }
  if (!any)
    // Between meshes: as slow as any axis.
    for (const layout::Mesh &mesh : {from->mesh(), to->mesh()})
      for (const layout::Link &link : links.links(mesh)) {
        result.link = any ? layout::slowest(result.link, link) : link;
        any = true;
      }
  result.bytes = receivedBytes(kind, before, after);
  return result;
}

double MachineModel::launchSeconds(dist::StepOpInterface step) const {
  if (layout::isLocal(step.getStepKind()))
    return 0;
  auto before = cast<RankedTensorType>(step.getBefore()[0].getType());
  return moved(step.getStepKind(), before, step.getAfter()[0]).link.latency;
}

double MachineModel::transferSeconds(dist::StepOpInterface step) const {
  double seconds = 0;
  for (auto [value, after] : llvm::zip_equal(step.getBefore(), step.getAfter())) {
    auto before = cast<RankedTensorType>(value.getType());
    if (layout::isLocal(step.getStepKind())) {
      seconds += stepSeconds(step.getStepKind(), before, after);
      continue;
    }
    Moved one = moved(step.getStepKind(), before, after);
    seconds += one.bytes / one.link.bandwidth;
  }
  return seconds;
}

double MachineModel::stepSeconds(layout::StepKind kind, RankedTensorType before,
                                 RankedTensorType after) const {
  if (layout::isLocal(kind)) {
    // Each element is written once.
    return costs.writeSeconds(evenBytes(after));
  }
  Moved one = moved(kind, before, after);
  return one.link.latency + one.bytes / one.link.bandwidth;
}

double MachineModel::computeSeconds(Operation *op) const {
  if (auto step = dyn_cast<dist::StepOpInterface>(op))
    return layout::isLocal(step.getStepKind()) ? transferSeconds(step) : 0;
  if (op->getNumRegions() == 0)
    return points(op) * costs.pointSeconds(elementBytes(op));
  double seconds = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        seconds += computeSeconds(&inner);
  auto flow = dyn_cast<dist::DataFlowOpInterface>(op);
  return seconds * static_cast<double>(flow ? flow.getRunCount() : 1);
}

} // namespace vescale::analysis
