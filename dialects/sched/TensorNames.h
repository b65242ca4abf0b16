//===- TensorNames.h - Names of tensors that have none ----------*- C++ -*-===//

#ifndef VESCALE_DIALECTS_SCHED_TENSORNAMES_H
#define VESCALE_DIALECTS_SCHED_TENSORNAMES_H

#include "llvm/ADT/StringRef.h"

namespace vescale::sched {

/// Tensors of the role `value` are called by these and the number of the argument or result of the
/// function that was lowered.
inline constexpr llvm::StringLiteral argumentPrefix = "argument";
inline constexpr llvm::StringLiteral resultPrefix = "result";

} // namespace vescale::sched

#endif // VESCALE_DIALECTS_SCHED_TENSORNAMES_H
