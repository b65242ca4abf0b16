//===- ReductionOps.td - Reductions, scans and orders ---------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

def Vs_ReduceOp : Vs_PureOp<"reduce"> {
  let summary = "Reduction over dims, which the result no longer has";
  let description = [{
    Kinds: `sum`, `mean` (divides by the global count), `max` and `min` (NaN if one is), `prod`,
    `and`, `or` (bitwise; logical on i1). bf16, f16 and f8 accumulate in f32. Over no elements: the
    neutral element (0, NaN for `mean`, -inf or the lowest integer for `max`, ...). `dims` may be
    empty: the result is the operand.

    Constraints:
    - (C1) 0 <= each of `dims` < rank of the operand.
    - (C2) `dims` ascend strictly.
    - (C3) the result has the operand's shape without `dims`.
    - (C4) the result has the operand's element type.
    - (C5) `sum`, `prod`, `max` and `min` need numbers, `mean` floating-point ones, `and` and `or`
      integers or i1.

    ```mlir
    %l = vs.reduce mean %s dims = [0, 1] : tensor<8x2xf32> -> tensor<f32>
    ```
  }];
  let arguments = (ins Vs_ReduceKindAttr:$kind, Vs_AnyTensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "ReduceKind":$kind, "::mlir::Value":$x,
                                 "::llvm::ArrayRef<int64_t>":$dims)>];
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_ArgMaxOp : Vs_PureOp<"arg_max"> {
  let summary = "Index of the largest element along a dim, which the result no longer has";
  let description = [{
    Of equal elements the first wins; a NaN counts as the largest.

    Constraints:
    - (C1) 0 <= `dim` < rank of the operand.
    - (C2) the result has the operand's shape without `dim`.
    - (C3) the size of `dim` is not 0.

    ```mlir
    %best = vs.arg_max %logits {dim = 1} : tensor<8x10xf32> -> tensor<8xi32>
    ```
  }];
  let arguments = (ins Vs_NumericTensor:$x, Vs_I64Attr:$dim);
  let results = (outs Vs_IndexTensor:$indices);
  let hasVerifier = 1;
}

def Vs_CumulativeSumOp : Vs_PureOp<"cumulative_sum", [Vs_SameShape, Vs_UniformElementType]> {
  let summary = "Running sum along a dim";
  let description = [{
    `result[i] = sum of x[j] for j <= i`; with `exclusive` for j < i, with `reverse` for j >= i
    (j > i). Shape as the operand.

    Constraints:
    - (C1) 0 <= `dim` < rank of the operand.
    - (C2) operand and result have the same shape.
    - (C3) operand and result have the same element type.

    ```mlir
    %offsets = vs.cumulative_sum %counts {dim = 0, exclusive} : tensor<8xi32>
    ```
  }];
  let arguments = (ins Vs_NumericTensor:$x, Vs_I64Attr:$dim, UnitAttr:$reverse, UnitAttr:$exclusive);
  let results = (outs Vs_NumericTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "int64_t":$dim, "bool":$reverse,
                                 "bool":$exclusive), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, dim, reverse, exclusive);
  }]>];
  let hasVerifier = 1;
}

class Vs_OrderOp<string mnemonic> : Vs_PureOp<mnemonic> {
  let results = (outs Vs_NumericTensor:$values, Vs_IndexTensor:$indices);
  let hasVerifier = 1;
}

def Vs_SortOp : Vs_OrderOp<"sort"> {
  let summary = "Stable sort along a dim, with the indices that it moved";
  let description = [{
    Ascending, or with `descending` the other way; equal elements keep their order either way. NaNs
    count as the largest. `indices` are positions along `dim` in the operand:
    `values = gather(x, indices)`.

    Constraints:
    - (C1) 0 <= `dim` < rank of the operand.
    - (C2) `values` and `indices` have the operand's shape.
    - (C3) `values` has the operand's element type.

    ```mlir
    %v, %i = vs.sort %x {dim = 1, descending}
        : (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xi32>)
    ```
  }];
  let arguments = (ins Vs_NumericTensor:$x, Vs_I64Attr:$dim, UnitAttr:$descending);
}

def Vs_TopKOp : Vs_OrderOp<"top_k"> {
  let summary = "The k largest elements of the last dim, largest first, and their indices";
  let description = [{
    Equal to the first k of a descending `sort` of the last dim: equal elements keep their order.

    Constraints:
    - (C1) the operand has at least one dim.
    - (C2) 0 < `k` <= size of the last dim.
    - (C3) `values` and `indices` have the operand's shape with `k` as the last dim.
    - (C4) `values` has the operand's element type.

    ```mlir
    %v, %i = vs.top_k %x {k = 2} : (tensor<8x10xf32>) -> (tensor<8x2xf32>, tensor<8x2xi32>)
    ```
  }];
  let arguments = (ins Vs_NumericTensor:$x, Vs_I64Attr:$k);
}
