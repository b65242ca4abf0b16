//===- Passes.td - passes of the codegen stage ---------------------------------------===//

#ifndef VESCALE_PASSES_CODEGEN_PASSES_TD
#define VESCALE_PASSES_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def GenerateKernelsPass : Pass<"sched-generate-kernels", "::mlir::ModuleOp"> {
  let summary = "Generates machine code of all kernels";
  let description = [{
    Replaces the module `@kernels` by a `sched.kernel_image`: the symbols of its functions in order, and
    the bytes of one relocatable ELF object that defines them.
  }];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"x86-64-v3\"", "A CPU name of LLVM.">,
    Option<"optimizationLevel", "optimization-level", "unsigned", "3", "0 (fast to compile) to 3.">,
  ];
  let statistics = [Statistic<"objectBytes", "object-bytes", "Bytes of machine code">];
  let dependentDialects = ["::vescale::sched::SchedDialect"];
}

def EmitPass : Pass<"sched-emit", "::mlir::ModuleOp"> {
  let summary = "Writes the schedule file";
  let description = [{
    Translates the one `sched.schedule` of the module, record by record, into the bytes of
    runtime/format/schedule.fbs, and checks them with the verifier that the runtime runs. Writes the file
    where `output` names one; the IR stays as it is.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"\"", "The file; empty: only check.">,
  ];
  let statistics = [Statistic<"fileBytes", "file-bytes", "Bytes of the file">];
}

#endif // VESCALE_PASSES_CODEGEN_PASSES_TD
