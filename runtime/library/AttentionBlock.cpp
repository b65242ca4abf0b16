#include "runtime/library/AttentionBlock.h"

#include "runtime/library/Multiversion.h"
#include "runtime/library/VectorMath.h"
#include "runtime/random/Random.h"

#include <cmath>
#include <limits>

using namespace vescale::runtime;

#define INLINE inline __attribute__((always_inline))

namespace {

template <typename Real> constexpr Real minusInfinity = -std::numeric_limits<Real>::infinity();

template <typename Real>
INLINE void softmaxLoops(Real *__restrict scores, Real *__restrict maximum, Real *__restrict sum,
                         Real *__restrict correction, int64_t keys, int64_t width) {
  Real largest[attentionBlock];
  for (int64_t i = 0; i < width; ++i)
    largest[i] = maximum[i];
  for (int64_t j = 0; j < keys; ++j)
    for (int64_t i = 0; i < width; ++i)
      largest[i] = scores[j * width + i] > largest[i] ? scores[j * width + i] : largest[i];
  // Where a query has seen no key yet, the maximum stays minus infinity, but exponents are relative
  // to 0.
  Real reference[attentionBlock];
  for (int64_t i = 0; i < width; ++i) {
    reference[i] = largest[i] == minusInfinity<Real> ? Real(0) : largest[i];
    correction[i] = exponential(maximum[i] - reference[i]);
    maximum[i] = largest[i];
  }
  Real total[attentionBlock] = {};
  for (int64_t j = 0; j < keys; ++j)
    for (int64_t i = 0; i < width; ++i) {
      Real value = exponential(scores[j * width + i] - reference[i]);
      scores[j * width + i] = value;
      total[i] += value;
    }
  for (int64_t i = 0; i < width; ++i)
    sum[i] = sum[i] * correction[i] + total[i];
}

template <typename Real>
INLINE void exponentialLoops(Real *__restrict scores, const Real *__restrict logSumExp,
                             int64_t keys, int64_t width) {
  Real reference[attentionBlock];
  for (int64_t i = 0; i < width; ++i)
    reference[i] = logSumExp[i] == minusInfinity<Real> ? Real(0) : logSumExp[i];
  for (int64_t j = 0; j < keys; ++j)
    for (int64_t i = 0; i < width; ++i)
      scores[j * width + i] = exponential(scores[j * width + i] - reference[i]);
}

template <typename Real>
INLINE void scoreGradientLoops(Real *__restrict gradient, const Real *__restrict probability,
                               const Real *__restrict delta, Real scale, int64_t keys,
                               int64_t width) {
  for (int64_t j = 0; j < keys; ++j)
    for (int64_t i = 0; i < width; ++i)
      gradient[j * width + i] =
          scale * probability[j * width + i] * (gradient[j * width + i] - delta[i]);
}

// Function versions exist for functions, not for templates: these are the instances of the loops
// above.

VESCALE_MULTIVERSION void softmaxVersion(float *scores, float *maximum, float *sum,
                                         float *correction, int64_t keys, int64_t width) {
  softmaxLoops(scores, maximum, sum, correction, keys, width);
}
VESCALE_MULTIVERSION void softmaxVersion(double *scores, double *maximum, double *sum,
                                         double *correction, int64_t keys, int64_t width) {
  softmaxLoops(scores, maximum, sum, correction, keys, width);
}
VESCALE_MULTIVERSION void exponentialVersion(float *scores, const float *logSumExp, int64_t keys,
                                             int64_t width) {
  exponentialLoops(scores, logSumExp, keys, width);
}
VESCALE_MULTIVERSION void exponentialVersion(double *scores, const double *logSumExp, int64_t keys,
                                             int64_t width) {
  exponentialLoops(scores, logSumExp, keys, width);
}
VESCALE_MULTIVERSION void scoreGradientVersion(float *gradient, const float *probability,
                                               const float *delta, float scale, int64_t keys,
                                               int64_t width) {
  scoreGradientLoops(gradient, probability, delta, scale, keys, width);
}
VESCALE_MULTIVERSION void scoreGradientVersion(double *gradient, const double *probability,
                                               const double *delta, double scale, int64_t keys,
                                               int64_t width) {
  scoreGradientLoops(gradient, probability, delta, scale, keys, width);
}

} // namespace

namespace vescale::runtime {

template <typename Real>
void packTransposed(Real *out, const Real *in, int64_t stride, int64_t rows, int64_t columns,
                    int64_t width, Real factor) {
  // Eight rows at a time: their cache lines stay while the columns pass, and each store fills part
  // of one line.
  int64_t row = 0;
  for (; row + 8 <= rows; row += 8)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t r = 0; r < 8; ++r)
        out[column * width + row + r] = factor * in[(row + r) * stride + column];
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t r = row; r < rows; ++r)
      out[column * width + r] = factor * in[r * stride + column];
    for (int64_t r = rows; r < width; ++r)
      out[column * width + r] = 0;
  }
}

