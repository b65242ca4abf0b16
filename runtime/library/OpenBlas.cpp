#include "runtime/library/OpenBlas.h"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>

namespace {

/// Constructors with a priority run before OpenBLAS's own, which would start threads, and which
/// falls back to SSE code on CPUs that are newer than itself: so the kernels are chosen here, by
/// what the CPU can do.
__attribute__((constructor(101))) void configureOpenBlas() {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
#ifdef __x86_64__
  __builtin_cpu_init();
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const char *core = avx512                    ? "SkylakeX"
                     : !avx2                   ? nullptr
                     : __builtin_cpu_is("amd") ? "Zen"
                                               : "Haswell";
  if (core)
    setenv("OPENBLAS_CORETYPE", core, 0);
#endif
}

/// Scales a matrix; beta = 0 overwrites whatever was there, not-a-numbers included.
template <typename Real>
void scaleRows(int64_t m, int64_t n, Real beta, Real *c, int64_t leadingC) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      c[i * leadingC + j] = beta == 0 ? Real(0) : beta * c[i * leadingC + j];
}

CBLAS_TRANSPOSE transposition(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

// OpenBLAS checks leading dimensions even of matrices without rows.
blasint leading(int64_t value, int64_t columns) {
  return static_cast<blasint>(std::max({value, columns, int64_t(1)}));
}

} // namespace

void vescale::runtime::productByOpenBlas(bool transposedA, bool transposedB, int64_t m, int64_t n,
                                         int64_t k, float alpha, const float *a, int64_t leadingA,
                                         const float *b, int64_t leadingB, float beta, float *c,
                                         int64_t leadingC) {
  if (m == 0 || n == 0)
    return;
  if (k == 0 || alpha == 0)
    return scaleRows(m, n, beta, c, leadingC);
  cblas_sgemm(CblasRowMajor, transposition(transposedA), transposition(transposedB), m, n, k, alpha,
              a, leading(leadingA, transposedA ? m : k), b, leading(leadingB, transposedB ? k : n),
              beta, c, leading(leadingC, n));
}

void vescale::runtime::productByOpenBlas(bool transposedA, bool transposedB, int64_t m, int64_t n,
                                         int64_t k, double alpha, const double *a, int64_t leadingA,
                                         const double *b, int64_t leadingB, double beta, double *c,
                                         int64_t leadingC) {
  if (m == 0 || n == 0)
    return;
  if (k == 0 || alpha == 0)
    return scaleRows(m, n, beta, c, leadingC);
  cblas_dgemm(CblasRowMajor, transposition(transposedA), transposition(transposedB), m, n, k, alpha,
              a, leading(leadingA, transposedA ? m : k), b, leading(leadingB, transposedB ? k : n),
              beta, c, leading(leadingC, n));
}
