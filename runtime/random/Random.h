//===- Random.h - Random tensors ------------------------------------------===//
//
// Fills memory with uniform or standard normal numbers that depend only on seed, step, draw and
// global element index (Philox.h). f64 numbers come from the same bits as f32 numbers: a uniform
// f64 equals the uniform f32, and a normal f64 is the same formula evaluated in f64. So a dropout
// mask is the same in both types.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_RANDOM_RANDOM_H
#define VESCALE_RUNTIME_RANDOM_RANDOM_H

#include "runtime/random/Philox.h"

#include <cstdint>
#include <vector>

extern "C" {
/// Writes elements [globalIndexStart, globalIndexStart + count) of a draw to out[0, count).
/// Generated kernels call these.
void vescale_random_uniform_f32(float *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                                uint32_t step, uint64_t seed);
void vescale_random_uniform_f64(double *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                                uint32_t step, uint64_t seed);
void vescale_random_normal_f32(float *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                               uint32_t step, uint64_t seed);
void vescale_random_normal_f64(double *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                               uint32_t step, uint64_t seed);
}

namespace vescale::runtime {

enum class Distribution {
  uniform, ///< [0, 1)
  normal,  ///< mean 0, standard deviation 1
};

/// Elements [start, start + count) of a draw, contiguous. `Real` is float or double.
template <typename Real>
void fillRandom(Real *out, int64_t start, int64_t count, Distribution distribution,
                const RandomDraw &draw);

/// A box of a global tensor: out[sum_d i_d * strides[d]] = scale * element(offset + i) + shift for
/// every i in the box. The product and the sum are rounded separately.
///
/// \param shape global shape; all of shape, offset, size and strides have the tensor's rank (0 is a
/// scalar). \param strides of `out` in elements; may be any, also negative.
template <typename Real>
void fillRandomBox(Real *out, const std::vector<int64_t> &shape, const std::vector<int64_t> &offset,
                   const std::vector<int64_t> &size, const std::vector<int64_t> &strides,
                   Distribution distribution, const RandomDraw &draw, Real scale = 1,
                   Real shift = 0);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_RANDOM_RANDOM_H
