//===- DistDialect.cpp - The dist dialect ------------------------------------------------===//

#include "dialects/dist/DistDialect.h"

#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/LayoutInterning.h"

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

LogicalResult DistDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned number,
                                                    NamedAttribute attribute) {
  return op->emitError() << "unknown attribute " << attribute.getName() << " on argument "
                         << number;
}

LogicalResult DistDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned number,
                                                       NamedAttribute attribute) {
  return op->emitError() << "unknown attribute " << attribute.getName() << " on result " << number;
}

void DistDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<NameMeshes, InlineEverything>();
}
