//===- BoxMuller.h - Normal numbers from pairs of random words ------------===//
//
// The one definition of the normal distribution. Everything here is branch-free arithmetic of
// separately rounded operations (no fused multiply-add), so vector code, scalar code, and code for
// another machine give the same bits. A file that includes this must be compiled with
// -ffp-contract=off.
//
// The logarithm is that of FreeBSD's msun (e_log.c, e_logf.c): x = 2^k * (1 + f), s = f / (2 + f),
// a polynomial in s^2. The sine and cosine are those of Cephes (sinf.c, cosf.c) and of FreeBSD
// (k_sin.c, k_cos.c) on [-pi/4, pi/4]; the reduction of a whole turn to a quarter is exact, because
// the angle is given in turns of 24 bits.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_RANDOM_BOXMULLER_H
#define VESCALE_RUNTIME_RANDOM_BOXMULLER_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace vescale::runtime {

/// Natural logarithm of a positive normal f32; within 1 unit in the last place.
inline float logarithm(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits += 0x3f800000u - 0x3f3504f3u;
  float k = static_cast<float>(static_cast<int32_t>(bits >> 23) - 127);
  bits = (bits & 0x007fffffu) + 0x3f3504f3u;
  float mantissa;
  std::memcpy(&mantissa, &bits, sizeof bits);
  float f = mantissa - 1.0f;
  float s = f / (2.0f + f);
  float z = s * s, w = z * z;
  float even = w * (0xccce13.0p-25f + w * 0xf89e26.0p-26f);
  float odd = z * (0xaaaaaa.0p-24f + w * 0x91e9ee.0p-25f);
  float halfSquare = 0.5f * f * f;
  return s * (halfSquare + (even + odd)) + k * 9.0580006145e-06f - halfSquare + f +
         k * 6.9313812256e-01f;
}

/// Natural logarithm of a positive normal f64; within 1 unit in the last place.
inline double logarithm(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  constexpr uint64_t rootHalf = 0x3fe6a09e00000000u;
  bits += 0x3ff0000000000000u - rootHalf;
  double k = static_cast<double>(static_cast<int32_t>(bits >> 52) - 1023);
  bits = (bits & 0x000fffffffffffffu) + rootHalf;
  double mantissa;
  std::memcpy(&mantissa, &bits, sizeof bits);
  double f = mantissa - 1.0;
  double s = f / (2.0 + f);
  double z = s * s, w = z * z;
  double even = w * (3.999999999940941908e-01 +
                     w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  double odd = z * (6.666666666666735130e-01 +
                    w * (2.857142874366239149e-01 +
                         w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  double halfSquare = 0.5 * f * f;
  return s * (halfSquare + (even + odd)) + k * 1.90821492927058770002e-10 - halfSquare + f +
         k * 6.93147180369123816490e-01;
}

/// Sine and cosine of `x` in [-pi/4, pi/4].
inline void quarterSine(float x, float &sine, float &cosine) {
  float z = x * x;
  sine = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;
  cosine =
      ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z -
      0.5f * z + 1.0f;
}

inline void quarterSine(double x, double &sine, double &cosine) {
  double z = x * x;
  double s = 8.33333333332248946124e-03 +
             z * (-1.98412698298579493134e-04 +
                  z * (2.75573137070700676789e-06 +
                       z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  sine = x + z * x * (-1.66666666666666324348e-01 + z * s);
  double c = 4.16666666666666019037e-02 +
             z * (-1.38888888888741095749e-03 +
                  z * (2.48015872894767294178e-05 +
                       z * (-2.75573143513906633035e-07 +
                            z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  cosine = 1.0 - (0.5 * z - z * z * c);
}

/// Sine and cosine of 2 * pi * `turns` for `turns` in [0, 1) with at most 24 significant bits.
template <typename Real> inline void sineOfTurns(Real turns, Real &sine, Real &cosine) {
  constexpr Real halfPi = static_cast<Real>(1.57079632679489661923);
  Real quarters = turns * 4;
  int32_t quadrant = static_cast<int32_t>(quarters + static_cast<Real>(0.5));
  Real s, c;
  quarterSine((quarters - static_cast<Real>(quadrant)) * halfPi, s, c);
  bool swap = quadrant & 1;
  Real sineMagnitude = swap ? c : s, cosineMagnitude = swap ? s : c;
  sine = (quadrant & 2) ? -sineMagnitude : sineMagnitude;
  cosine = ((quadrant + 1) & 2) ? -cosineMagnitude : cosineMagnitude;
}

/// Two independent standard normal numbers from two random words (Box and Muller, 1958): the radius
/// from the first word, the angle from the second. |result| < 5.77, since the radius uses 24 bits.
///
/// The f64 form evaluates the same formula on the same bits in f64: an f64 tensor is the f32 tensor
/// before rounding.
template <typename Real>
inline void normalFromBits(uint32_t first, uint32_t second, Real &even, Real &odd) {
  Real radiusUniform =
      (static_cast<Real>(static_cast<int32_t>(first >> 8)) + 1) * static_cast<Real>(0x1p-24);
  Real turns = static_cast<Real>(static_cast<int32_t>(second >> 8)) * static_cast<Real>(0x1p-24);
  Real radius = std::sqrt(static_cast<Real>(-2) * logarithm(radiusUniform));
  Real sine, cosine;
  sineOfTurns(turns, sine, cosine);
  even = radius * cosine;
  odd = radius * sine;
}

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_RANDOM_BOXMULLER_H
