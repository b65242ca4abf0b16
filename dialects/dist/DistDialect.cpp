//===- DistDialect.cpp - The dist dialect ------------------------------------------------===//

#include "dialects/dist/DistDialect.h"

#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/LayoutInterning.h"
#include "dialects/dist/Wishes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

#include "dialects/dist/DistDialect.cpp.inc"

using namespace mlir;
using namespace vescale::dist;

namespace {

/// Meshes are named in the printed IR, since every layout repeats its mesh.
struct NameMeshes : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!llvm::isa<MeshAttr>(attribute))
      return AliasResult::NoAlias;
    os << "mesh";
    return AliasResult::FinalAlias;
  }
};

/// All ops of the dialect may be inlined: none depends on the function that it stands in.
struct InlineEverything : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override { return true; }
};

} // namespace

/// Checks an attribute of this dialect on an argument or result: wishes stand there, and axes that
/// cut what the wish leaves.
static LogicalResult verifyValueAttribute(Operation *op, NamedAttribute attribute, Type type,
                                          StringRef what, unsigned number) {
  if (attribute.getName() == alsoCutByAttributeName) {
    auto axes = llvm::dyn_cast<ArrayAttr>(attribute.getValue());
    if (!axes || !llvm::all_of(axes, llvm::IsaPred<StringAttr>))
      return op->emitError() << attribute.getName() << " of " << what << " " << number
                             << " is no list of names of mesh axes";
    return success();
  }
  if (attribute.getName() != wishAttributeName)
    return op->emitError() << "unknown attribute " << attribute.getName() << " on " << what << " "
                           << number;
  auto wish = llvm::dyn_cast<WishAttr>(attribute.getValue());
  if (!wish)
    return op->emitError() << attribute.getName() << " of " << what << " " << number
                           << " is no #dist.wish";
  std::string reason = whyNotWish(type, wish);
  if (!reason.empty())
    return op->emitError() << attribute.getName() << " of " << what << " " << number
                           << " does not fit: " << reason;
  return success();
}

LogicalResult DistDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned number,
                                                    NamedAttribute attribute) {
  auto function = llvm::dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError() << attribute.getName() << " stands on arguments of functions";
  return verifyValueAttribute(op, attribute, function.getArgumentTypes()[number], "argument",
                              number);
}

LogicalResult DistDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned number,
                                                       NamedAttribute attribute) {
  auto function = llvm::dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError() << attribute.getName() << " stands on results of functions";
  return verifyValueAttribute(op, attribute, function.getResultTypes()[number], "result", number);
}

/// Folds give indices only: coordinates on axes of size 1.
Operation *DistDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

void DistDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<NameMeshes, InlineEverything>();
}
