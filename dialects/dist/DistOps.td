//===- DistOps.td - Ops of the dist dialect --------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_DISTOPS_TD
#define VESCALE_DIALECTS_DIST_DISTOPS_TD

include "dialects/dist/DistAttributes.td"
include "dialects/dist/IndexingRuleInterface.td"
include "dialects/dist/StepInterface.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Dist_Op<string mnemonic, list<Trait> traits = []> : Op<DistDialect, mnemonic, traits>;

//===-----------------------------------------------------------------------------------===//
// What the user wants
//===-----------------------------------------------------------------------------------===//

/// An op that hands its operand on, for the sake of what it says about it.
class Dist_PassThroughOp<string mnemonic, list<Trait> traits = []>
    : Dist_Op<mnemonic, traits # [Pure, AllTypesMatch<["input", "result"]>,
        DeclareOpInterfaceMethods<IndexingRuleOpInterface, ["buildLocal"]>]> {
  let results = (outs AnyRankedTensor:$result);
}

def Dist_ConstrainOp : Dist_PassThroughOp<"constrain"> {
  let summary = "says how a value should be laid out";
  let description = [{
    Hands on its operand, and asks that the result be laid out as `wish` says. Its adjoint asks
    the same of the gradient. All dims are parallel, and partial values pass.

    Constraints:
    - (C1) operand and result have the same type;
    - (C2) `wish` has as many dims as the operand, and the layout that it asks for is legal for
      its type.

    Example:
    ```mlir
    %y = dist.constrain %x {wish = #dist.wish<#mesh, [{"dp"}, {?} ]>} : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, Dist_WishAttr:$wish);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Dist_BarrierOp : Dist_PassThroughOp<"barrier"> {
  let summary = "a value that propagation does not pass";
  let description = [{
    Hands on its operand. Propagation does not pass it in the given direction: with `forward`,
    what is known of the operand does not decide the result; with `backward`, the other way
    round; with `both`, neither. The layouts are equal in the end, so settling may put a
    redistribution before or after it.

    Constraints:
    - (C1) operand and result have the same type.

    Example:
    ```mlir
    %y = dist.barrier backward %x : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, Dist_DirectionAttr:$direction);
  let assemblyFormat = "$direction $input attr-dict `:` type($input)";
}

def Dist_GroupOp : Dist_PassThroughOp<"group"> {
  let summary = "values that get the same layout";
  let description = [{
    Hands on its operand. The operands of all groups with the same `id` in a function get the
    same layout, although no op connects them; propagation reports it where their ranks differ.

    Constraints:
    - (C1) operand and result have the same type;
    - (C2) `id` is not negative.

    Example:
    ```mlir
    %y = dist.group %x {id = 0} : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, I64Attr:$id);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

//===-----------------------------------------------------------------------------------===//
// Redistribution and its steps
//===-----------------------------------------------------------------------------------===//

def Dist_RedistributeOp : Dist_Op<"redistribute", [Pure]> {
  let summary = "the same value in another layout, or on another mesh";
  let description = [{
    The only op whose operand and result layouts differ by choice. How it is done is decided
    later: `dist-plan-redistributions` replaces it by steps. It folds to its operand where the
    two types are equal.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout.

    Example:
    ```mlir
    %y = dist.redistribute %x : tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
                             -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {"dp"} ]>>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

/// A step: what it does follows from the two layouts. All of them share the constraints
/// - (C1) the shapes and element types are equal;
/// - (C2) operand and result both have a layout;
/// - (C3) `id` is not negative.
class Dist_StepOp<string mnemonic, string kind>
    : Dist_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<StepOpInterface>]> {
  let arguments = (ins AnyRankedTensor:$input, OptionalAttr<I64Attr>:$id);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::vescale::layout::StepKind $cppClass::getStepKind() {
      return ::vescale::layout::StepKind::}] # kind # [{;
    }
    ::std::optional<int64_t> $cppClass::getStepId() { return getId(); }
    void $cppClass::setStepId(int64_t id) { setId(id); }
    ::mlir::ValueRange $cppClass::getBefore() { return getOperation()->getOperands(); }
    ::llvm::SmallVector<::mlir::RankedTensorType> $cppClass::getAfter() { return {getType()}; }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::vescale::dist::verifyStep(*this);
    }
  }];
}

