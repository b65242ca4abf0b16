// The kernel table of the count model under the name that the runtime links against.
#include "tests/unit/runtime/CountKernels.cpp"

extern "C" {
extern const vescale_kernel vescale_kernels[];
const vescale_kernel vescale_kernels[] = {clear, differentiate, update, hang};
}
