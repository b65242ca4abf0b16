//===- IndexingOps.td - Elements at computed places -----------------------===//
//
// An index outside of its dim reads 0 and writes nothing, everywhere. So reads are linear in the
// table, writing is their adjoint, and a device that holds a part of the table does its part of
// the work with no special case.
//
//===----------------------------------------------------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

def Vs_TakeOp : Vs_PureOp<"take"> {
  let summary = "Slices of a table at indices: an embedding";
  let description = [{
    The result has the indices' dims in place of `dim` of the table: for `dim = 0`,
    `result[i..., d...] = table[indices[i...], d...]`. An index outside of the dim reads 0.

    Constraints:
    - (C1) 0 <= `dim` < rank of the table.
    - (C2) the result's shape is the table's with the indices' shape in place of `dim`.
    - (C3) table and result have the same element type.

    ```mlir
    %h = vs.take %embedding, %tokens {dim = 0}
        : (tensor<50x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$table, Vs_IndexTensor:$indices, Vs_I64Attr:$dim);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$table, "::mlir::Value":$indices,
                                 "int64_t":$dim)>];
  let hasVerifier = 1;
}

def Vs_PutOp : Vs_PureOp<"put"> {
  let summary = "Slices written into a tensor at indices: the inverse of take";
  let description = [{
    Each slice of `updates` meets the slice of `x` that `take` with these indices would read there:
    `add` is summed to it, `set` replaces it, `max` keeps the larger. Updates of one place meet
    in row-major order of the indices, so `set` keeps the last. An index outside of the dim is
    dropped. The adjoint of `take` is a `put add` into zeros.

    Constraints:
    - (C1) 0 <= `dim` < rank of `x`.
    - (C2) the updates' shape is that of `x` with the indices' shape in place of `dim`.
    - (C3) `x`, updates and result have the same element type.
    - (C4) `x` and the result have the same shape.

    ```mlir
    %g = vs.put add %zeros, %tokens, %dh {dim = 0}
        : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<50x16xf32>
    ```
  }];
  let arguments = (ins Vs_ScatterKindAttr:$kind, Vs_NumericTensor:$x, Vs_IndexTensor:$indices,
                   Vs_NumericTensor:$updates, Vs_I64Attr:$dim);
  let results = (outs Vs_NumericTensor:$result);
  let builders = [OpBuilder<(ins "ScatterKind":$kind, "::mlir::Value":$x, "::mlir::Value":$indices,
                                 "::mlir::Value":$updates, "int64_t":$dim), [{
    build($_builder, $_state, withoutLayout(x.getType()), kind, x, indices, updates, dim);
  }]>];
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_GatherOp : Vs_PureOp<"gather"> {
  let summary = "Single elements at indices along a dim";
  let description = [{
    As PyTorch's `gather`: for `dim = 1`, `result[i, j] = x[i, indices[i, j]]`. An index outside of
    the dim reads 0.

    Constraints:
    - (C1) 0 <= `dim` < rank of `x`.
    - (C2) the indices have the rank of `x`, and its size in all dims but `dim`.
    - (C3) the result has the indices' shape.
    - (C4) `x` and the result have the same element type.

    ```mlir
    %picked = vs.gather %logits, %targets {dim = 1}
        : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x1xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, Vs_IndexTensor:$indices, Vs_I64Attr:$dim);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$indices, "int64_t":$dim)>];
  let hasVerifier = 1;
}

def Vs_ScatterOp : Vs_PureOp<"scatter"> {
  let summary = "Single elements written at indices along a dim: the inverse of gather";
  let description = [{
    As PyTorch's `scatter`, `scatter_add` and `scatter_reduce(amax)`: each element of `updates` meets
    the element of `x` that `gather` with these indices would read there. `add` is summed to it,
    `set` replaces it, `max` keeps the larger. Updates of one place meet in order along `dim`,
    so `set` keeps the last. An index outside of the dim is dropped.

    Constraints:
    - (C1) 0 <= `dim` < rank of `x`.
    - (C2) the indices have the rank of `x`, and its size in all dims but `dim`.
    - (C3) the updates have the indices' shape.
    - (C4) `x`, updates and result have the same element type.
    - (C5) `x` and the result have the same shape.

    ```mlir
    %y = vs.scatter add %x, %indices, %updates {dim = 1}
        : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
    ```
  }];
  let arguments = (ins Vs_ScatterKindAttr:$kind, Vs_NumericTensor:$x, Vs_IndexTensor:$indices,
                   Vs_NumericTensor:$updates, Vs_I64Attr:$dim);
  let results = (outs Vs_NumericTensor:$result);
  let builders = [OpBuilder<(ins "ScatterKind":$kind, "::mlir::Value":$x, "::mlir::Value":$indices,
                                 "::mlir::Value":$updates, "int64_t":$dim), [{
    build($_builder, $_state, withoutLayout(x.getType()), kind, x, indices, updates, dim);
  }]>];
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_OneHotOp : Vs_PureOp<"one_hot"> {
  let summary = "A new last dim with 1 at the index and 0 elsewhere";
  let description = [{
    An index outside of [0, depth) gives zeros.

    Constraints:
    - (C1) `depth` is not negative.
    - (C2) the result's shape is the indices' with `depth` as a last dim.

    ```mlir
    %y = vs.one_hot %targets {depth = 10} : tensor<8xi32> -> tensor<8x10xf32>
    ```
  }];
  let arguments = (ins Vs_IndexTensor:$indices, Vs_I64Attr:$depth);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$indices, "int64_t":$depth,
                                 "::mlir::Type":$elementType)>];
  let hasVerifier = 1;
}
