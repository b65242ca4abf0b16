//===- Passes.td - passes of the memory stage ----------------------------------------===//

#ifndef VESCALE_PASSES_MEMORY_PASSES_TD
#define VESCALE_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignBuffersPass : Pass<"sched-assign-buffers", "::mlir::ModuleOp"> {
  let summary = "Gives each value its place in the arena";
  let description = [{
    Every tensor gets an offset, the same on all devices, where its local part lies: the attribute
    `sched.offsets` of ops (one per result), `sched.offset` of arguments. `sched.arena_bytes` of the
    function is the size of the arena.

    Steps:
    1. What is kept between the runs of functions lies at the start, one after another: parameters, then
       states, of all functions. Arguments of one role and name are one tensor, at one place in all
       functions that have it; a function that does not have it leaves its place alone. Then come each
       function's batches and other arguments.
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
    Statistic<"persistentBytes", "persistent-bytes", "Bytes that are kept between the runs of functions">,
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the arena, of the largest function">,
    Statistic<"inPlace", "in-place", "Results computed in the memory of their argument">,
    Statistic<"copied", "copied", "Results copied to their argument at the end">,
  ];
}

def VerifyBuffersPass : Pass<"sched-verify-buffers", "::mlir::ModuleOp"> {
  let summary = "Checks that no two live values overlap in the arena";
  let description = [{
    The contract at the end of the memory stage: every tensor has an offset that is a multiple of 64,
    lies in the arena, and overlaps no other value while both are needed; except a view and what it is
    a view of, and a result that an elementwise group computes in the memory of its operand. Parameters
    and states lie at one place in all functions, and nothing of a function that does not have them lies
    there.
  }];
}

#endif // VESCALE_PASSES_MEMORY_PASSES_TD
