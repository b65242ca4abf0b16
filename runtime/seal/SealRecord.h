//===- SealRecord.h - What a sealed executable knows of itself ------------------------===//
//
// A sealed executable begins with a page that the kernel runs before anything else of the file is
// touched (FirstPage.cpp): ELF header, this record, the code, program headers. The page compares
// the file with the record and then goes to the program's own first instruction.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_SEAL_SEALRECORD_H
#define VESCALE_RUNTIME_SEAL_SEALRECORD_H

#include <cstdint>

namespace vescale::runtime {

/// Stands directly behind the ELF header; the code stands directly behind it.
struct SealRecord {
  uint64_t fileSize; // bytes of the whole file
  uint64_t checksum; // of the whole file with zero in this field
  uint64_t entry;    // address of the program's first instruction
};
constexpr uint64_t sealRecordOffset = 64;

/// The checksum's state after one more word. For a given state the word decides the result and the
/// other way round, so that a single altered word is always found.
inline uint64_t addToSeal(uint64_t state, uint64_t word) {
  state = (state ^ word) * 0xff51afd7ed558ccdull;
  return state ^ state >> 32;
}

/// The state after `count` words.
inline uint64_t addToSeal(uint64_t state, const uint64_t *words, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    state = addToSeal(state, words[i]);
  return state;
}

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_SEAL_SEALRECORD_H
