//===- ContractionOps.td - Sums of products -------------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

def Vs_EinsumOp : Vs_PureOp<"einsum"> {
  let summary = "Contraction of two tensors, one letter a dim";
  let description = [{
    Letters in both inputs and in the output are batch dims, letters in both inputs and not in the
    output are summed over. Products of bf16, f16 and f8 accumulate in f32; the result may keep it.

    Constraints:
    - (C1) `spec` reads `lhs,rhs->out` with letters a-z and A-Z only.
    - (C2) no letter stands twice in one operand or in the output.
    - (C3) every letter of the output stands in an input.
    - (C4) every letter that is in a single input stands in the output.
    - (C5) each operand and the result has one dim per letter.
    - (C6) a letter has one size wherever it stands.
    - (C7) both operands have the same element type.
    - (C8) the result has the operands' element type, or f32 where that is bf16, f16 or f8.

    ```mlir
    %y = vs.einsum "bsd,fd->bsf" %x, %w
        : (tensor<2x8x4xf32>, tensor<16x4xf32>) -> tensor<2x8x16xf32>
    ```
  }];
  let arguments = (ins StrAttr:$spec, Vs_NumericTensor:$lhs, Vs_NumericTensor:$rhs);
  let results = (outs Vs_NumericTensor:$result);
  // The result has `elementType`, by default the operands'. `spec` must be legal for them.
  let builders = [OpBuilder<(ins "::llvm::StringRef":$spec, "::mlir::Value":$lhs,
                                 "::mlir::Value":$rhs, CArg<"::mlir::Type", "{}">:$elementType)>];
  let extraClassDeclaration = [{
    /// The parsed spec; the verifier has accepted it.
    EinsumSpec getEinsumSpec();
  }];
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

def Vs_GroupedMatmulOp : Vs_PureOp<"grouped_matmul"> {
  let summary = "Each group of rows times its expert's weight";
  let description = [{
    Rows of `x` (tokens, in) are sorted by expert; the first `tokens_per_expert[0]` belong to expert
    0, and so on. `y[t] = weight[expert of t] x[t]`, weight (experts, out, in). Rows beyond the sum of
    `tokens_per_expert` give 0; counts are not negative.

    Constraints:
    - (C1) `x` and `y` are 2-D, `weight` 3-D, `tokens_per_expert` 1-D.
    - (C2) `tokens_per_expert` has one entry per expert.
    - (C3) `x` and `weight` have the same input size.
    - (C4) `y` has the shape (tokens, out).
    - (C5) `x`, `weight` and `y` have the same element type.

    ```mlir
    %y = vs.grouped_matmul %x, %w, %counts
        : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> tensor<32x6xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_IndexTensor:$tokens_per_expert);
  let results = (outs Vs_FloatTensor:$y);
  let hasVerifier = 1;
}

def Vs_GroupedMatmulWeightGradientOp : Vs_PureOp<"grouped_matmul_weight_gradient"> {
  let summary = "Adjoint of grouped_matmul with respect to weight";
  let description = [{
    `dweight[e] = sum over the tokens t of expert e of gradient[t] x[t]^T`. (The gradient of `x` is a
    grouped_matmul with the transposed weights.)

    Constraints:
    - (C1) - (C5) as `grouped_matmul`, of `x`, `weight_gradient` and `gradient` as x, weight and y.

    ```mlir
    %dw = vs.grouped_matmul_weight_gradient %x, %dy, %counts
        : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> tensor<3x6x4xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$gradient,
                   Vs_IndexTensor:$tokens_per_expert);
  let results = (outs Vs_FloatTensor:$weight_gradient);
  let hasVerifier = 1;
}
