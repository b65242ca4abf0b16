//===- SchedOps.h - Ops of the sched dialect --------------------*- C++ -*-===//

#ifndef VESCALE_DIALECTS_SCHED_SCHEDOPS_H
#define VESCALE_DIALECTS_SCHED_SCHEDOPS_H

#include "dialects/dist/DistAttributes.h"
#include "dialects/sched/SchedDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace vescale::sched {

/// How an instruction touches an operand.
enum Access : int32_t { read = 1, write = 2, update = 3 };

/// Checks the constraints that all instructions share: the stream, the accesses, the ranges.
llvm::LogicalResult verifyInstruction(mlir::Operation *op);

} // namespace vescale::sched

#include "dialects/sched/InstructionInterface.h.inc"

#define GET_OP_CLASSES
#include "dialects/sched/SchedOps.h.inc"

namespace vescale::sched {

/// Bytes of an instruction's operand `index`, in the arena.
struct ArenaRange {
  int64_t begin, end;
};
ArenaRange operandRange(InstructionOpInterface instruction, unsigned index);

} // namespace vescale::sched

#endif // VESCALE_DIALECTS_SCHED_SCHEDOPS_H
