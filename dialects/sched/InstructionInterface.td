//===- InstructionInterface.td - Instructions that touch memory ----------------------===//

#ifndef VESCALE_DIALECTS_SCHED_INSTRUCTIONINTERFACE_TD
#define VESCALE_DIALECTS_SCHED_INSTRUCTIONINTERFACE_TD

include "mlir/IR/OpBase.td"

def InstructionOpInterface : OpInterface<"InstructionOpInterface"> {
  let cppNamespace = "::vescale::sched";
  let description = [{
    An instruction that touches memory. What orders streams asks this interface and not for ops by
    name.
  }];
  let methods = [
    InterfaceMethod<"The stream that the instruction is on.", "uint64_t", "getStream", (ins)>,
    InterfaceMethod<"The buffers that it touches.", "::mlir::Operation::operand_range", "getBuffers",
                    (ins)>,
    InterfaceMethod<"How it touches each: 1 read, 2 write, 3 both.", "::llvm::ArrayRef<int32_t>",
                    "getAccess", (ins)>,
    InterfaceMethod<[{The part of each buffer that it touches: offset and bytes, pair by pair. Bytes
                      of -1 reach to the buffer's end. Absent: all buffers whole.}],
                    "::std::optional<::llvm::ArrayRef<int64_t>>", "getRanges", (ins)>,
  ];
  let verify = [{ return ::vescale::sched::verifyInstruction($_op); }];
}

#endif // VESCALE_DIALECTS_SCHED_INSTRUCTIONINTERFACE_TD
