//===- Wishes.cpp - What is asked of the layouts of values --------------------------------===//

#include "dialects/dist/Wishes.h"

#include "dialects/dist/DistOps.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace vescale::dist {

WishAttr getWish(Value value) {
  if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
    auto function = llvm::dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (!function || !argument.getOwner()->isEntryBlock())
      return {};
    return function.getArgAttrOfType<WishAttr>(argument.getArgNumber(), wishAttributeName);
  }
  auto constrain = value.getDefiningOp<ConstrainOp>();
  return constrain ? constrain.getWish() : WishAttr();
}

WishAttr getResultWish(FunctionOpInterface function, unsigned result) {
  return function.getResultAttrOfType<WishAttr>(result, wishAttributeName);
}

std::string whyNotWish(Type type, WishAttr wish) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return "a wish is for ranked tensors of static shape";
  std::string why;
  ScopedDiagnosticHandler handler(type.getContext(), [&](Diagnostic &diagnostic) {
    why = diagnostic.str();
    return success();
  });
  (void)LayoutAttr::get(type.getContext(), wish.getWish().asked())
      .verifyEncoding(tensor.getShape(), tensor.getElementType(),
                      [&] { return emitError(UnknownLoc::get(type.getContext())); });
  return why;
}

} // namespace vescale::dist
