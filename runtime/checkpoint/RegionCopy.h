//===- RegionCopy.h - Between local storage and a global row-major tensor ----===//

#ifndef VESCALE_RUNTIME_CHECKPOINT_REGIONCOPY_H
#define VESCALE_RUNTIME_CHECKPOINT_REGIONCOPY_H

#include "layout/Region.h"

#include <cstdint>

namespace vescale::runtime {

/// Copies a rank's part of a tensor of global `shape` into the row-major global tensor.
void copyToGlobal(uint8_t *global, const uint8_t *local, const layout::LocalRegion &region,
                  const layout::Shape &shape, int64_t elementBytes);

/// The reverse: fills local storage from the row-major global tensor.
void copyFromGlobal(uint8_t *local, const uint8_t *global, const layout::LocalRegion &region,
                    const layout::Shape &shape, int64_t elementBytes);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_CHECKPOINT_REGIONCOPY_H
