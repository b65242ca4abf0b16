#include "runtime/train/Watchdog.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace vescale::runtime;

namespace {

/// Composed before it is needed: a signal handler can only write.
char message[128];

void expire(int) {
  ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
  _exit(written < 0 ? 2 : 1);
}

} // namespace

Watchdog::Watchdog(int64_t seconds, int64_t step) {
  std::snprintf(message, sizeof message,
                "error: step %lld did not end within %lld seconds (--timeout)\n",
                static_cast<long long>(step), static_cast<long long>(seconds));
  std::signal(SIGALRM, expire);
  alarm(static_cast<unsigned>(std::min<int64_t>(seconds, 1 << 30)));
}

Watchdog::~Watchdog() { alarm(0); }
