//===- ElementInterface.td - how generated kernels compute an op ----------------------===//
//
// Code generation knows an op only through these interfaces. They are attached to ops as external models
// (elements/*.cpp), so the dialects do not depend on arith, math or memref.
//
//===-----------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_CODEGEN_ELEMENTINTERFACE_TD
#define VESCALE_PASSES_CODEGEN_ELEMENTINTERFACE_TD

include "mlir/IR/OpBase.td"

def ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let cppNamespace = "::vescale";
  let description = [{
    An op each of whose result elements is an expression of a bounded number of operand elements. Such ops fuse
    without a buffer between them: an element is computed where it is used.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds element `indices` (one index a dim) of result `result` as a scalar and returns it. `read(k, indices)`
        is an element of operand k, or operand k itself where that is an index value. The code built is
        straight-line and may read only inside the operands' bounds, also where `indices` lies in a part of the
        result that comes from elsewhere (pad, concat: clamp the index and select).
      }],
      "::mlir::Value", "buildElement",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder, "unsigned":$result, "::mlir::ValueRange":$indices,
           "::llvm::function_ref<::mlir::Value(unsigned, ::mlir::ValueRange)>":$read)>,
  ];
}

def AccumulationOpInterface : OpInterface<"AccumulationOpInterface"> {
  let cppNamespace = "::vescale";
  let description = [{
    An op with one result each of whose elements combines the operand-0 elements along some dims (reduce). Result
    dims are the remaining dims in order.
  }];
  let methods = [
    InterfaceMethod<"The dims of operand 0 that are combined, ascending.",
      "::llvm::SmallVector<int64_t>", "getAccumulatedDims", (ins)>,
    InterfaceMethod<"The scalar that the combination starts from.",
      "::mlir::Value", "buildIdentity", (ins "::mlir::ImplicitLocOpBuilder &":$builder)>,
    InterfaceMethod<"Combines two scalars. Sums are marked as reassociable, so that they vectorise.",
      "::mlir::Value", "buildCombination",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder, "::mlir::Value":$accumulator, "::mlir::Value":$element)>,
    InterfaceMethod<"Turns the combination of all elements into the result (a mean divides by the global count).",
      "::mlir::Value", "buildFinal",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder, "::mlir::Value":$accumulator),
      /*methodBody=*/"", /*defaultImplementation=*/"return accumulator;">,
  ];
}

def LoopNestOpInterface : OpInterface<"LoopNestOpInterface"> {
  let cppNamespace = "::vescale";
  let description = [{
    An op that neither of the two other interfaces can express (scatter, cumulative sum, sort): it becomes a kernel
    of its own, with loops that it builds itself over whole local tensors. Ops that compute its operands may be part
    of the kernel.
  }];
  let methods = [
    InterfaceMethod<[{
        How many independent parts the op's outer loop has. Parts may run at the same time on different threads.
      }],
      "int64_t", "getExtent", (ins)>,
    InterfaceMethod<[{
        Builds the loops for parts [begin, end). `read(k, indices)` builds, where the builder stands, an element of
        operand k, which may be computed from other values right there; `results` are memrefs, dense and row-major.
      }],
      "::mlir::LogicalResult", "buildLoops",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder,
           "::llvm::function_ref<::mlir::Value(unsigned, ::mlir::ValueRange)>":$read,
           "::mlir::ValueRange":$results, "::mlir::Value":$begin, "::mlir::Value":$end)>,
  ];
}

#endif // VESCALE_PASSES_CODEGEN_ELEMENTINTERFACE_TD
