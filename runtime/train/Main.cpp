// Linked with a schedule and its kernels, which the compiler writes as an object file, into a
// training executable.
#include "runtime/format/KernelTable.h"
#include "runtime/train/Training.h"

int main(int argc, char **argv) {
  vescale::runtime::TrainingImage image;
  image.schedule = vescale_schedule;
  image.scheduleSize = vescale_schedule_size;
  image.kernels = {vescale_kernels, vescale_kernel_count, vescale_kernels_checksum};
  return vescale::runtime::trainMain(argc, argv, image);
}
