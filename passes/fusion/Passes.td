//===- Passes.td - passes of the fusion stage ----------------------------------------===//

#ifndef VESCALE_PASSES_FUSION_PASSES_TD
#define VESCALE_PASSES_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeLayersPass : Pass<"vs-decompose-layers"> {
  let summary = "Replaces ops that no kernel computes by their decompositions";
  let description = [{
    Named layers, optimizer steps and contractions that are no matrix products become simpler ops, again and again,
    until every op is a library call, a collective, a view, or one that code generation knows.

    On placed IR the values in between get the layouts that follow from those of the op's operands and results, so
    nothing moves between devices. Invariant: the types of results do not change.
  }];
  let dependentDialects = ["::vescale::vs::VsDialect"];
  let statistics = [Statistic<"numDecomposed", "decomposed", "Number of ops decomposed">];
}

def FusePass : Pass<"vs-fuse", "::mlir::func::FuncOp"> {
  let summary = "Groups generated ops into kernels";
  let description = [{
    Each op that is neither a library call nor a collective nor a view joins exactly one `vs.fused` group: the unit
    of code generation.

    Steps: cheap ops (constants, broadcasts, slices) are copied to each of their users; then, in program order, each
    op joins the groups of its producers if the union still has an outer parallel loop with the rows of its parts;
    each group stands where its last member stood.

    Invariants: ops are pure, so moving a group down to its last member changes nothing as long as nothing in
    between uses its results. Layouts are kept: the body has the types of its surroundings. Limit: a group has at
    most 64 members and 40 arguments.

    ```mlir
    %a = vs.add %x, %b : tensor<8x4xf32>
    %y = vs.tanh %a : tensor<8x4xf32>
    // becomes
    %y = vs.fused (%0 = %x : tensor<8x4xf32>, %1 = %b : tensor<8x4xf32>) -> (tensor<8x4xf32>) {
      %a = vs.add %0, %1 : tensor<8x4xf32>
      %t = vs.tanh %a : tensor<8x4xf32>
      vs.yield %t : tensor<8x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::vescale::vs::VsDialect"];
  let statistics = [Statistic<"numGroups", "groups", "Number of fused groups">];
}

#endif // VESCALE_PASSES_FUSION_PASSES_TD
