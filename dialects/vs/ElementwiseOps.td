//===- ElementwiseOps.td - One element of the result from one of each operand ----------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

class Vs_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Vs_PureOp<mnemonic, !listconcat([Vs_Elementwise], traits)>;

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

class Vs_UnaryOp<string mnemonic, Type tensor, string meaning, list<Trait> traits = []>
    : Vs_ElementwiseOp<mnemonic, !listconcat([Vs_UniformElementType], traits)> {
  let summary = meaning;
  let description = [{
    Constraints:
    - (C1) operand and result have the same shape.
    - (C2) operand and result have the same element type.

    ```mlir
    %y = vs.}] # mnemonic # [{ %x : }] # !if(!eq(mnemonic, "not"), "tensor<8x4xi1>",
                                            "tensor<8x4xf32>") # [{
    ```
  }];
  let arguments = (ins tensor:$x);
  let results = (outs tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x), [{
    build($_builder, $_state, withoutLayout(x.getType()), x);
  }]>];
}

def Vs_AbsOp : Vs_UnaryOp<"abs", Vs_NumericTensor, "Absolute value |x|">;
def Vs_NegOp : Vs_UnaryOp<"neg", Vs_NumericTensor, "Negation -x"> { let hasFolder = 1; }
def Vs_SignOp : Vs_UnaryOp<"sign", Vs_NumericTensor, "-1, 0 or 1, as x is below, at or above 0">;
def Vs_ExpOp : Vs_UnaryOp<"exp", Vs_FloatTensor, "Exponential e^x">;
def Vs_Expm1Op : Vs_UnaryOp<"expm1", Vs_FloatTensor, "e^x - 1, exact near 0">;
def Vs_LogOp : Vs_UnaryOp<"log", Vs_FloatTensor, "Natural logarithm">;
def Vs_Log1pOp : Vs_UnaryOp<"log1p", Vs_FloatTensor, "log(1 + x), exact near 0">;
def Vs_SqrtOp : Vs_UnaryOp<"sqrt", Vs_FloatTensor, "Square root">;
def Vs_RsqrtOp : Vs_UnaryOp<"rsqrt", Vs_FloatTensor, "Reciprocal square root 1 / sqrt(x)">;
def Vs_ReciprocalOp : Vs_UnaryOp<"reciprocal", Vs_FloatTensor, "Reciprocal 1 / x">;
def Vs_SinOp : Vs_UnaryOp<"sin", Vs_FloatTensor, "Sine of x in radians">;
def Vs_CosOp : Vs_UnaryOp<"cos", Vs_FloatTensor, "Cosine of x in radians">;
def Vs_TanhOp : Vs_UnaryOp<"tanh", Vs_FloatTensor, "Hyperbolic tangent">;
def Vs_ErfOp : Vs_UnaryOp<"erf", Vs_FloatTensor, "Error function">;
def Vs_SigmoidOp : Vs_UnaryOp<"sigmoid", Vs_FloatTensor, "Logistic function 1 / (1 + e^-x)">;
def Vs_ReluOp : Vs_UnaryOp<"relu", Vs_NumericTensor, "max(x, 0); the gradient at 0 is 0">;
def Vs_SiluOp : Vs_UnaryOp<"silu", Vs_FloatTensor, "x * sigmoid(x)">;
def Vs_FloorOp : Vs_UnaryOp<"floor", Vs_FloatTensor, "Largest whole number not above x">;
def Vs_CeilOp : Vs_UnaryOp<"ceil", Vs_FloatTensor, "Smallest whole number not below x">;
def Vs_RoundOp : Vs_UnaryOp<"round", Vs_FloatTensor, "Nearest whole number, halves to even">;
def Vs_NotOp : Vs_UnaryOp<"not", Vs_BitsTensor, "Bitwise complement; logical not of i1"> {
  let hasFolder = 1;
}

def Vs_GeluOp : Vs_ElementwiseOp<"gelu", [Vs_UniformElementType]> {
  let summary = "Gaussian error linear unit x * Phi(x)";
  let description = [{
    Exact, `x / 2 * (1 + erf(x / sqrt(2)))`, or with `approximate` by tanh,
    `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))`
    (Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv 1606.08415).

    Constraints:
    - (C1) operand and result have the same shape.
    - (C2) operand and result have the same element type.

    ```mlir
    %y = vs.gelu %x {approximate} : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, UnitAttr:$approximate);
  let results = (outs Vs_FloatTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "bool":$approximate), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, approximate);
  }]>];
}

def Vs_IsFiniteOp : Vs_ElementwiseOp<"is_finite"> {
  let summary = "Whether x is neither infinite nor NaN";
  let description = [{
    Constraints:
    - (C1) operand and result have the same shape.

    ```mlir
    %ok = vs.is_finite %x : tensor<8x4xf32> -> tensor<8x4xi1>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x);
  let results = (outs Vs_BoolTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x), [{
    build($_builder, $_state, withoutLayout(x.getType(), $_builder.getI1Type()), x);
  }]>];
}

