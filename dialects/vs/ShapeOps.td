//===- ShapeOps.td - The same elements in other places --------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

// Builders without a result type infer shape and element type and give the result no layout.

def Vs_ReshapeOp : Vs_PureOp<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    Constraints:
    - (C1) operand and result have the same number of elements.
    - (C2) operand and result have the same element type.

    ```mlir
    %y = vs.reshape %x : tensor<8x4xf32> -> tensor<2x16xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$shape)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Vs_TransposeOp : Vs_PureOp<"transpose"> {
  let summary = "Dims in another order";
  let description = [{
    Dim `i` of the result is dim `permutation[i]` of the operand.

    Constraints:
    - (C1) `permutation` holds each dim of the operand once.
    - (C2) size of result dim i = size of operand dim `permutation[i]`.
    - (C3) operand and result have the same element type.

    ```mlir
    %y = vs.transpose %x {permutation = [1, 0]} : tensor<8x4xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$permutation)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Vs_BroadcastOp : Vs_PureOp<"broadcast"> {
  let summary = "The operand repeated along new dims";
  let description = [{
    Dim `i` of the operand becomes dim `dims[i]` of the result; along every other dim of the result
    the operand is repeated. An operand dim of size 1 does not stretch: reshape it away first.

    Constraints:
    - (C1) `dims` has one entry per dim of the operand.
    - (C2) 0 <= each of `dims` < rank of the result.
    - (C3) `dims` ascend strictly.
    - (C4) size of operand dim i = size of result dim `dims[i]`.
    - (C5) operand and result have the same element type.

    ```mlir
    %y = vs.broadcast %bias {dims = [1]} : tensor<4xf32> -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$shape,
                                 "::llvm::ArrayRef<int64_t>":$dims)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Vs_SliceOp : Vs_PureOp<"slice"> {
  let summary = "A part with fixed bounds";
  let description = [{
    `result[i] = x[starts + i * strides]` for positions below `limits`.

    Constraints:
    - (C1) `starts`, `limits` and `strides` have one entry per dim of the operand.
    - (C2) 0 <= start <= limit <= size in each dim.
    - (C3) each stride is at least 1.
    - (C4) size of result dim = ceil((limit - start) / stride).
    - (C5) operand and result have the same element type.

    ```mlir
    %y = vs.slice %x {starts = [0, 1], limits = [8, 4], strides = [2, 1]}
        : tensor<8x4xf32> -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$limits,
                   DenseI64ArrayAttr:$strides);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$starts,
                                 "::llvm::ArrayRef<int64_t>":$limits,
                                 "::llvm::ArrayRef<int64_t>":$strides)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Vs_DynamicSliceOp : Vs_PureOp<"dynamic_slice"> {
  let summary = "A part of fixed size that starts where scalars say";
  let description = [{
    The result's shape is the part's size. Starts are clamped to [0, size of operand dim - size of
    result dim], so that the part lies inside.

    Constraints:
    - (C1) there is one start per dim of the operand.
    - (C2) the result has the operand's rank.
    - (C3) no dim of the result is larger than the operand's.
    - (C4) operand and result have the same element type.
    - (C5) the starts have one element type.

    ```mlir
    %y = vs.dynamic_slice %x, %i, %zero
        : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, Variadic<Vs_IndexScalar>:$starts);
  let results = (outs Vs_AnyTensor:$result);
  let hasVerifier = 1;
}

def Vs_DynamicUpdateSliceOp : Vs_PureOp<"dynamic_update_slice"> {
  let summary = "The operand with a part replaced, which starts where scalars say";
  let description = [{
    Starts are clamped as in `dynamic_slice`.

    Constraints:
    - (C1) there is one start per dim of the operand.
    - (C2) the update has the operand's rank.
    - (C3) no dim of the update is larger than the operand's.
    - (C4) operand, update and result have the same element type.
    - (C5) operand and result have the same shape.
    - (C6) the starts have one element type.

    ```mlir
    %y = vs.dynamic_update_slice %x, %row, %i, %zero
        : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, Vs_AnyTensor:$update, Variadic<Vs_IndexScalar>:$starts);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$update,
                                 "::mlir::ValueRange":$starts), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, update, starts);
  }]>];
  let hasVerifier = 1;
}

def Vs_ConcatOp : Vs_PureOp<"concat"> {
  let summary = "Tensors one after the other along a dim";
  let description = [{
    Constraints:
    - (C1) there is at least one operand.
    - (C2) 0 <= `dim` < rank.
    - (C3) operands and result have the same rank.
    - (C4) operands and result agree in all dims but `dim`.
    - (C5) size of result dim `dim` = sum of the operands'.
    - (C6) operands and result have the same element type.

    ```mlir
    %y = vs.concat %a, %b {dim = 0} : (tensor<2x4xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Vs_AnyTensor>:$inputs, Vs_I64Attr:$dim);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs, "int64_t":$dim)>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Vs_PadOp : Vs_PureOp<"pad"> {
  let summary = "The operand with constants before, after and between its elements";
  let description = [{
    `low` elements before, `high` after, `interior` between any two along each dim; they have the
    value `value`, 0 where absent.

    Constraints:
    - (C1) `low`, `high` and `interior` have one entry per dim of the operand.
    - (C2) no entry is negative.
    - (C3) size of result dim = low + size + max(size - 1, 0) * interior + high.
    - (C4) operand and result have the same element type.
    - (C5) `value`, where present, is a scalar of the element type.

    ```mlir
    %y = vs.pad %x {low = [1, 0], high = [1, 0], interior = [0, 1]}
        : tensor<8x4xf32> -> tensor<10x7xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                   DenseI64ArrayAttr:$interior, OptionalAttr<TypedAttrInterface>:$value);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$low,
                                 "::llvm::ArrayRef<int64_t>":$high,
                                 "::llvm::ArrayRef<int64_t>":$interior,
                                 CArg<"::mlir::TypedAttr", "{}">:$value)>];
  let hasVerifier = 1;
}

def Vs_ReverseOp : Vs_PureOp<"reverse", [Vs_SameShape, Vs_UniformElementType]> {
  let summary = "Elements in reverse order along dims";
  let description = [{
    Constraints:
    - (C1) 0 <= each of `dims` < rank of the operand.
    - (C2) `dims` ascend strictly.
    - (C3) operand and result have the same shape.
    - (C4) operand and result have the same element type.

    ```mlir
    %y = vs.reverse %x {dims = [0]} : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$dims), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, dims);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}
