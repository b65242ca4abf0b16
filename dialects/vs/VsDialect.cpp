//===- VsDialect.cpp - The vs dialect ------------------------------------------------------===//

#include "dialects/vs/VsDialect.h"

#include "dialects/vs/CreationOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#include "dialects/vs/VsDialect.cpp.inc"

void VsDialect::initialize() {
  registerTypesAndAttributes();
  registerCreationOps();
  registerElementwiseOps();
  registerContractionOps();
  registerReductionOps();
  registerShapeOps();
  registerIndexingOps();
  registerStateOps();
  registerStructureOps();
  registerLayerOps();
  registerAttentionOps();
  registerConvolutionOps();
}

Operation *VsDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor || elements.getShapedType().getShape() != tensor.getShape() ||
      elements.getElementType() != tensor.getElementType())
    return nullptr;
  return builder.create<ConstantOp>(location, type, elements);
}
