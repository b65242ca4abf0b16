//===- OpenBlas.h - Products of matrices by OpenBLAS, on the calling thread --===//

#ifndef VESCALE_RUNTIME_LIBRARY_OPENBLAS_H
#define VESCALE_RUNTIME_LIBRARY_OPENBLAS_H

#include <cstdint>

namespace vescale::runtime {

/// c = alpha * a * b + beta * c of row-major matrices; a is m x k (stored k x m where transposed),
/// b is k x n (stored n x k where transposed); leading dimensions in elements. With beta = 0, c is
/// not read. Dims may be 0.
///
/// OpenBLAS is told before its own start, by a constructor, to use the calling thread only: its
/// thread pool is one for the process, and ranks that share it would wait for each other.
/// OPENBLAS_CORETYPE in the environment overrides the choice of kernels.
void productByOpenBlas(bool transposedA, bool transposedB, int64_t m, int64_t n, int64_t k,
                       float alpha, const float *a, int64_t leadingA, const float *b,
                       int64_t leadingB, float beta, float *c, int64_t leadingC);
void productByOpenBlas(bool transposedA, bool transposedB, int64_t m, int64_t n, int64_t k,
                       double alpha, const double *a, int64_t leadingA, const double *b,
                       int64_t leadingB, double beta, double *c, int64_t leadingC);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_OPENBLAS_H
