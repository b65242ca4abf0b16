//===- Passes.td - passes of the memory stage ----------------------------------------===//

#ifndef VESCALE_PASSES_MEMORY_PASSES_TD
#define VESCALE_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignBuffersPass : Pass<"sched-assign-buffers", "::mlir::func::FuncOp"> {
  let summary = "Gives each value its place in the arena";
  let description = [{
    Every tensor gets an offset, the same on all devices, where its local part lies: the attribute
    `sched.offsets` of ops (one per result), `sched.offset` of arguments. `sched.arena_bytes` of the
    function is the size of the arena.

    Steps:
    1. Arguments lie at the start, one after another: parameters, states, batches, the others. They
       are never moved, so that functions with the same parameters share their offsets.
    2. A result with `vs.aliases` is written straight into the memory of its argument where the
       argument is not needed any more when the result is computed, or is needed by that op only and
       the op is an elementwise group. Otherwise it gets memory of its own and is copied at the end.
    3. All else is allocated in program order, in the smallest free block that is large enough, and
       freed after its last use. Views (`vs.reshape`, `vs.tag`, `dist.wait`) share the memory of their
       operand. Sizes are those of the largest device.

    Invariants: offsets are multiples of 64; the cost is O(n log n). Values that functions return
    without an alias live to the end.
  }];
  let options = [
    Option<"memoryBudget", "memory-budget", "int64_t", "0",
           "Bytes that a device may use for the arena; 0: any. More is an error that says what uses them.">,
  ];
  let statistics = [
    Statistic<"persistentBytes", "persistent-bytes", "Bytes of arguments">,
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the arena">,
    Statistic<"inPlace", "in-place", "Results computed in the memory of their argument">,
    Statistic<"copied", "copied", "Results copied to their argument at the end">,
  ];
}

def VerifyBuffersPass : Pass<"sched-verify-buffers", "::mlir::func::FuncOp"> {
  let summary = "Checks that no two live values overlap in the arena";
  let description = [{
    The contract at the end of the memory stage: every tensor has an offset that is a multiple of 64,
    lies in the arena, and overlaps no other value while both are needed; except a view and what it is
    a view of, and a result that an elementwise group computes in the memory of its operand.
  }];
}

#endif // VESCALE_PASSES_MEMORY_PASSES_TD