def Dist_SliceOp : Dist_StepOp<"slice", "slice"> {
  let summary = "axes that replicated start to cut dims";
  let description = [{
    Each device keeps its part: nothing is sent. `id` numbers the step as it does collectives.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) in each dim, the operand's cuts are the major ones of the result's;
    - (C5) the layouts differ;
    - (C6) operand and result are partial over the same axes.

    Example:
    ```mlir
    %y = dist.slice %x : tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
                      -> tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {} ]>>
    ```
  }];
}

def Dist_AllGatherOp : Dist_StepOp<"all_gather", "allGather"> {
  let summary = "axes that cut dims start to replicate";
  let description = [{
    The minor cuts of one or several dims are undone: the devices along their axes exchange
    their parts, so that each has all of them. A ragged layout may be undone alike.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) in each dim, the result's cuts are the major ones of the operand's;
    - (C5) the layouts differ;
    - (C6) operand and result are partial over the same axes.

    Example:
    ```mlir
    %y = dist.all_gather %x {id = 0} : tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {} ]>>
                                    -> tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
    ```
  }];
}

def Dist_AllToAllOp : Dist_StepOp<"all_to_all", "allToAll"> {
  let summary = "axes move from one dim to another";
  let description = [{
    The minor cuts of one dim become the minor cuts of another; several such moves happen at
    once if no dim takes part in two.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) each dim keeps its cuts, loses minor ones, or gains minor ones;
    - (C5) the cuts that a dim loses are, in any order, by the axes of the cuts that one other
      dim gains, and there is at least one such pair;
    - (C6) operand and result are partial over the same axes, and neither is ragged.

    Example:
    ```mlir
    %y = dist.all_to_all %x {id = 0} : tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
                                    -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {"dp"} ]>>
    ```
  }];
}

def Dist_PermuteOp : Dist_StepOp<"permute", "permute"> {
  let summary = "devices hand their whole part to others";
  let description = [{
    The axes that cut dims are reordered, or change with axes that are not used, while the parts
    stay as they are: each device receives the whole part of one other.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) the cuts of each dim give the same parts before and after;
    - (C5) the layouts differ;
    - (C6) operand and result are partial over the same axes, and neither is ragged.

    Example:
    ```mlir
    %y = dist.permute %x {id = 0} : tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {} ]>>
                                 -> tensor<8x8xf32, #dist.layout<#mesh, [{"tp", "dp"}, {} ]>>
    ```
  }];
}

def Dist_ReduceScatterOp : Dist_StepOp<"reduce_scatter", "reduceScatter"> {
  let summary = "partial axes start to cut dims";
  let description = [{
    The values along the axes are reduced, and each device receives its part of the result.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) in each dim, the operand's cuts are the major ones of the result's;
    - (C5) the further cuts, of which there is one at least, are exactly by the axes over which
      the operand is partial and the result is not;
    - (C6) the reduction stays the same where the result is still partial over other axes.

    Example:
    ```mlir
    %y = dist.reduce_scatter %x {id = 0}
        : tensor<8x8xf32, #dist.layout<#mesh, [{}, {} ], partial = [sum: "dp"]>>
       -> tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
    ```
  }];
}

def Dist_AllReduceOp : Dist_StepOp<"all_reduce", "allReduce"> {
  let summary = "partial axes become replicated";
  let description = [{
    The values along the axes are reduced, and each device receives the whole result.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) operand and result have the same cuts, ragged ones included;
    - (C5) the operand is partial over more axes than the result, and over all of the result's;
    - (C6) the reduction stays the same where the result is still partial over other axes.

    Example:
    ```mlir
    %y = dist.all_reduce %x {id = 0}
        : tensor<8x8xf32, #dist.layout<#mesh, [{}, {} ], partial = [sum: "dp"]>>
       -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {} ]>>
    ```
  }];
}

