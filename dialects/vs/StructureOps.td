//===- StructureOps.td - Names, regions and groups ------------------------===//
//
// Regions are isolated: what a body reads comes in as an operand, so that whoever moves, outlines,
// differentiates or compiles a region sees all that it needs.
//
//===----------------------------------------------------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

include "mlir/Interfaces/ControlFlowInterfaces.td"

def Vs_TagOp : Vs_PureOp<"tag", [Vs_SameShape, Vs_UniformElementType]> {
  let summary = "A named point of the program";
  let description = [{
    The operand, under a name that plan files, reports and dumps refer to. The path is dotted as
    parameters' names are. Several tags may have one name.

    Constraints:
    - (C1) `name` is not empty.
    - (C2) operand and result have the same shape.
    - (C3) operand and result have the same element type.

    ```mlir
    %t = vs.tag %h {name = "h.0.attn.input"} : tensor<8x2xf32>
    ```
  }];
  let arguments = (ins Vs_AnyTensor:$x, StrAttr:$name);
  let results = (outs Vs_AnyTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::StringRef":$name), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, $_builder.getStringAttr(name));
  }]>];
  let hasVerifier = 1;
}

def Vs_YieldOp : Vs_Op<"yield", [Pure, Terminator, ReturnLike,
                                 ParentOneOf<["RecomputeOp", "RepeatOp", "FusedOp"]>]> {
  let summary = "The values that a region gives back";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasCustomAssemblyFormat = 0;
  let extraClassDefinition = "";
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

class Vs_RegionOp<string mnemonic, list<Trait> traits = []>
    : Vs_Op<mnemonic, !listconcat([IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable,
                                   SingleBlock], traits)> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_RecomputeOp : Vs_RegionOp<"recompute"> {
  let summary = "A region whose inner values are computed again in the backward pass";
  let description = [{
    Forward it computes its body. What the backward pass needs from inside is not kept: the body is
    computed again from the operands.

    Constraints:
    - (C1) the body has one argument per operand, of its type.
    - (C2) the body yields one value per result, of its type.

    ```mlir
    %y = vs.recompute (%a = %x : tensor<8x4xf32>) -> (tensor<8x4xf32>) {
      %t = vs.tanh %a : tensor<8x4xf32>
      vs.yield %t : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
}

def Vs_RepeatOp : Vs_RegionOp<"repeat", [AttrSizedOperandSegments]> {
  let summary = "A region run a fixed number of times with carried values";
  let description = [{
    The first arguments of the body are the carried values, which the body yields anew each time; the
    others are the invariants, the same every time, but for generators: those of run r are others than
    those of the other runs, so that each run draws its own numbers. Draw d of the body is draw
    d * `count` + r of the operand. The results are the carried values after `count` runs; `count = 0`
    gives `initial`. A body that needs the number of its run carries it.

    Constraints:
    - (C1) `count` is not negative.
    - (C2) the body has one argument per carried value and invariant, of its type.
    - (C3) the body yields one value per carried value, of its type.
    - (C4) there is one result per carried value, of its type.

    ```mlir
    %y = vs.repeat 12 (%a = %x : tensor<8x4xf32>) invariant (%b = %w : tensor<8x4xf32>)
        -> (tensor<8x4xf32>) {
      %s = vs.add %a, %b : tensor<8x4xf32>
      vs.yield %s : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins Vs_I64Attr:$count, Variadic<AnyType>:$initial, Variadic<AnyType>:$invariants);
  let results = (outs Variadic<AnyType>:$outputs);
}

def Vs_FusedOp : Vs_RegionOp<"fused"> {
  let summary = "Ops that become one kernel";
  let description = [{
    The unit of code generation. Equal bodies share one kernel.

    Constraints:
    - (C1) the body has one argument per operand, of its type.
    - (C2) the body yields one value per result, of its type.

    ```mlir
    %y = vs.fused (%a = %x : tensor<8x4xf32>, %b = %z : tensor<8x4xf32>) -> (tensor<8x4xf32>) {
      %s = vs.add %a, %b : tensor<8x4xf32>
      %t = vs.tanh %s : tensor<8x4xf32>
      vs.yield %t : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
}
