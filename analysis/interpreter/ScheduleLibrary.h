//===- ScheduleLibrary.h - Library calls of schedules, as loops -----------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_SCHEDULELIBRARY_H
#define VESCALE_ANALYSIS_INTERPRETER_SCHEDULELIBRARY_H

#include "dialects/sched/SchedOps.h"

#include <cstddef>
#include <cstdint>

namespace vescale::analysis {

/// c = alpha * a * b + beta * c on the operands' memory; sums are in double precision.
void runMatMul(sched::MatMulOp op, llvm::ArrayRef<std::byte *> operands);

/// Attention or its gradient. `scalars` are the op's, `seed` and `step` those of the step. Fails with
/// an error where the strides are not those of dense tensors.
mlir::LogicalResult runAttention(sched::AttentionOp op, llvm::ArrayRef<std::byte *> operands,
                                 llvm::ArrayRef<int64_t> scalars, uint64_t seed, int64_t step);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_SCHEDULELIBRARY_H
