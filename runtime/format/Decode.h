//===- Decode.h - From the bytes of a schedule file to structures ---------===//
#ifndef VESCALE_RUNTIME_FORMAT_DECODE_H
#define VESCALE_RUNTIME_FORMAT_DECODE_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// Checks the envelope, the checksum and the FlatBuffers structure of a file, and decodes it. Says
/// nothing about whether the schedule makes sense: see verifySchedule. `data` needs no alignment.
/// Errors: not a schedule, another version, truncated, altered.
layout::StatusOr<Schedule> decodeSchedule(const uint8_t *data, uint64_t size);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_DECODE_H
