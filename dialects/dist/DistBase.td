//===- DistBase.td - The dist dialect: meshes, layouts, communication ------------------===//

#ifndef VESCALE_DIALECTS_DIST_DISTBASE_TD
#define VESCALE_DIALECTS_DIST_DISTBASE_TD

include "mlir/IR/OpBase.td"

def DistDialect : Dialect {
  let name = "dist";
  let cppNamespace = "::vescale::dist";
  let summary = "Meshes, layouts and communication";
  let description = [{
    `dist` says where tensors live on a mesh of devices and how they move.

    A decided layout is part of a tensor's type (`#dist.layout`, as its encoding); a wish
    (`#dist.wish`) is an attribute of arguments, results and `dist.constrain`, and never part
    of a type. Types keep the global shape; what one device holds follows from the layout and
    the device's coordinate on the mesh.

    One function is the program of all devices. So a step of communication is an ordinary pure
    op: removing an unused one, or merging two equal ones, happens on all devices alike, and no
    device can be left waiting for another. What keeps the order of communication equal on all
    devices is that there is one order, that of the function.
  }];

  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;

  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

    /// Adds the attributes; called once, by initialize.
    void registerAttributes();
    void registerTypes();
    void registerOperations();

    /// The objects of layout/ that attributes point to. They live as long as the dialect.
    LayoutInterning &getInterning() { return *interning; }

  private:
    std::shared_ptr<LayoutInterning> interning;

  public:
  }];
}

#endif // VESCALE_DIALECTS_DIST_DISTBASE_TD
