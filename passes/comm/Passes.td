//===- Passes.td - passes of the communication stage ---------------------------------===//

#ifndef VESCALE_PASSES_COMM_PASSES_TD
#define VESCALE_PASSES_COMM_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyCollectivesPass : Pass<"dist-simplify-collectives", "::mlir::func::FuncOp"> {
  let summary = "Removes steps that cancel, merges steps that follow one another, and reuses equal ones";
  let description = [{
    For each step of a redistribution, in program order:
    1. A step whose result nobody uses is removed.
    2. A step that an earlier one of the same block does already, on the same value and with the same
       result, is replaced by that one.
    3. Where the operand is what another step makes, and so on, the plan from the first operand of that
       chain to the result (layout::planRedistribution) takes the place of the step, if it costs less
       than those steps of the chain that nothing else uses. So a slice of what was just gathered
       disappears, as does a gather of what was just sliced; gathers over two axes become one.

    It decides no layout: what other ops see stays as it is. Costs are those of analysis::MachineModel.
    Limits: steps are not moved past other ops, and reuse does not look at memory.

    ```mlir
    %a = dist.all_gather %x : tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {} ]>>
                           -> tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
    %b = dist.all_gather %a : tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {} ]>>
                           -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {} ]>>
    // becomes, where nothing else uses %a
    %b = dist.all_gather %x : tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {} ]>>
                           -> tensor<8x8xf32, #dist.layout<#mesh, [{}, {} ]>>
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "\"\"",
           "The file that describes the machine (see analysis/cost/Cluster.h).">,
  ];
  let statistics = [
    Statistic<"numUnused", "unused", "Steps that nobody used">,
    Statistic<"numReused", "reused", "Steps that an earlier one did already">,
    Statistic<"numMerged", "merged", "Chains of steps replaced by a cheaper plan">,
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def BucketPass : Pass<"dist-bucket", "::mlir::func::FuncOp"> {
  let summary = "Groups collectives into common launches where that is predicted to cost less";
  let description = [{
    Collectives of the same kind, mesh, axes and element type may be moved by one launch, a `dist.start`
    with several operands. Which ones follows from a simulation of the block on a compute lane and a
    communication lane (passes/comm/LaneSimulation.h): when a launch begins, it takes along those
    whose operands exist too, first needed first, as long as
    - the ops then wait no longer than with one more launch (its latency counted as a wait), and
    - no more bytes are live than in the order given, or than the memory budget.
    Sizes of buckets so follow from latency, bandwidth and what there is to compute, and from no constant:
    while the lane is busy, what becomes ready joins the next launch.

    Each launch, bucket or not, is put right before its first need; dist-overlap moves its halves
    apart. Invariant: what is computed, and in which order, does not change. Members of a launch become
    consecutive instructions of the schedule.

    ```mlir
    %a = dist.all_gather %x {id = 0 : i64} : !cut -> !whole
    %b = dist.all_gather %y {id = 1 : i64} : !cut -> !whole
    // becomes
    %f:2 = dist.start "all_gather" %x, %y {id = 0 : i64} : (!cut, !cut) -> (!dist.future<!whole>, !dist.future<!whole>)
    %a = dist.wait %f#0 : !dist.future<!whole>
    %b = dist.wait %f#1 : !dist.future<!whole>
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "\"\"",
           "The file that describes the machine (see analysis/cost/Cluster.h).">,
    Option<"memoryBudget", "memory-budget", "int64_t", "0",
           "Bytes that values of a block may take; 0: what they take before this pass.">,
  ];
  let statistics = [
    Statistic<"numBuckets", "buckets", "Launches of several collectives">,
    Statistic<"numJoined", "joined", "Collectives in them">,
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def OverlapPass : Pass<"dist-overlap", "::mlir::func::FuncOp"> {
  let summary = "Starts collectives early and waits for them late";
  let description = [{
    Every step that sends becomes a `dist.start` and a `dist.wait` for each value, in the order of a list
    schedule on a compute lane and a communication lane (passes/comm/LaneSimulation.h):
    1. Ops that compute keep their order. Views move to what they are views of, so that they delay nothing.
    2. The start stands where the lane takes it: as early as its operands exist, the lane is free for it (what is
       needed first goes first), and memory allows.
    3. The wait stands where the step is predicted to be over, at the latest before its first need.
       From there on its operand's memory is free again. A wait is no instruction: streams wait for each other where they
       touch the same bytes (sched-order-streams), so one that stands early costs nothing by itself.

    All devices issue all launches in this one order. Each start gets an attribute
    `dist.exposed_seconds`, the time for which ops are predicted to wait for it. Limits: one lane for
    all links; each block is scheduled on its own; ops that compute are not reordered.
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "\"\"",
           "The file that describes the machine (see analysis/cost/Cluster.h).">,
    Option<"memoryBudget", "memory-budget", "int64_t", "0",
           "Bytes that values of a block may take; 0: what they take before this pass.">,
  ];
  let statistics = [
    Statistic<"numStarted", "started", "Launches">,
    Statistic<"numDelayed", "delayed", "Launches that memory put off">,
    Statistic<"communicationNanoseconds", "communication-ns", "Predicted time of all launches">,
    Statistic<"exposedNanoseconds", "exposed-ns", "Of that, the time for which ops wait">,
    Statistic<"stepNanoseconds", "step-ns", "Predicted time of all blocks">,
  ];
  let dependentDialects = ["::vescale::dist::DistDialect"];
}

def VerifyCommunicationPass : Pass<"dist-verify-communication", "::mlir::func::FuncOp"> {
  let summary = "Checks what the communication stage promises";
  let description = [{
    The contract at the end of the stage:
    - no `dist.redistribute` is left, and every step that sends is a `dist.start`;
    - each of its futures is used by waits only, and at least one, in the same block: so no value is read before
      its wait, and no start is left open at the end of a step or of an iteration;
    - ids are unique;
    - each `dist.send` has one `dist.recv` of its id and type, and the other way round.

    Blocks are totally ordered and a wait follows its start, so waits form no cycle.
  }];
}

#endif // VESCALE_PASSES_COMM_PASSES_TD
