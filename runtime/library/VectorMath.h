//===- VectorMath.h - Branch-free functions for loops that vectorise ---------===//

#ifndef VESCALE_RUNTIME_LIBRARY_VECTORMATH_H
#define VESCALE_RUNTIME_LIBRARY_VECTORMATH_H

#include <cstdint>
#include <cstring>

namespace vescale::runtime {

// Both exponentials round x / ln 2 to an integer n by adding 1.5 * 2^(mantissa bits), which leaves
// n in the low bits, and multiply a polynomial in the remainder by 2^n. Results below the smallest
// normal number are 0; not-a-numbers stay so.

/// exp(x) within 2 units in the last place; x must be below 88.
inline float exponential(float x) {
  constexpr float magic = 0x1.8p23f;
  float shifted = x * 1.44269504f + magic;
  float n = shifted - magic;
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 127u) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof bits);
  return x < -87.0f ? 0.0f : p * power;
}

/// exp(x) within 2 units in the last place; x must be below 709.
inline double exponential(double x) {
  constexpr double magic = 0x1.8p52;
  double shifted = x * 1.4426950408889634074 + magic;
  double n = shifted - magic;
  double r = x - n * 6.93147180369123816490e-01 - n * 1.90821492927058770002e-10;
  // The Taylor polynomial of degree 13: its remainder is below 1e-17 for |r| <= ln(2) / 2.
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r * r + r + 1.0;
  uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023u) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof bits);
  return x < -708.0 ? 0.0 : p * power;
}

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_VECTORMATH_H
