//===- State.h - A layout inside the search for a plan ---------------------------------------===//
//
// The search numbers the parts of axes that move as one (atoms) and writes a layout as the atoms
// that cut each dim, major to minor, and a set of partial atoms. 48 bytes, compared as words.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_STATE_H
#define VESCALE_LAYOUT_REDISTRIBUTION_STATE_H

#include <array>
#include <cstdint>
#include <cstring>

namespace vescale::layout::redistribution {

inline constexpr int maxDims = 12;
inline constexpr int maxCuts = 20;
inline constexpr int maxAtoms = 64;

/// A set of atoms, one bit each.
using AtomSet = uint64_t;
inline AtomSet bit(int atom) { return AtomSet(1) << atom; }

struct State {
  /// The atoms that cut dim 0, then those that cut dim 1, and so on; 0 behind the last.
  std::array<uint8_t, maxCuts> cuts{};
  std::array<uint8_t, maxDims> count{};
  AtomSet partial = 0;
  uint8_t total = 0;
  /// Which ragged cut stands behind the others: none, that of the source (1) or target (2).
  uint8_t ragged = 0;
  /// 1 where the partial atoms have the target's reduction and the source's is another one.
  uint8_t reduction = 0;
  /// Not 0: no layout, but all those that a permutation reaches from one another (Search.cpp).
  uint8_t hub = 0;
  uint32_t zero = 0;

  int begin(int dim) const {
    int at = 0;
    for (int d = 0; d < dim; ++d)
      at += count[d];
    return at;
  }
  void insertAt(int at, int dim, uint8_t atom) {
    std::memmove(&cuts[at + 1], &cuts[at], total - at);
    cuts[at] = atom;
    ++count[dim];
    ++total;
  }
  void append(int dim, uint8_t atom) { insertAt(begin(dim) + count[dim], dim, atom); }
  /// Removes the minor-most cut of the dim.
  uint8_t pop(int dim) {
    int at = begin(dim) + count[dim] - 1;
    uint8_t atom = cuts[at];
    std::memmove(&cuts[at], &cuts[at + 1], total - at - 1);
    --count[dim];
    --total;
    cuts[total] = 0;
    return atom;
  }

  bool operator==(const State &other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
  uint64_t hash() const {
    uint64_t words[6];
    std::memcpy(words, this, sizeof words);
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint64_t word : words) {
      h = (h ^ word) * 0xbf58476d1ce4e5b9ull;
      h ^= h >> 29;
    }
    return h;
  }
};
static_assert(sizeof(State) == 48, "states are compared and hashed as six words");

} // namespace vescale::layout::redistribution

#endif