template <typename Real>
void packRows(Real *out, const Real *in, int64_t stride, int64_t rows, int64_t columns,
              int64_t height) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      out[row * columns + column] = in[row * stride + column];
  for (int64_t i = rows * columns; i < height * columns; ++i)
    out[i] = 0;
}

template <typename Real>
void addBias(Real *scores, const Real *bias, int64_t stride, int64_t keys, int64_t queries,
             int64_t width) {
  for (int64_t j = 0; j < keys; ++j)
    for (int64_t i = 0; i < queries; ++i)
      scores[j * width + i] += bias[i * stride + j];
}

template <typename Real>
void maskCausal(Real *scores, int64_t diagonal, int64_t keys, int64_t width) {
  for (int64_t j = 0; j < keys; ++j) {
    // Queries below j - diagonal do not see key j.
    int64_t hidden = j - diagonal < width ? j - diagonal : width;
    for (int64_t i = 0; i < hidden; ++i)
      scores[j * width + i] = minusInfinity<Real>;
  }
}

template <typename Real>
void softmaxBlock(Real *scores, Real *maximum, Real *sum, Real *correction, int64_t keys,
                  int64_t width) {
  softmaxVersion(scores, maximum, sum, correction, keys, width);
}

template <typename Real>
void exponentialBlock(Real *scores, const Real *logSumExp, int64_t keys, int64_t width) {
  exponentialVersion(scores, logSumExp, keys, width);
}

template <typename Real>
void scoreGradientBlock(Real *gradient, const Real *probability, const Real *delta, Real scale,
                        int64_t keys, int64_t width) {
  scoreGradientVersion(gradient, probability, delta, scale, keys, width);
}

template <typename Real> void multiplyBlock(Real *out, const Real *factor, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] *= factor[i];
}

template <typename Real>
void scaleRows(Real *rows, const Real *factor, int64_t height, int64_t columns) {
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < columns; ++column)
      rows[row * columns + column] *= factor[row];
}

template <typename Real>
void rowProducts(Real *delta, const Real *a, const Real *b, int64_t stride, int64_t rows,
                 int64_t columns) {
  for (int64_t row = 0; row < rows; ++row) {
    Real sum = 0;
    for (int64_t column = 0; column < columns; ++column)
      sum += a[row * columns + column] * b[row * stride + column];
    delta[row] = sum;
  }
}

template <typename Real>
void dropoutBlock(Real *factors, int64_t firstIndex, int64_t rowStride, double rate,
                  const RandomDraw &draw, int64_t keys, int64_t queries, int64_t width) {
  // Uniform numbers are multiples of 2^-24, so the rate rounded up to one compares the same in both
  // types.
  Real threshold = static_cast<Real>(std::ceil(rate * 0x1p24) * 0x1p-24);
  Real kept = static_cast<Real>(1 / (1 - rate));
  Real row[attentionBlock];
  for (int64_t i = 0; i < queries; ++i) {
    fillRandom(row, firstIndex + i * rowStride, keys, Distribution::uniform, draw);
    for (int64_t j = 0; j < keys; ++j)
      factors[j * width + i] = row[j] >= threshold ? kept : Real(0);
  }
  for (int64_t j = 0; j < keys; ++j)
    for (int64_t i = queries; i < width; ++i)
      factors[j * width + i] = 0;
}

#define INSTANTIATE(Real)                                                                          \
  template void packTransposed(Real *, const Real *, int64_t, int64_t, int64_t, int64_t, Real);    \
  template void packRows(Real *, const Real *, int64_t, int64_t, int64_t, int64_t);                \
  template void addBias(Real *, const Real *, int64_t, int64_t, int64_t, int64_t);                 \
  template void maskCausal(Real *, int64_t, int64_t, int64_t);                                     \
  template void softmaxBlock(Real *, Real *, Real *, Real *, int64_t, int64_t);                    \
  template void exponentialBlock(Real *, const Real *, int64_t, int64_t);                          \
  template void scoreGradientBlock(Real *, const Real *, const Real *, Real, int64_t, int64_t);    \
  template void multiplyBlock(Real *, const Real *, int64_t);                                      \
  template void scaleRows(Real *, const Real *, int64_t, int64_t);                                 \
  template void rowProducts(Real *, const Real *, const Real *, int64_t, int64_t, int64_t);        \
  template void dropoutBlock(Real *, int64_t, int64_t, double, const RandomDraw &, int64_t,        \
                             int64_t, int64_t);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace vescale::runtime
