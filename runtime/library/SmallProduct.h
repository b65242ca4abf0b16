//===- SmallProduct.h - Products of small matrices --------------------------===//

#ifndef VESCALE_RUNTIME_LIBRARY_SMALLPRODUCT_H
#define VESCALE_RUNTIME_LIBRARY_SMALLPRODUCT_H

#include <cstdint>
#include <type_traits>

namespace vescale::runtime {

/// c = a * b, or c += a * b, of row-major matrices of one fixed shape: a is m x k, b is k x n;
/// `Real` is float or double. Where `transposedA`, a is stored as k x m. Code for the shape is
/// generated once, by libxsmm, when the object is made; calls neither allocate nor lock. Where
/// libxsmm has no code for the shape or the CPU, OpenBLAS computes it.
template <typename Real> class SmallProduct {
public:
  SmallProduct() = default;

  /// Leading dimensions are distances between stored rows, in elements.
  SmallProduct(int64_t m, int64_t n, int64_t k, int64_t leadingA, int64_t leadingB,
               int64_t leadingC, bool transposedA, bool accumulate);

  void operator()(const Real *a, const Real *b, Real *c) const {
    if (code)
      code(b, a, c);
    else
      fallback(a, b, c);
  }

private:
  void fallback(const Real *a, const Real *b, Real *c) const;

  using Code = void (*)(const Real *, const Real *, Real *, ...);
  Code code = nullptr;
  int64_t m = 0, n = 0, k = 0, leadingA = 0, leadingB = 0, leadingC = 0;
  bool transposedA = false, accumulate = false;
};

/// Largest dim for which libxsmm is the faster library.
constexpr int64_t smallProductLimit = 128;

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_SMALLPRODUCT_H
