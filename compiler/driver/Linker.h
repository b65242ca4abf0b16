//===- Linker.h - a schedule, its kernels and the runtime as one file -*- C++ -*-===//

#ifndef VESCALE_COMPILER_DRIVER_LINKER_H
#define VESCALE_COMPILER_DRIVER_LINKER_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace vescale {

/// Links an executable that runs `schedule` with the kernels that `object`, a relocatable ELF file,
/// defines. `archive` is libvescale_training.a; empty: looked for beside the running program. The file
/// is written to a temporary name and renamed, so that `output` is never half an executable.
layout::Status linkExecutable(const runtime::Schedule &schedule, llvm::StringRef object,
                              const std::string &archive, const std::string &output);

/// The assembly source of the symbols of runtime/format/KernelTable.h; the schedule's bytes are those of
/// the file `scheduleFile`.
std::string kernelTableSource(const runtime::Schedule &schedule, llvm::StringRef scheduleFile);

} // namespace vescale

#endif // VESCALE_COMPILER_DRIVER_LINKER_H
