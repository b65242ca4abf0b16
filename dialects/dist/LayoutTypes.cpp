//===- LayoutTypes.cpp - Layouts in tensor types -------------------------------------------===//

#include "dialects/dist/LayoutTypes.h"

#include "layout/Region.h"

using namespace mlir;

namespace vescale::dist {

const layout::Layout *getLayout(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return nullptr;
  auto attribute = llvm::dyn_cast_if_present<LayoutAttr>(tensor.getEncoding());
  return attribute ? &attribute.getLayout() : nullptr;
}

RankedTensorType withLayout(RankedTensorType type, const layout::Layout &layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

RankedTensorType globalType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

RankedTensorType localType(RankedTensorType type, const layout::Coordinate &coordinate) {
  const layout::Layout *layout = getLayout(type);
  if (!layout)
    return globalType(type);
  layout::Shape shape(type.getShape().begin(), type.getShape().end());
  return RankedTensorType::get(layout::localShape(*layout, shape, coordinate),
                               type.getElementType());
}

} // namespace vescale::dist
