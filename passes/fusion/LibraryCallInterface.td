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
  ];
}

#endif // VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_TD
