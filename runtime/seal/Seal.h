//===- Seal.h - Executables that notice that they were damaged ---------------------===//

#ifndef VESCALE_RUNTIME_SEAL_SEAL_H
#define VESCALE_RUNTIME_SEAL_SEAL_H

#include "layout/Status.h"

#include <string>
#include <string_view>

namespace vescale::runtime {

/// A copy of a statically linked x86-64 ELF executable with a first page in front that checks the
/// file's size and checksum before anything else of it is touched (SealRecord.h). Cut short or
/// altered anywhere behind that page, it ends with one message and exit code 1; cut within the
/// page, the kernel does not start it.
///
/// The program stays at its addresses; offsets of segments and sections move, so that debuggers and
/// profilers still find its symbols. An error where it needs a dynamic loader, which would run
/// before the page does.
layout::StatusOr<std::string> seal(std::string_view executable);

/// Replaces the executable at `path` by its sealed form. Errors leave the file as it is.
layout::Status sealFile(const std::string &path);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_SEAL_SEAL_H
