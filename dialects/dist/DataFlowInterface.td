//===- DataFlowInterface.td - Values that are one value across regions -----------------===//

#ifndef VESCALE_DIALECTS_DIST_DATAFLOWINTERFACE_TD
#define VESCALE_DIALECTS_DIST_DATAFLOWINTERFACE_TD

include "mlir/IR/OpBase.td"

def DataFlowOpInterface : OpInterface<"DataFlowOpInterface"> {
  let cppNamespace = "::vescale::dist";
  let description = [{
    An op with regions that says which values stand for one another across their borders. Layouts
    are decided for an edge as a whole: all its values have the same type in the end.
  }];
  let methods = [
    InterfaceMethod<[{
        The edges between operands, arguments of regions, what terminators yield, and results.
        Every tensor among the arguments of regions and the results is the target of one edge.
      }],
      "::llvm::SmallVector<::vescale::dist::DataFlowEdge>", "getDataFlowEdges", (ins)>,
    InterfaceMethod<"How often the regions run, one run after the other.", "int64_t", "getRunCount", (ins),
                    /*methodBody=*/"", /*defaultImplementation=*/"return 1;">,
  ];
}

#endif // VESCALE_DIALECTS_DIST_DATAFLOWINTERFACE_TD