def Vs_CastOp : Vs_ElementwiseOp<"cast"> {
  let summary = "Conversion to another element type";
  let description = [{
    Between floating-point types: rounds to nearest, halves to even. From floating point to
    integers: truncates toward zero and saturates, NaN becomes 0. Between integers: keeps the low
    bits. To i1: whether x is not 0. From i1: 0 or 1.

    Constraints:
    - (C1) operand and result have the same shape.

    ```mlir
    %y = vs.cast %x : tensor<8x4xf32> -> tensor<8x4xbf16>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Type":$elementType), [{
    build($_builder, $_state, ::mlir::TypeRange(withoutLayout(x.getType(), elementType)),
          ::mlir::ValueRange(x));
  }]>];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

class Vs_BinaryOp<string mnemonic, Type tensor, string meaning, list<Trait> traits = []>
    : Vs_ElementwiseOp<mnemonic, !listconcat([Vs_UniformElementType], traits)> {
  let summary = meaning;
  let description = [{
    Constraints:
    - (C1) operands and result have the same shape.
    - (C2) operands and result have the same element type.

    ```mlir
    %c = vs.}] # mnemonic # [{ %a, %b : tensor<8x4x}] #
        !if(!or(!eq(mnemonic, "and"), !eq(mnemonic, "or"), !eq(mnemonic, "xor")), "i1", "f32") # [{>
    ```
  }];
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    build($_builder, $_state, withoutLayout(lhs.getType()), lhs, rhs);
  }]>];
}

def Vs_AddOp : Vs_BinaryOp<"add", Vs_NumericTensor, "Sum", [Commutative]> { let hasFolder = 1; }
def Vs_SubOp : Vs_BinaryOp<"sub", Vs_NumericTensor, "Difference"> { let hasFolder = 1; }
def Vs_MulOp : Vs_BinaryOp<"mul", Vs_NumericTensor, "Product", [Commutative]> {
  let hasFolder = 1;
}
def Vs_DivOp : Vs_BinaryOp<"div", Vs_NumericTensor,
                           "Quotient; of integers truncated toward zero"> { let hasFolder = 1; }
def Vs_RemainderOp : Vs_BinaryOp<"remainder", Vs_NumericTensor,
                                 "lhs - rhs * trunc(lhs / rhs): has the sign of lhs">;
def Vs_PowOp : Vs_BinaryOp<"pow", Vs_FloatTensor, "lhs to the power of rhs">;
def Vs_MaximumOp : Vs_BinaryOp<"maximum", Vs_NumericTensor, "The larger operand; NaN if one is",
                               [Commutative]>;
def Vs_MinimumOp : Vs_BinaryOp<"minimum", Vs_NumericTensor, "The smaller operand; NaN if one is",
                               [Commutative]>;
def Vs_AndOp : Vs_BinaryOp<"and", Vs_BitsTensor, "Bitwise and; logical and of i1", [Commutative]>;
def Vs_OrOp : Vs_BinaryOp<"or", Vs_BitsTensor, "Bitwise or; logical or of i1", [Commutative]>;
def Vs_XorOp : Vs_BinaryOp<"xor", Vs_BitsTensor, "Bitwise exclusive or", [Commutative]>;

def Vs_CompareOp : Vs_ElementwiseOp<"compare"> {
  let summary = "Comparison element by element";
  let description = [{
    Where an operand is NaN every predicate but `ne` is false. `ui8` compares without a sign, i1 as
    0 and 1.

    Constraints:
    - (C1) operands and result have the same shape.
    - (C2) the operands have the same element type.

    ```mlir
    %below = vs.compare lt %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    ```
  }];
  let arguments = (ins Vs_ComparePredicateAttr:$predicate, Vs_AnyTensor:$lhs, Vs_AnyTensor:$rhs);
  let results = (outs Vs_BoolTensor:$result);
  let builders = [OpBuilder<(ins "ComparePredicate":$predicate, "::mlir::Value":$lhs,
                                 "::mlir::Value":$rhs), [{
    build($_builder, $_state, withoutLayout(lhs.getType(), $_builder.getI1Type()), predicate, lhs,
          rhs);
  }]>];
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

//===----------------------------------------------------------------------===//
// Ternary
//===----------------------------------------------------------------------===//

def Vs_SelectOp : Vs_ElementwiseOp<"select"> {
  let summary = "on_true where the predicate holds, else on_false";
  let description = [{
    Constraints:
    - (C1) operands and result have the same shape.
    - (C2) `on_true`, `on_false` and the result have the same element type.

    ```mlir
    %y = vs.select %p, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Vs_BoolTensor:$predicate, Vs_AnyTensor:$on_true, Vs_AnyTensor:$on_false);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$predicate, "::mlir::Value":$onTrue,
                                 "::mlir::Value":$onFalse), [{
    build($_builder, $_state, withoutLayout(onTrue.getType()), predicate, onTrue, onFalse);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Vs_ClampOp : Vs_ElementwiseOp<"clamp", [Vs_UniformElementType]> {
  let summary = "min(max(x, low), high)";
  let description = [{
    Constraints:
    - (C1) operands and result have the same shape.
    - (C2) operands and result have the same element type.

    ```mlir
    %y = vs.clamp %x, %low, %high : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_NumericTensor:$x, Vs_NumericTensor:$low, Vs_NumericTensor:$high);
  let results = (outs Vs_NumericTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$low, "::mlir::Value":$high), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, low, high);
  }]>];
}
