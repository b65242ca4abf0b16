//===- Interfaces.td - What an op of vs tells the passes ------------------===//

#ifndef VESCALE_DIALECTS_VS_INTERFACES_TD
#define VESCALE_DIALECTS_VS_INTERFACES_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::vescale::vs";
  let description = [{
    An op that builds its own adjoint. Gradients have the type of the value they belong to.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradients of the operands from operands, results and `resultGradients` (one per
      result; a null value means that no gradient flows into that result). Sets one entry of
      `operandGradients` per operand; a null value means that the operand gets no gradient
      (integers, random generators). Fails, with an error at the op, where an adjoint does not exist.
    }],
    "::llvm::LogicalResult", "buildAdjoint",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$resultGradients,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGradients)>
  ];
}

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::vescale::vs";
  let description = [{
    An op with a reference meaning in simpler ops of vs, which is also its fallback where no kernel
    computes it and the form in which its decomposable factors may be cut.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the op from simpler ones and returns one value per result, with the results' shapes and
      element types. The op itself stays; the caller replaces it.
    }],
    "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
    (ins "::mlir::OpBuilder &":$builder)>
  ];
}

def CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::vescale::vs";
  let description = [{
    The arithmetic of an op, for the cost model. A point is one combination of the op's factors: one
    element of the result of an elementwise op, one multiply-add of a contraction.
  }];
  let methods = [
    InterfaceMethod<"Floating-point operations per point.", "int64_t", "flopsPerPoint">
  ];
}

def RandomOpInterface : OpInterface<"RandomOpInterface"> {
  let cppNamespace = "::vescale::vs";
  let description = [{
    An op that may draw random numbers. What it draws is a function of its `!vs.rng` operand, of its
    draw id and of global positions: clones with one id draw the same numbers, which recomputation
    and adjoints rely on.
  }];
  let methods = [
    InterfaceMethod<"Whether this op draws at all (dropout at rate 0 does not).", "bool",
                    "drawsRandomNumbers">,
    InterfaceMethod<[{
      Makes the op what it is in evaluation: dropout drops nothing. An op whose numbers are its
      result (`random`) stays as it is.
    }], "void", "disableDraws", (ins), "", [{}]>,
    InterfaceMethod<"The draw id, if one was assigned.", "::std::optional<int64_t>", "drawId",
                    (ins), [{
                      return $_op.getDrawId();
                    }]>,
    InterfaceMethod<"Assigns the draw id.", "void", "assignDrawId", (ins "int64_t":$id), [{
                      $_op.setDrawId(id);
                    }]>
  ];
}

#endif