def Dist_ToPartialOp : Dist_StepOp<"to_partial", "toPartial"> {
  let summary = "axes that replicate or cut become partial";
  let description = [{
    An axis that replicated: coordinate 0 keeps the value, the others hold the identity of the
    reduction. An axis that cut: the part stands in a tensor of identities. Nothing is sent.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout, on one mesh;
    - (C3) `id`, if given, is not negative;
    - (C4) in each dim, the result's cuts are the major ones of the operand's;
    - (C5) the result is partial over all axes of the operand's and at least one more, and over
      each axis whose cut is given up;
    - (C6) the reduction stays the same where the operand is partial already.

    Example:
    ```mlir
    %y = dist.to_partial %x : tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
                           -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {} ], partial = [sum: "dp"]>>
    ```
  }];
}

def Dist_ExchangeOp : Dist_StepOp<"exchange", "exchange"> {
  let summary = "any layout becomes any other, also on another mesh";
  let description = [{
    Each device sends each other device the overlap of what it has and what the other needs.
    Where the operand is partial, each device fetches all contributions to what it needs and
    reduces them.

    Constraints:
    - (C1) operand and result have the same shape and element type;
    - (C2) operand and result both have a layout;
    - (C3) `id`, if given, is not negative;
    - (C4) the layouts differ.

    Example:
    ```mlir
    %y = dist.exchange %x {id = 0} : tensor<12xf32, #dist.layout<#mesh, [{"dp" / 3} ]>>
                                  -> tensor<12xf32, #dist.layout<#mesh, [{"dp"} ]>>
    ```
  }];
}

//===-----------------------------------------------------------------------------------===//
// Asynchronous steps
//===-----------------------------------------------------------------------------------===//

def Dist_StartOp : Dist_Op<"start", [Pure, DeclareOpInterfaceMethods<StepOpInterface>]> {
  let summary = "begins a step, of one or several tensors in one launch";
  let description = [{
    The first half of a step of kind `kind`: result i becomes, when waited for, what the step
    makes of operand i. Several operands are moved by one launch (a bucket). The operands must
    not be overwritten before the wait.

    Constraints:
    - (C1) there are as many operands as results, and at least one;
    - (C2) `kind` names a step: `all_gather`, `all_reduce`, `reduce_scatter`, `all_to_all`,
      `permute` or `exchange`, but not a local one;
    - (C3) each pair fulfils all constraints of the step's op;
    - (C4) the pairs move data along the same axes;
    - (C5) the element types of all operands are equal.

    Example:
    ```mlir
    %f = dist.start "all_gather" %x {id = 3}
        : (tensor<8xf32, #dist.layout<#mesh, [{"dp"} ]>>)
       -> !dist.future<tensor<8xf32, #dist.layout<#mesh, [{} ]>>>
    %y = dist.wait %f : !dist.future<tensor<8xf32, #dist.layout<#mesh, [{} ]>>>
    ```
  }];
  let arguments = (ins StrAttr:$kind, Variadic<AnyRankedTensor>:$inputs,
                       OptionalAttr<I64Attr>:$id);
  let results = (outs Variadic<Dist_FutureType>:$futures);
  let assemblyFormat = "$kind $inputs attr-dict `:` functional-type($inputs, $futures)";
  let hasVerifier = 1;
}

def Dist_WaitOp : Dist_Op<"wait", [Pure,
    TypesMatchWith<"the result is what the future holds", "future", "result",
                   "::llvm::cast<::vescale::dist::FutureType>($_self).getType()">]> {
  let summary = "the tensor that a started step delivers";
  let description = [{
    The second half of a step: completes when the step has delivered the tensor. A future may
    be waited for more than once; only the first wait costs time.

    Constraints:
    - (C1) the result has the type that the future holds.

    Example:
    ```mlir
    %y = dist.wait %f : !dist.future<tensor<8xf32, #dist.layout<#mesh, [{} ]>>>
    ```
  }];
  let arguments = (ins Dist_FutureType:$future);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$future attr-dict `:` qualified(type($future))";
}

//===-----------------------------------------------------------------------------------===//
// Pipelines
//===-----------------------------------------------------------------------------------===//

def Dist_Channel : Resource<"::vescale::dist::ChannelResource">;

