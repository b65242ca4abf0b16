//===- LibraryCallInterface.td - ops that a runtime library computes -----------------===//

#ifndef VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_TD
#define VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_TD

include "mlir/IR/OpBase.td"

def LibraryCallOpInterface : OpInterface<"LibraryCallOpInterface"> {
  let cppNamespace = "::vescale";
  let description = [{
    An op that the runtime computes by one call of a library (a matrix product, attention) instead of a generated
    kernel. Attached to ops of vs as external models (LibraryCalls.cpp).
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the op as it stands is one call: for a contraction, whether it is a matrix product without moving
        data. What is not callable is decomposed or generated.
      }],
      "bool", "isCallable", (ins)>,
    InterfaceMethod<[{
        Builds the instruction for the devices of one class: `site` knows their local shapes and the buffers of
        operands and results. Fails with an error at the op where the local shapes are no such call.
      }],
      "::llvm::LogicalResult", "buildInstruction",
      (ins "::mlir::OpBuilder &":$builder, "const ::vescale::LibraryCallSite &":$site)>,
  ];
}

#endif // VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_TD
