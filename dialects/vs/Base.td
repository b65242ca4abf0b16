//===- Base.td - The vs dialect: dialect, element types, op classes -------===//
//
// Included by every family of ops. A family never includes another one, so that each
// generates, and compiles, only its own classes.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_BASE_TD
#define VESCALE_DIALECTS_VS_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Vs_Dialect : Dialect {
  let name = "vs";
  let summary = "Models and training steps as one logical device sees them";
  let description = [{
    A program in `vs` says what is computed, never where. Tensors are ranked and static in their
    global shape. There is no implicit broadcasting and no implicit cast: operands that must agree
    in shape and element type agree literally.

    A tensor type may carry a layout as its encoding (`#dist.layout`). It says how the value lies on
    the devices and changes nothing about what an op means, so the verifiers here compare shapes and
    element types and leave encodings to each op's indexing rule. Only the bindings of regions
    (`recompute`, `repeat`, `fused`) compare whole types: the argument of a region is its operand.

    All ops are pure. Random numbers are a function of an `!vs.rng` value (seed and step), of the
    op's `draw_id` and of the element's global position. An op that draws without an id yet is kept
    apart from its twins by common subexpression elimination.

    **Assembly.** Every op prints as its operands, its attributes in braces, and its types:
    one type where all operands and the result agree, `T -> R` for one operand, `(T, ...) -> R`
    otherwise. Lists of integers print in brackets. Attributes that choose what an op computes
    lead: `vs.reduce mean %x dims = [0] : ...`, `vs.compare lt %a, %b : ...`,
    `vs.einsum "bi,oi->bo" %x, %w : ...`. The generic form always parses.

    **Functions.** Arguments of a model's function have `vs.role` and `vs.name`, parameters also
    `vs.init` and `vs.decay`; see `verifyRegionArgAttribute`.
  }];
  let cppNamespace = "::vescale::vs";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    // Attributes of function arguments.
    static constexpr ::llvm::StringLiteral roleAttributeName = "vs.role";
    static constexpr ::llvm::StringLiteral nameAttributeName = "vs.name";
    static constexpr ::llvm::StringLiteral initAttributeName = "vs.init";
    static constexpr ::llvm::StringLiteral decayAttributeName = "vs.decay";

  private:
    // Each family of ops registers itself in its own file.
    void registerTypesAndAttributes();
    void registerCreationOps();
    void registerElementwiseOps();
    void registerContractionOps();
    void registerReductionOps();
    void registerShapeOps();
    void registerIndexingOps();
    void registerStateOps();
    void registerStructureOps();
    void registerLayerOps();
    void registerAttentionOps();
    void registerConvolutionOps();

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Element types and tensors
//===----------------------------------------------------------------------===//

class Vs_TensorOf<list<Type> elements, string elementSummary>
    : Type<And<[IsRankedTensorTypePred, HasStaticShapePred,
                Or<!foreach(e, elements,
                            SubstLeaves<"$_self",
                                        "::llvm::cast<::mlir::ShapedType>($_self).getElementType()",
                                        e.predicate>)>]>,
           "statically shaped tensor of " # elementSummary, "::mlir::RankedTensorType">;

class Vs_ScalarOf<list<Type> elements, string elementSummary>
    : Type<And<[Vs_TensorOf<elements, "">.predicate,
                CPred<"::llvm::cast<::mlir::ShapedType>($_self).getRank() == 0">]>,
           "0-D tensor of " # elementSummary, "::mlir::RankedTensorType">;

defvar Vs_FloatTypes = [F64, F32, BF16, F16, F8E4M3FN, F8E5M2];
defvar Vs_IntegerTypes = [I64, I32, I16, I8, UI8];

def Vs_AnyTensor : Vs_TensorOf<!listconcat(Vs_FloatTypes, Vs_IntegerTypes, [I1]),
                               "f64, f32, bf16, f16, f8, i64, i32, i16, i8, ui8 or i1">;
def Vs_NumericTensor : Vs_TensorOf<!listconcat(Vs_FloatTypes, Vs_IntegerTypes),
                                   "floating-point numbers or integers wider than i1">;
def Vs_FloatTensor : Vs_TensorOf<Vs_FloatTypes, "floating-point numbers">;
def Vs_BitsTensor : Vs_TensorOf<!listconcat(Vs_IntegerTypes, [I1]), "integers or i1">;
def Vs_BoolTensor : Vs_TensorOf<[I1], "i1">;
def Vs_PositionTensor : Vs_TensorOf<[I64], "i64">;
def Vs_IndexTensor : Vs_TensorOf<[I64, I32], "i64 or i32">;
def Vs_StatisticsTensor : Vs_TensorOf<[F64, F32], "f64 or f32">;
def Vs_SignedBytesTensor : Vs_TensorOf<[I8], "i8">;
def Vs_UnsignedBytesTensor : Vs_TensorOf<[UI8], "ui8">;

def Vs_FloatScalar : Vs_ScalarOf<Vs_FloatTypes, "a floating-point number">;
def Vs_PositionScalar : Vs_ScalarOf<[I64], "i64">;
def Vs_IndexScalar : Vs_ScalarOf<[I64, I32], "i64 or i32">;
def Vs_StatisticsScalar : Vs_ScalarOf<[F64, F32], "f64 or f32">;
def Vs_CountScalar : Vs_ScalarOf<[I64, I32, F64, F32], "i64, i32, f64 or f32">;

//===----------------------------------------------------------------------===//
// Attributes of ops
//===----------------------------------------------------------------------===//

/// An i64 attribute whose C++ getter returns an int64_t.
def Vs_I64Attr : Attr<I64Attr.predicate, "64-bit integer attribute"> {
  let storageType = "::mlir::IntegerAttr";
  let returnType = "int64_t";
  let convertFromStorage = "$_self.getInt()";
  let constBuilderCall = "$_builder.getI64IntegerAttr($0)";
  let valueType = I64;
}

/// An f64 attribute whose C++ getter returns a double.
def Vs_F64Attr : Attr<F64Attr.predicate, "64-bit float attribute"> {
  let storageType = "::mlir::FloatAttr";
  let returnType = "double";
  let convertFromStorage = "$_self.getValueAsDouble()";
  let constBuilderCall = "$_builder.getF64FloatAttr($0)";
  let valueType = F64;
}

//===----------------------------------------------------------------------===//
// Traits and op classes
//===----------------------------------------------------------------------===//

/// All tensors among operands and results have one shape; layouts are not compared.
def Vs_SameShape : NativeOpTrait<"SameShape"> { let cppNamespace = "::vescale::vs"; }

/// Each element of the result is a function of the elements at the same place in the operands.
/// All tensors have one shape; layouts are not compared.
def Vs_Elementwise : NativeOpTrait<"Elementwise"> { let cppNamespace = "::vescale::vs"; }

/// All tensors among operands and results have one element type; layouts are not compared.
def Vs_UniformElementType : NativeOpTrait<"UniformElementType"> {
  let cppNamespace = "::vescale::vs";
}

/// An op of vs, with the assembly that all ops share.
class Vs_Op<string mnemonic, list<Trait> traits = []> : Op<Vs_Dialect, mnemonic, traits> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return ::vescale::vs::parseOperation(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::vescale::vs::printOperation(printer, *this);
    }
  }];
}

class Vs_PureOp<string mnemonic, list<Trait> traits = []>
    : Vs_Op<mnemonic, !listconcat([Pure], traits)>;

#endif
