//===- StepInterface.td - The steps that move tensors ----------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_STEPINTERFACE_TD
#define VESCALE_DIALECTS_DIST_STEPINTERFACE_TD

include "mlir/IR/OpBase.td"

def StepOpInterface : OpInterface<"StepOpInterface"> {
  let cppNamespace = "::vescale::dist";
  let description = [{
    A step of a redistribution: `dist.all_gather` and its like, and `dist.start`, which begins
    one. Passes that count, order, group or lower communication ask this interface and not for
    ops by name. Operand i is the tensor before the step and result i the tensor after it;
    several pairs are moved by one launch.
  }];
  let methods = [
    InterfaceMethod<"What kind of step this is.", "::vescale::layout::StepKind", "getStepKind",
                    (ins)>,
    InterfaceMethod<"The number that identifies the step in all rank classes, if given yet.",
                    "::std::optional<int64_t>", "getStepId", (ins)>,
    InterfaceMethod<"Sets the number.", "void", "setStepId", (ins "int64_t":$id)>,
    InterfaceMethod<"The tensors before the step, with their layouts.", "::mlir::ValueRange",
                    "getBefore", (ins)>,
    InterfaceMethod<[{The types after the step, with their layouts: those of the results, or
                      what the results become when waited for.}],
                    "::llvm::SmallVector<::mlir::RankedTensorType>", "getAfter", (ins)>,
  ];
}

#endif // VESCALE_DIALECTS_DIST_STEPINTERFACE_TD
