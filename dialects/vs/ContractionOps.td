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
