//===- Philox.h - Counter-based random bits ------------------------------===//
//
// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
// (SC'11).
//
// A random tensor is a function of (seed, step, draw, global element index) and of nothing else:
// not of its layout, the mesh, the number of ranks or the vector width. Element g of a draw is lane
// g mod 4 of the block whose counter is (low 32 bits of g / 4, high 32 bits of g / 4, draw, step)
// under the key seed.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_RANDOM_PHILOX_H
#define VESCALE_RUNTIME_RANDOM_PHILOX_H

#include <array>
#include <cstdint>

namespace vescale::runtime {

/// What a draw of random numbers depends on besides the element index.
struct RandomDraw {
  uint32_t draw = 0; ///< Number of the random operation in the undistributed program.
  uint32_t step = 0; ///< Training step.
  uint64_t seed = 0; ///< The key: the run's seed.
};

/// One Philox 4x32-10 block: four 32-bit words from a 128-bit counter and a 64-bit key.
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, uint64_t key) {
  constexpr uint64_t multiplier0 = 0xD2511F53u, multiplier1 = 0xCD9E8D57u;
  constexpr uint32_t weyl0 = 0x9E3779B9u, weyl1 = 0xBB67AE85u;
  uint32_t key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = multiplier0 * counter[0];
    uint64_t product1 = multiplier1 * counter[2];
    counter = {
        static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(product1),
        static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(product0)};
    key0 += weyl0;
    key1 += weyl1;
  }
  return counter;
}

/// The 32 random bits of the element with global row-major index `element`.
inline uint32_t randomBits(const RandomDraw &draw, uint64_t element) {
  uint64_t block = element / 4;
  return philox4x32(
      {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), draw.draw, draw.step},
      draw.seed)[element % 4];
}

/// Uniform in [0, 1): the top 24 bits, exactly representable in f32 and in f64.
template <typename Real> inline Real uniformFromBits(uint32_t bits) {
  return static_cast<Real>(static_cast<int32_t>(bits >> 8)) * static_cast<Real>(0x1p-24);
}

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_RANDOM_PHILOX_H
