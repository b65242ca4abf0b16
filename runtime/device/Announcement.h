//===- Announcement.h - Declared accesses, told to the thread sanitizer ---===//
//
// Generated kernels and libraries are not instrumented. In a sanitizer build each command announces
// the bytes that it declares, and each stream has a worker of its own (WorkerPool), as the
// sanitizer takes what one thread does for ordered. So a wait that is missing is seen. In other
// builds an announcement is nothing.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_ANNOUNCEMENT_H
#define VESCALE_RUNTIME_DEVICE_ANNOUNCEMENT_H

#include "runtime/device/Device.h"

#if defined(__SANITIZE_THREAD__)
#define VESCALE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VESCALE_THREAD_SANITIZER 1
#endif
#endif

#ifdef VESCALE_THREAD_SANITIZER
extern "C" {
void __tsan_read_range(void *address, unsigned long size);
void __tsan_write_range(void *address, unsigned long size);
}
#endif

namespace vescale::runtime {

#ifdef VESCALE_THREAD_SANITIZER
constexpr bool underThreadSanitizer = true;
#else
constexpr bool underThreadSanitizer = false;
#endif

/// Tells the sanitizer that the calling thread touches these bytes now.
inline void announce([[maybe_unused]] const AccessRange &range) {
#ifdef VESCALE_THREAD_SANITIZER
  if (range.access == Access::Read)
    __tsan_read_range(range.address, range.bytes);
  else
    __tsan_write_range(range.address, range.bytes);
#endif
}

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_ANNOUNCEMENT_H
