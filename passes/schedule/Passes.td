//===- Passes.td - passes of the schedule stage --------------------------------------===//

#ifndef VESCALE_PASSES_SCHEDULE_PASSES_TD
#define VESCALE_PASSES_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def KeepGradientsPass : Pass<"sched-keep-gradients", "::mlir::func::FuncOp"> {
  let summary = "Hands gradients out to the host";
  let description = [{
    Each value tagged `NAME.gradient` becomes a further result of the function, with `vs.name = "NAME"` and
    `vs.role = "gradient"`, which sched-lower turns into a tensor that the host may read. Gradients then
    live to the end of the step, which costs memory: a pass for tests and for looking inside. A gradient
    that is still partial is redistributed to its parameter's layout, so the pass runs on a placed function,
    before redistributions are planned.
  }];
  let statistics = [Statistic<"numGradients", "gradients", "Gradients handed out">];
}

def LowerPass : Pass<"sched-lower", "::mlir::ModuleOp"> {
  let summary = "Turns the per-device step into one program for each class of devices";
  let description = [{
    Replaces the module's functions by one `sched.schedule`, which has the name of the first, and adds a
    module `@kernels` with one function for each distinct kernel (see passes/codegen/NativeCode.h for their
    form).

    Steps:
    1. Devices on which all tensors of all functions have the same local shapes are one class, with one
       program for each function.
    2. Arguments and results become the named tensors of the schedule: `vs.role` and `vs.name` of
       arguments; results with a `vs.name` are metrics. What has one role, name and type in several
       functions is one tensor; a parameter or state must be.
    3. In program order, each fused group becomes a launch of its local form, each library call what
       its interface builds, each step of a redistribution a collective. Views execute nothing. What
       the host fills comes first; results that could not be computed in the memory of the argument
       that they replace are copied there at the end.
    4. Groups with the same local form share a kernel, whatever layer, function and class they are of: the
       coordinates that offsets depend on become parameters.

    Invariants: all programs of a function issue the same collectives in the same order; no id is in two
    functions. Nothing is launched for
    results that are empty on a class. Stream 0 computes, stream 1 communicates; this pass records no
    events, sched-order-streams does.
  }];
  let options = [
    Option<"functionName", "function", "std::string", "\"step\"",
           "The function that comes first, which steps run; a module's only function is taken whatever "
           "its name.">,
  ];
  let statistics = [
    Statistic<"numClasses", "classes", "Classes of devices">,
    Statistic<"numKernels", "kernels", "Distinct kernels">,
    Statistic<"numInstructions", "instructions", "Instructions of all programs">,
  ];
  let dependentDialects = [
    "::vescale::sched::SchedDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
  ];
}

def OrderStreamsPass : Pass<"sched-order-streams", "::mlir::ModuleOp"> {
  let summary = "Lets streams wait for one another where they touch the same bytes";
  let description = [{
    Two instructions on different streams that touch the same bytes, one of them writing, run in
    program order: the first stream records an event right after the first instruction, the other
    waits for it right before the second. So both data dependences and the reuse of memory are kept.

    Algorithm: walks the program with a vector clock for each stream, and for each byte range the last
    write and the reads since. A wait is added only where the stream does not already know, through
    earlier waits, that the access has happened. Bodies of loops are walked twice, so that the second
    iteration waits for the first. Cost: O(n log n) for a fixed number of streams.
  }];
  let statistics = [
    Statistic<"numEvents", "events", "Events recorded">,
    Statistic<"numWaits", "waits", "Waits added">,
  ];
  let dependentDialects = ["::vescale::sched::SchedDialect"];
}

#endif // VESCALE_PASSES_SCHEDULE_PASSES_TD
