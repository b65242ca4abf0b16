//===- Watchdog.h - Ends a run whose step does not end ----------------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_WATCHDOG_H
#define VESCALE_RUNTIME_TRAIN_WATCHDOG_H

#include <cstdint>

namespace vescale::runtime {

/// While it lives, a step may take this many seconds; then the process prints one message and exits
/// with 1. The executor reports deadlocks by itself: this is for a kernel or a disk that hangs. One
/// at a time.
class Watchdog {
public:
  Watchdog(int64_t seconds, int64_t step);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_WATCHDOG_H
