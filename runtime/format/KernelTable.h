//===- KernelTable.h - What a compiled model links into an executable -----===//
//
// The generated kernels of a schedule are linked into the executable as code. The compiler emits
// one table of them beside the schedule's bytes; a schedule names its kernels by index and carries
// the symbols and the checksum of the image, so that a schedule never runs with kernels of another.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_FORMAT_KERNELTABLE_H
#define VESCALE_RUNTIME_FORMAT_KERNELTABLE_H

#include <stdint.h>

extern "C" {

/// Computes the parts [begin, end) of the kernel's extent. `args` are the operands' addresses in
/// this rank's arena, `params` the scalars, both in the order of the instruction.
typedef void (*vescale_kernel)(void *const *args, const int64_t *params, int64_t begin,
                               int64_t end);

/// Defined by the object file that the compiler writes.
extern const vescale_kernel vescale_kernels[];
extern const uint64_t vescale_kernel_count;
extern const uint64_t vescale_kernels_checksum;
extern const uint8_t vescale_schedule[];
extern const uint64_t vescale_schedule_size;
}

#endif // VESCALE_RUNTIME_FORMAT_KERNELTABLE_H
