//===- Checksum.cpp - A fast 64-bit checksum ------------------------------===//
//
// Words of 8 bytes are mixed by the finaliser of MurmurHash3 (Appleby, public domain), so that
// every input bit reaches every output bit. It finds damage; it is no protection against an
// adversary, for which the verifier checks everything that the runtime relies on.
//
//===----------------------------------------------------------------------===//

#include "runtime/format/Schedule.h"

#include <cstring>

namespace {

uint64_t mix(uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdull;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ull;
  value ^= value >> 33;
  return value;
}

} // namespace

uint64_t vescale::runtime::checksum(const uint8_t *data, uint64_t size) {
  uint64_t state = mix(size + 0x9e3779b97f4a7c15ull);
  while (size > 0) {
    uint64_t word = 0;
    uint64_t bytes = size < 8 ? size : 8;
    std::memcpy(&word, data, bytes);
    state = mix(state ^ word) + 0x9e3779b97f4a7c15ull;
    data += bytes;
    size -= bytes;
  }
  return state;
}
