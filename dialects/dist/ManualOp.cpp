//===- ManualOp.cpp - Computations written for one device ----------------------------------===//

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"

#include "layout/Cutting.h"
#include "layout/Legality.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace vescale::dist;
namespace layout = vescale::layout;

/// The shape that every device holds of `type` in `attribute`, or an error of the op that says why
/// there is none. `what` and `number` name the value.
static FailureOr<SmallVector<int64_t>> partShape(ManualOp op, Type type, Attribute attribute,
                                                 StringRef what, size_t number) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  const layout::Layout &layout = llvm::cast<LayoutAttr>(attribute).getLayout();
  layout::Shape shape(tensor.getShape().begin(), tensor.getShape().end());
  layout::Status legal = layout::checkLegal(layout, shape);
  if (!legal.ok())
    return op.emitOpError() << "layout of " << what << " " << number << ": " << legal.message();
  if (layout.ragged())
    return op.emitOpError() << "layout of " << what << " " << number
                            << " is ragged, so devices hold parts of different shapes";
  SmallVector<int64_t> part;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t length = size;
    for (const layout::Cut &cut : layout.dim(dim)) {
      if (!layout::isEven(cut, length))
        return op.emitOpError() << "layout of " << what << " " << number << " cuts dim " << dim
                                << " of size " << size
                                << " unevenly, so devices hold parts of different shapes";
      length /= cut.axis.size;
    }
    part.push_back(length);
  }
  return part;
}

/// The layouts must be on one mesh and use only whole axes that are named.
static LogicalResult verifyLayouts(ManualOp op) {
  std::optional<layout::Mesh> mesh;
  for (ArrayAttr layouts : {op.getInLayouts(), op.getOutLayouts()}) {
    for (Attribute attribute : layouts) {
      const layout::Layout &layout = llvm::cast<LayoutAttr>(attribute).getLayout();
      if (mesh && *mesh != layout.mesh())
        return op.emitOpError() << "has layouts on two meshes: " << mesh->str() << " and "
                                << layout.mesh().str();
      mesh = layout.mesh();
      for (const layout::SubAxis &axis : layout.usedAxes()) {
        const std::string &name = mesh->axis(axis.axis).name;
        bool named = llvm::any_of(op.getAxes().getAsValueRange<StringAttr>(),
                                  [&](StringRef other) { return other == name; });
        if (!named || !layout::isWhole(*mesh, axis))
          return op.emitOpError() << "layout " << layout.str() << " uses "
                                  << layout::str(*mesh, axis) << ", which is not one of `axes`";
      }
    }
  }
  for (StringRef name : op.getAxes().getAsValueRange<StringAttr>())
    if (mesh && !mesh->axisIndex(std::string_view(name.data(), name.size())))
      return op.emitOpError() << "mesh " << mesh->str() << " has no axis \"" << name << "\"";
  return success();
}

LogicalResult ManualOp::verify() {
  if (getInLayouts().size() != getInputs().size())
    return emitOpError() << "has " << getInLayouts().size() << " in_layouts for "
                         << getInputs().size() << " operands";
  if (getOutLayouts().size() != getOutputs().size())
    return emitOpError() << "has " << getOutLayouts().size() << " out_layouts for "
                         << getOutputs().size() << " results";
  return verifyLayouts(*this);
}

/// Checks that `types` are those of the parts of `wholes` in `layouts`.
static LogicalResult verifyParts(ManualOp op, TypeRange wholes, ArrayAttr layouts,
                                 TypeRange types, StringRef what, StringRef partOf) {
  if (types.size() != wholes.size())
    return op.emitOpError() << "body has " << types.size() << " " << partOf << " values for "
                            << wholes.size() << " " << what << "s";
  for (size_t i = 0; i < wholes.size(); ++i) {
    FailureOr<SmallVector<int64_t>> shape = partShape(op, wholes[i], layouts[i], what, i);
    if (failed(shape))
      return failure();
    auto expected = RankedTensorType::get(*shape, getElementTypeOrSelf(wholes[i]));
    auto tensor = llvm::dyn_cast<RankedTensorType>(types[i]);
    if (!tensor || globalType(tensor) != expected)
      return op.emitOpError() << "body's " << partOf << " value " << i << " has type " << types[i]
                              << ", the part of " << what << " " << i << " is " << expected;
  }
  return success();
}

LogicalResult ManualOp::verifyRegions() {
  Block &body = getBody().front();
  if (failed(verifyParts(*this, getInputs().getTypes(), getInLayouts(), body.getArgumentTypes(),
                         "operand", "argument")))
    return failure();
  return verifyParts(*this, getOutputs().getTypes(), getOutLayouts(),
                     body.getTerminator()->getOperandTypes(), "result", "returned");
}
