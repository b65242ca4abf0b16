//===- CountAllocations.cpp - How often a process asks for memory ------------------------------===//
//
// Stands before the C library's functions of the same names, which glibc has under other names too.
//
//===-----------------------------------------------------------------------------------------===//

#include "tests/e2e/scale/CountAllocations.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace {
std::atomic<int64_t> count{0};
}

extern "C" {

void *__libc_malloc(size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

void *malloc(size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}

void *realloc(void *memory, size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(memory, bytes);
}
}

double allocations() { return static_cast<double>(count.load(std::memory_order_relaxed)); }
