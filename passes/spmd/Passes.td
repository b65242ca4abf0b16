//===- Passes.td - passes of the spmd stage ------------------------------------------===//

#ifndef VESCALE_PASSES_SPMD_PASSES_TD
#define VESCALE_PASSES_SPMD_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanRedistributionsPass : Pass<"dist-plan-redistributions", "::mlir::func::FuncOp"> {
  let summary = "Replaces each redistribution by the steps of its cheapest plan";
  let description = [{
    Each `dist.redistribute` becomes the steps that layout::planRedistribution finds: slices, collectives
    and exchanges, each with the location of the redistribution. Steps that two redistributions of one
    value have in common at their beginning are done once. All steps of the function then get ids 0, 1, ...
    in program order.

    Invariant: no `dist.redistribute` is left. Cost: plans are remembered, so equal redistributions are
    planned once.

    ```mlir
    %y = dist.redistribute %x : tensor<8xf32, #dist.layout<#mesh, [{"dp"} ]>>
                             -> tensor<8xf32, #dist.layout<#mesh, [{} ]>>
    // becomes
    %y = dist.all_gather %x {id = 0} : tensor<8xf32, #dist.layout<#mesh, [{"dp"} ]>>
                                    -> tensor<8xf32, #dist.layout<#mesh, [{} ]>>
    ```
  }];
  let options = [
    Option<"links", "links", "std::string", "\"\"",
           "A file with link costs (see layout/LinkCost.h), by which plans are chosen; default: those of one CPU host.">,
    Option<"collectivesOnly", "collectives-only", "bool", "false", "Use no exchange.">,
  ];
  let statistics = [
    Statistic<"numRedistributions", "redistributions", "Redistributions replaced">,
    Statistic<"numSteps", "steps", "Steps that replace them">,
    Statistic<"numBytes", "bytes", "Bytes that the busiest device receives in them">,
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

#endif // VESCALE_PASSES_SPMD_PASSES_TD
