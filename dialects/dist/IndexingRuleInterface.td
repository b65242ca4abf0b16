//===- IndexingRuleInterface.td - Ops that state an indexing rule ----------------------===//

#ifndef VESCALE_DIALECTS_DIST_INDEXINGRULEINTERFACE_TD
#define VESCALE_DIALECTS_DIST_INDEXINGRULEINTERFACE_TD

include "mlir/IR/OpBase.td"

def IndexingRuleOpInterface : OpInterface<"IndexingRuleOpInterface"> {
  let cppNamespace = "::vescale::dist";
  let description = [{
    An op that states its indexing rule, and with it all that passes need to distribute it. No
    pass asks for an op by name: what a pass cannot learn from the rule is missing in the rule.

    An op implements `getIndexingRule`, and `buildLocal` only if its value depends on where in
    the global tensor an element stands (iota, masks, random numbers, slices, take, causal
    attention) or if an attribute repeats a size (the shape of a broadcast, the count of a mean).
  }];

  let methods = [
    InterfaceMethod<[{
        The rule of this op. It depends on the global shapes and the attributes only, never on
        layouts, and is cheap enough to be asked for again instead of being kept.
      }],
      "::vescale::dist::IndexingRule", "getIndexingRule", (ins)>,

    InterfaceMethod<[{
        Builds the op on what one device holds, and returns its local results.

        `localOperands` are the local pieces of the operands, `localResultTypes` the types of
        the local results: ranked tensors without layout, of the shape that
        `layout::localShape` gives, which may have dims of size 0. `context` says where the
        pieces stand in the global tensors. What is built must be right for every device whose
        local shapes these are; where devices differ, it differs by the offsets in `context`.

        Results over a cut reduced factor are this device's contributions: the op must not
        apply anything twice that belongs to the whole (a mean divides by the global count, a
        bias is added once).

        Fails, with an error at the op, where no local form exists; the placement stage must
        not have chosen such layouts, since the rule forbids them.

        The default clones the op with the local operands and result types. It is right for
        every op whose results do not depend on positions.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "buildLocal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$localOperands,
           "::mlir::TypeRange":$localResultTypes,
           "const ::vescale::dist::LocalContext &":$context),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::vescale::dist::cloneLocal($_op, builder, localOperands, localResultTypes);
      }]>,
  ];

  let verify = [{
    return ::vescale::dist::verifyIndexingRule($_op);
  }];
}

#endif // VESCALE_DIALECTS_DIST_INDEXINGRULEINTERFACE_TD
