//===- CollectTensors.cpp - Arguments, their layouts and local sizes ---------------------------===//

#include "compiler/report/CollectReport.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsDialect.h"
#include "layout/Legality.h"
#include "layout/Placement.h"
#include "layout/RankClass.h"
#include "layout/Region.h"
#include "passes/memory/DeviceClasses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace vescale {

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::vector<LocalPart> localParts(const layout::Layout &layout, const layout::Shape &shape) {
  layout::StatusOr<layout::RankClasses> classes =
      layout::RankClasses::get(layout.mesh(), {{layout, shape}});
  std::vector<LocalPart> parts;
  if (!classes.ok())
    return parts;
  for (const layout::RankClasses::Class &one : classes->classes()) {
    layout::Shape local = layout::localShape(layout, shape, one.representative);
    auto same = llvm::find_if(parts, [&](const LocalPart &part) { return part.shape == local; });
    if (same == parts.end())
      parts.push_back({local, one.devices});
    else
      same->devices += one.devices;
  }
  llvm::stable_sort(parts, [](const LocalPart &a, const LocalPart &b) {
    return layout::elementCount(a.shape) > layout::elementCount(b.shape);
  });
  return parts;
}

static TensorReport describe(func::FuncOp function, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto text = [&](StringRef attribute) {
    auto value = function.getArgAttrOfType<StringAttr>(number, attribute);
    return value ? value.str() : std::string();
  };
  RankedTensorType type = withAnyLayout(cast<RankedTensorType>(argument.getType()));
  const layout::Layout &layout = *dist::getLayout(type);
  layout::Shape shape(type.getShape().begin(), type.getShape().end());

  TensorReport tensor;
  tensor.function = function.getName().str();
  tensor.role = text(vs::VsDialect::roleAttributeName);
  tensor.name = text(vs::VsDialect::nameAttributeName);
  if (tensor.name.empty())
    tensor.name = "argument " + std::to_string(number);
  tensor.elementType = typeText(type.getElementType());
  tensor.shape = shape;
  tensor.parts = localParts(layout, shape);
  if (!tensor.parts.empty())
    tensor.bytes = layout::elementCount(tensor.parts.front().shape) *
                   std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
  if (!dist::getLayout(argument.getType()))
    return tensor;
  tensor.layout = layout.str();
  if (layout::StatusOr<layout::Placements> placements = layout::placementsOf(layout);
      placements.ok())
    tensor.placements = layout::str(*placements);
  std::vector<bool> cuts(layout.mesh().rank());
  for (const layout::SubAxis &axis : layout.shardingAxes())
    cuts[axis.axis] = true;
  for (int axis = 0; axis < layout.mesh().rank(); ++axis)
    if (cuts[axis])
      tensor.axes.push_back(layout.mesh().axis(axis).name);
  return tensor;
}

void collectTensors(ModuleOp module, Report &report) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    for (BlockArgument argument : function.getArguments()) {
      if (!isa<RankedTensorType>(argument.getType()))
        continue;
      report.tensors.push_back(describe(function, argument));
      if (const layout::Layout *layout = dist::getLayout(argument.getType());
          layout && report.mesh.empty()) {
        for (const layout::Axis &axis : layout->mesh().axes())
          report.mesh += (report.mesh.empty() ? "" : ", ") + axis.name + "=" +
                         std::to_string(axis.size);
        report.devices = layout->mesh().numDevices();
      }
    }
  }
}

} // namespace vescale
