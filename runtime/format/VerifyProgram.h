//===- VerifyProgram.h - Checks of one class's program --------------------===//
#ifndef VESCALE_RUNTIME_FORMAT_VERIFYPROGRAM_H
#define VESCALE_RUNTIME_FORMAT_VERIFYPROGRAM_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// Loops nest at most this deep, so that the iterations of a queued instruction have a fixed place.
constexpr size_t maximumLoopDepth = 4;
constexpr size_t maximumStreams = 64;

/// Checks indices, bounds and alignment of buffers, streams, events and loops of a program, and the
/// operands of each instruction.
layout::Status verifyProgram(const Schedule &schedule, size_t programNumber);

/// Checks that an instruction's operands are what its operation needs: number, access, and enough
/// bytes for everything that the operation touches. Indices of operands must have been verified.
layout::Status verifyOperation(const Schedule &schedule, const Program &program,
                               const Instruction &instruction);

/// Product of sizes, or nothing where one is negative or the product exceeds 2^62.
bool checkedProduct(const std::vector<int64_t> &sizes, int64_t &product);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_VERIFYPROGRAM_H
