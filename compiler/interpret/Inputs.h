//===- Inputs.h - Arguments of an interpreted function --------------------------------------===//

#ifndef VESCALE_COMPILER_INTERPRET_INPUTS_H
#define VESCALE_COMPILER_INTERPRET_INPUTS_H

#include "analysis/interpreter/Tensor.h"
#include "compiler/interpret/Interpret.h"
#include "dialects/sched/SchedOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace vescale {

/// The name of an argument or result: its `vs.name`, else its number.
std::string argumentName(mlir::func::FuncOp function, unsigned number);
std::string resultName(mlir::func::FuncOp function, unsigned number);

/// One tensor per argument: as --input says, else by the argument's role (InitialValues.h). Fails
/// where an input is no argument's, cannot be read, or has another number of elements.
layout::StatusOr<std::vector<analysis::Tensor>> readArguments(mlir::func::FuncOp function,
                                                              const InterpretOptions &options);

/// One value for each tensor that a schedule needs before a step; likewise.
layout::StatusOr<std::vector<analysis::Tensor>>
readScheduleInputs(sched::ScheduleOp schedule, llvm::ArrayRef<sched::TensorOp> tensors,
                   const InterpretOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_INTERPRET_INPUTS_H
