//===- Random.h - The random numbers of a draw ----------------------------------------------===//
//
// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
// (SC'11), one element at a time. Element g of a draw is lane g mod 4 of the block with the counter
// (low 32 bits of g / 4, high 32 bits of g / 4, draw id, step) and the seed as the key. A uniform
// number is the top 24 bits; normal numbers come from pairs of lanes (Box and Muller, 1958).
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_RANDOM_H
#define VESCALE_ANALYSIS_INTERPRETER_RANDOM_H

#include "analysis/interpreter/Tensor.h"

#include <cstdint>

namespace vescale::analysis {

/// What the numbers of a draw depend on.
struct Draw {
  uint64_t seed = 0;
  uint32_t step = 0;
  uint32_t id = 0;
};

/// Draw `id` of a generator, see Tensor::generator.
Draw drawOf(const Tensor &generator, int64_t id);

/// The generator that run `run` of `count` runs of a loop's body has for one from outside.
Tensor generatorOfRun(const Tensor &generator, int64_t run, int64_t count);

/// In [0, 1), a multiple of 2^-24.
double uniformNumber(const Draw &draw, uint64_t element);
/// Of mean 0 and standard deviation 1.
double normalNumber(const Draw &draw, uint64_t element);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_RANDOM_H
