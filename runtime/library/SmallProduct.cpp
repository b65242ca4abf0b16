#include "runtime/library/SmallProduct.h"

#include "runtime/library/OpenBlas.h"

#include <libxsmm.h>

using namespace vescale::runtime;

namespace {

// libxsmm's matrices are column-major: its first operand is our b, and its transposition of the
// second is ours of a.

void dispatch(void (*&code)(const float *, const float *, float *, ...), int m, int n, int k,
              int leadingA, int leadingB, int leadingC, int flags, bool accumulate) {
  const float one = 1, beta = accumulate ? 1 : 0;
  const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  code =
      libxsmm_smmdispatch(n, m, k, &leadingB, &leadingA, &leadingC, &one, &beta, &flags, &prefetch);
}

void dispatch(void (*&code)(const double *, const double *, double *, ...), int m, int n, int k,
              int leadingA, int leadingB, int leadingC, int flags, bool accumulate) {
  const double one = 1, beta = accumulate ? 1 : 0;
  const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  code =
      libxsmm_dmmdispatch(n, m, k, &leadingB, &leadingA, &leadingC, &one, &beta, &flags, &prefetch);
}

} // namespace

template <typename Real>
SmallProduct<Real>::SmallProduct(int64_t m, int64_t n, int64_t k, int64_t leadingA,
                                 int64_t leadingB, int64_t leadingC, bool transposedA,
                                 bool accumulate)
    : m(m), n(n), k(k), leadingA(leadingA), leadingB(leadingB), leadingC(leadingC),
      transposedA(transposedA), accumulate(accumulate) {
  constexpr int64_t largest = int64_t(1) << 30;
  if (m == 0 || n == 0 || k == 0 || leadingA > largest || leadingB > largest || leadingC > largest)
    return;
  dispatch(code, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
           static_cast<int>(leadingA), static_cast<int>(leadingB), static_cast<int>(leadingC),
           transposedA ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE, accumulate);
}

template <typename Real>
void SmallProduct<Real>::fallback(const Real *a, const Real *b, Real *c) const {
  productByOpenBlas(transposedA, false, m, n, k, Real(1), a, leadingA, b, leadingB,
                    accumulate ? Real(1) : Real(0), c, leadingC);
}

template class vescale::runtime::SmallProduct<float>;
template class vescale::runtime::SmallProduct<double>;
