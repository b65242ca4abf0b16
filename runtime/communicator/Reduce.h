//===- Reduce.h - Contributions of ranks, reduced in their order ----------===//
#ifndef VESCALE_RUNTIME_COMMUNICATOR_REDUCE_H
#define VESCALE_RUNTIME_COMMUNICATOR_REDUCE_H

#include "layout/Layout.h"
#include "runtime/format/Schedule.h"

#include <cstddef>
#include <cstdint>

namespace vescale::runtime {

/// target[i * targetStride] = contributions[0][o + i * sourceStride] op contributions[1][...] op
/// ..., in this order, for i in [0, count), o = sourceOffset; offsets and strides in elements.
/// Computed in the element type; bf16 and f16 are accumulated in f32 and rounded once, to nearest
/// even. `op` is the identity for a single contribution. The target may be one of the
/// contributions.
using ReduceFunction = void (*)(std::byte *target, int64_t targetStride,
                                const std::byte *const *contributions, int64_t sourceOffset,
                                int64_t sourceStride, int64_t contributionCount, int64_t count);

/// Null where the type does not have the reduction (and, or of reals).
ReduceFunction reduceFunction(layout::Reduction reduction, ElementType type);

/// Writes the identity of a reduction to `count` contiguous elements.
void fillIdentity(std::byte *target, int64_t count, layout::Reduction reduction, ElementType type);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_COMMUNICATOR_REDUCE_H
