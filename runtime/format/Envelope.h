//===- Envelope.h - What stands before the FlatBuffers root of a file -----===//
#ifndef VESCALE_RUNTIME_FORMAT_ENVELOPE_H
#define VESCALE_RUNTIME_FORMAT_ENVELOPE_H

#include <cstdint>

namespace vescale::runtime {

/// The version is raised with every change of the schema's meaning; a file of another version is
/// refused.
constexpr uint32_t formatVersion = 2;

struct Envelope {
  char magic[8] = {'V', 'E', 'S', 'C', 'A', 'L', 'E', '\0'};
  uint32_t version = formatVersion;
  uint32_t reserved = 0;
  uint64_t size = 0;     // bytes that follow the envelope
  uint64_t checksum = 0; // of those bytes
};
static_assert(sizeof(Envelope) == 32);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_ENVELOPE_H
