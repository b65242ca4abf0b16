//===- Hash.h - One way to mix hashes --------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_HASH_H
#define VESCALE_LAYOUT_HASH_H

#include <cstddef>
#include <cstdint>

namespace vescale::layout {

/// Mixes `value` into `seed` (the finaliser of SplitMix64), sensitive to order.
inline size_t combineHash(size_t seed, uint64_t value) {
  uint64_t x = seed + 0x9e3779b97f4a7c15ull + value;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return static_cast<size_t>(x ^ (x >> 31));
}

} // namespace vescale::layout

#endif
