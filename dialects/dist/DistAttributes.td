//===- DistAttributes.td - Meshes, layouts, wishes, futures ----------------------------===//

#ifndef VESCALE_DIALECTS_DIST_DISTATTRIBUTES_TD
#define VESCALE_DIALECTS_DIST_DISTATTRIBUTES_TD

include "dialects/dist/DistBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

// Meshes, layouts and wishes are objects of layout/, interned by the dialect: equal objects have
// one address, so attributes compare and hash by pointer. Their mnemonics are known to
// DistDialect::parseAttribute alone: the lexer of MLIR has no token for the `/` of an
// interleaved cut, so layout/ parses the text itself.

def Dist_MeshAttr : AttrDef<DistDialect, "Mesh"> {
  let attrName = "dist.mesh";
  let summary = "named axes of devices";
  let description = [{
    Syntax: `#dist.mesh<["dp" = 2, "tp" = 4]>`, optionally followed by
    `, device_ids = [3, 2, 1, 0]`.

    The named axes of a mesh with their sizes. Coordinates are row-major: on this mesh, the
    position of (dp, tp) is dp * 4 + tp, and it is device `device_ids[position]`, or device
    `position` without such a list.

    Constraints:
    - (C1) axis names are distinct and not empty;
    - (C2) axis sizes are at least 1;
    - (C3) `device_ids`, if given, is a list of as many distinct ids, none negative, as the mesh
      has devices.
  }];
  let parameters = (ins "const ::vescale::layout::Mesh *":$interned);
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    static MeshAttr get(::mlir::MLIRContext *context, const ::vescale::layout::Mesh &mesh);
    const ::vescale::layout::Mesh &getMesh() const { return *getInterned(); }
  }];
}

def Dist_LayoutAttr : AttrDef<DistDialect, "Layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let attrName = "dist.layout";
  let summary = "where the elements of a tensor are";
  let description = [{
    Syntax: `#dist.layout<#mesh, [{"dp"}, {"tp" / 3} ]>`, optionally followed by
    `, partial = [sum: "tp"]` and `, ragged = {"dp", dims = 2, units = [5, 7, 0, 12]}`.

    The layout of a tensor on a mesh, used as the encoding of a ranked tensor type. Each dim
    lists the axes that cut it, major to minor; an axis that stands nowhere replicates.

    | part | meaning |
    | --- | --- |
    | `{"a", "b"}` | cut by a, then each piece by b |
    | `{"a" / 3}` | seen as (3, n / 3), the inner part is cut |
    | `{"a" by 8}` | cut in whole blocks of 8 |
    | `{"a":(2)4}` | cut by the sub-axis of a that is (2, 4, rest) |
    | `partial = [sum: "b"]` | the value is the sum of the values along b; also max, min, prod, and, or |
    | `ragged = {...}` | the leading dims, flattened, are cut in proportion to units |

    Constraints, on the layout and on the tensor type that has it:
    - (C1) every axis is one of the mesh, and no part of an axis is used twice;
    - (C2) there is one entry per dim of the tensor;
    - (C3) an interleaved dim divides by its interleave times the size of its axis;
    - (C4) all partial axes have the same reduction, which fits the element type: `and` and
      `or` are for integers;
    - (C5) the units of a ragged layout are as many as its axis is long, and their sum divides
      the number of elements of the dims that it flattens.
  }];
  let parameters = (ins "const ::vescale::layout::Layout *":$interned);
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    static LayoutAttr get(::mlir::MLIRContext *context, const ::vescale::layout::Layout &layout);
    const ::vescale::layout::Layout &getLayout() const { return *getInterned(); }
    MeshAttr getMesh() const;
  }];
}

def Dist_WishAttr : AttrDef<DistDialect, "Wish"> {
  let attrName = "dist.wish";
  let summary = "where a user wants the elements of a tensor to be";
  let description = [{
    Syntax: `#dist.wish<#mesh, [{"dp", ?}p0, {?} ], replicated = ["tp"]>`.

    What a user asks for. A wish is never part of a type; it stands on function arguments and
    results as `dist.wish`, and on `dist.constrain`. It is written as a layout, and in addition:

    | part | meaning |
    | --- | --- |
    | `{"a", ?}` | the dim may be cut further; without `?` it is closed |
    | `{"a"}p0` | priority of the dim, smaller ones are propagated first |
    | `replicated = ["tp"]` | this axis must stay unused |

    Constraints:
    - (C1) every axis is one of the mesh, and no part of an axis is used twice, `replicated`
      included;
    - (C2) where it stands on a value, it has as many dims as the value's type, and the layout
      that it asks for is legal for that type.
  }];
  let parameters = (ins "const ::vescale::layout::Wish *":$interned);
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    static WishAttr get(::mlir::MLIRContext *context, const ::vescale::layout::Wish &wish);
    const ::vescale::layout::Wish &getWish() const { return *getInterned(); }
    MeshAttr getMesh() const;
  }];
}

def Dist_Direction : I32EnumAttr<"Direction", "the directions of propagation", [
    I32EnumAttrCase<"forward", 0>,
    I32EnumAttrCase<"backward", 1>,
    I32EnumAttrCase<"both", 2>]> {
  let cppNamespace = "::vescale::dist";
  let genSpecializedAttr = 0;
}

def Dist_DirectionAttr : EnumAttr<DistDialect, Dist_Direction, "direction"> {
  let summary = "a direction of propagation: forward, backward or both";
}

def Dist_FutureType : TypeDef<DistDialect, "Future"> {
  let mnemonic = "future";
  let summary = "a tensor on its way";
  let description = [{
    The result of a collective that has been started and may not be complete. `dist.wait` turns
    it into the tensor. `type` is the type of the tensor, layout included.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$type);
  let assemblyFormat = "`<` $type `>`";
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$type), [{
    return $_get(type.getContext(), type);
  }]>];
}

#endif // VESCALE_DIALECTS_DIST_DISTATTRIBUTES_TD
