//===- Describe.h - Names of instructions in messages ---------------------===//
#ifndef VESCALE_RUNTIME_FORMAT_DESCRIBE_H
#define VESCALE_RUNTIME_FORMAT_DESCRIBE_H

#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// "matmul", "all_reduce", "wait_event", ...: what an instruction does, as traces call it.
const char *operationName(const Operation &operation);

/// `class 1`; `class 1 of evaluate` where the schedule has several functions. The index may be out
/// of range.
std::string programName(const Schedule &schedule, size_t program);

/// `instruction 12 (matmul "h.0.mlp.fc" at model.mlir:4:10) of class 1`. Indices may be out of
/// range.
std::string describe(const Schedule &schedule, size_t program, size_t instruction);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_DESCRIBE_H
