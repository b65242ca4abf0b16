//===- Convert.h - Half-precision numbers to f32 and back -----------------===//

#ifndef VESCALE_RUNTIME_LIBRARY_CONVERT_H
#define VESCALE_RUNTIME_LIBRARY_CONVERT_H

#include "runtime/format/Schedule.h"

#include <cstdint>

namespace vescale::runtime {

/// out[i] = in[i] for `count` elements of type BF16, F16 or F32.
void convertToFloat(float *out, const void *in, ElementType type, int64_t count);

/// out[i] = in[i], rounded to nearest even in the type of `out` (BF16, F16 or F32); not-a-numbers
/// stay so.
void convertFromFloat(void *out, ElementType type, const float *in, int64_t count);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_CONVERT_H