def Dist_SendOp : Dist_Op<"send", [MemoryEffects<[MemWrite<Dist_Channel>]>]> {
  let summary = "hands a tensor to another pipeline stage";
  let description = [{
    The tensor is on this stage's part of the mesh; the `dist.recv` with the same `id` in stage
    `peer` receives it. It does not wait for the receiver. Unlike collectives, sends and
    receives are half of something and have an effect: they are neither removed nor reordered
    among one another.

    Constraints:
    - (C1) `peer` is not negative;
    - (C2) `id`, if given, is not negative.

    Example:
    ```mlir
    dist.send %x {peer = 1, id = 7} : tensor<8x8xf32, #dist.layout<#stage0, [{"dp"}, {} ]>>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, I64Attr:$peer, OptionalAttr<I64Attr>:$id);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Dist_RecvOp : Dist_Op<"recv",
    [MemoryEffects<[MemRead<Dist_Channel>, MemWrite<Dist_Channel>]>]> {
  let summary = "receives a tensor from another pipeline stage";
  let description = [{
    The tensor that the `dist.send` with the same `id` in stage `peer` hands over, in the layout
    of the result on this stage's part of the mesh.

    Constraints:
    - (C1) `peer` is not negative;
    - (C2) `id`, if given, is not negative.

    Example:
    ```mlir
    %x = dist.recv {peer = 0, id = 7} : tensor<8x8xf32, #dist.layout<#stage1, [{"dp"}, {} ]>>
    ```
  }];
  let arguments = (ins I64Attr:$peer, OptionalAttr<I64Attr>:$id);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===-----------------------------------------------------------------------------------===//
// Local forms
//===-----------------------------------------------------------------------------------===//

def Dist_AxisIndexOp : Dist_Op<"axis_index", [Pure]> {
  let summary = "this device's coordinate on an axis";
  let description = [{
    The coordinate of the device on `axis`, from 0 to the size of the axis less one. Offsets in
    local forms are computed from it. It folds to 0 where the axis has size 1.

    Constraints:
    - (C1) `axis` is an axis of `mesh`.

    Example:
    ```mlir
    %i = dist.axis_index {mesh = #mesh, axis = "dp"} : index
    ```
  }];
  let arguments = (ins Dist_MeshAttr:$mesh, StrAttr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dist_ManualOp : Dist_Op<"manual", [RecursiveMemoryEffects, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"::vescale::dist::ReturnOp">]> {
  let summary = "a computation written for one device";
  let description = [{
    The body sees, along the named axes, what one device holds: argument i is operand i in
    `in_layouts[i]`, and what the body returns is the device's part of result i in
    `out_layouts[i]`, which may be partial. Over the other axes of the mesh the body is an
    ordinary program on whole tensors.

    Constraints:
    - (C1) `in_layouts` has one layout per operand and `out_layouts` one per result, each legal
      for the type;
    - (C2) all layouts are on one mesh, and `axes` names axes of it;
    - (C3) the layouts use only axes in `axes`, and whole ones;
    - (C4) all devices hold parts of the same shape;
    - (C5) the body's arguments have the shape and element type of these parts;
    - (C6) the body returns one value per result, of the shape and element type of its part.

    Example:
    ```mlir
    %y = dist.manual(%x) {axes = ["dp"], in_layouts = [#dist.layout<#mesh, [{"dp"} ]>],
                          out_layouts = [#dist.layout<#mesh, [{} ], partial = [sum: "dp"]>]}
        : (tensor<8xf32>) -> tensor<4xf32> {
    ^bb0(%local: tensor<4xf32>):
      dist.return %local : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, StrArrayAttr:$axes,
                       TypedArrayAttrBase<Dist_LayoutAttr, "layouts">:$in_layouts,
                       TypedArrayAttrBase<Dist_LayoutAttr, "layouts">:$out_layouts);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Dist_ReturnOp : Dist_Op<"return", [Pure, Terminator, ReturnLike,
                                       HasParent<"::vescale::dist::ManualOp">]> {
  let summary = "ends the body of dist.manual";
  let description = [{
    The operands are this device's parts of the results.

    Constraints:
    - (C1) it stands in a `dist.manual`.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // VESCALE_DIALECTS_DIST_DISTOPS_TD
