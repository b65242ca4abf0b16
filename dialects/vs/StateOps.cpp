//===- StateOps.cpp - Optimizers ------------------------------------------------------===//

#include "dialects/vs/StateOps.h"

#include "dialects/vs/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/StateOps.cpp.inc"

void VsDialect::registerStateOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/StateOps.cpp.inc"
      >();
}

void ClipByGlobalNormOp::build(OpBuilder &builder, OperationState &state, ValueRange gradients,
                               double maxNorm) {
  SmallVector<Type> types;
  Type normType = builder.getF32Type();
  for (Value gradient : gradients) {
    types.push_back(withoutLayout(gradient.getType()));
    if (cast<RankedTensorType>(gradient.getType()).getElementType().isF64())
      normType = builder.getF64Type();
  }
  types.push_back(RankedTensorType::get({}, normType));
  state.addTypes(types);
  state.addOperands(gradients);
  state.addAttribute(getMaxNormAttrName(state.name), builder.getF64FloatAttr(maxNorm));
}
