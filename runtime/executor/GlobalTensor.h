//===- GlobalTensor.h - Tensors of a run as one, by regions ---------------===//
#ifndef VESCALE_RUNTIME_EXECUTOR_GLOBALTENSOR_H
#define VESCALE_RUNTIME_EXECUTOR_GLOBALTENSOR_H

#include "runtime/executor/Executor.h"

#include <cstddef>
#include <vector>

namespace vescale::runtime {

/// The whole tensor, row-major, from the ranks of an executor; contributions of a partial layout
/// are reduced in rank order. Between steps only.
layout::StatusOr<std::vector<std::byte>> readTensor(const Executor &executor, uint32_t tensor);

/// Sets the tensor on all ranks that have part of it. Fails where the number of bytes is wrong, or
/// the layout is partial.
layout::Status writeTensor(Executor &executor, uint32_t tensor, const std::byte *data,
                           uint64_t bytes);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_EXECUTOR_GLOBALTENSOR_H
