//===- CreationOps.td - Tensors from nothing ------------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

def Vs_ConstantOp : Vs_PureOp<"constant", [ConstantLike]> {
  let summary = "A tensor of known elements";
  let description = [{
    The attribute's type is plain: it has no layout, so that one constant serves all.

    Constraints:
    - (C1) `value` has the shape and element type of the result.
    - (C2) the type of `value` has no layout.

    ```mlir
    %zero = vs.constant dense<0.0> : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::ElementsAttr":$value)>,
    // All elements are `number`, converted to the element type of `type`.
    OpBuilder<(ins "::mlir::RankedTensorType":$type, "double":$number)>
  ];
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_IotaOp : Vs_PureOp<"iota"> {
  let summary = "Each element is its index along one dim";
  let description = [{
    `result[i0, ..., in] = i_dim`, in global coordinates.

    Constraints:
    - (C1) 0 <= `dim` < rank of the result.

    ```mlir
    %positions = vs.iota {dim = 1} : tensor<8x128xi32>
    ```
  }];
  let arguments = (ins Vs_I64Attr:$dim);
  let results = (outs Vs_NumericTensor:$result);
  let hasVerifier = 1;
}

def Vs_RandomOp : Vs_Op<"random", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                   DeclareOpInterfaceMethods<RandomOpInterface,
                                                             ["drawsRandomNumbers"]>]> {
  let summary = "Independent random numbers";
  let description = [{
    Every element is a function of the generator (seed and step), the draw id and the element's
    global position, whatever the mesh. Ops with the same id draw the same numbers; an op without
    one has not been given its id yet.

    Constraints:
    - (C1) `draw_id`, where present, is not negative.

    ```mlir
    %noise = vs.random %rng {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_Rng:$rng, Vs_DistributionAttr:$distribution,
                   OptionalAttr<Vs_I64Attr>:$draw_id);
  let results = (outs Vs_FloatTensor:$result);
  let hasVerifier = 1;
}

def Vs_RandomAtOp : Vs_Op<"random_at", [Vs_Elementwise,
                                        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                        DeclareOpInterfaceMethods<RandomOpInterface,
                                                                  ["drawsRandomNumbers"]>]> {
  let summary = "The random numbers of chosen elements of a draw";
  let description = [{
    `random_at(g)` is what `random` with the same generator, distribution and draw id puts into the
    element whose row-major position in its result is `g`. So a part of a random tensor is a function
    of where it stands. A negative position has no meaning.

    Constraints:
    - (C1) `draw_id`, where present, is not negative.
    - (C2) positions and result have the same shape.

    ```mlir
    %part = vs.random_at %rng, %positions {distribution = #vs.uniform<0.0, 1.0>, draw_id = 3}
        : (!vs.rng, tensor<2x4xi64>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Vs_Rng:$rng, Vs_PositionTensor:$positions, Vs_DistributionAttr:$distribution,
                   OptionalAttr<Vs_I64Attr>:$draw_id);
  let results = (outs Vs_FloatTensor:$result);
  let hasVerifier = 1;
}

def Vs_FromIndexOp : Vs_PureOp<"from_index"> {
  let summary = "An index as a scalar tensor";
  let description = [{
    How an offset that is computed beside the tensors (a device's place in a global tensor, say)
    enters them.

    ```mlir
    %offset = vs.from_index %i : index -> tensor<i64>
    ```
  }];
  let arguments = (ins Index:$index);
  let results = (outs Vs_PositionScalar:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$index)>];
}
