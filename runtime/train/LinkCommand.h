//===- LinkCommand.h - How a training executable is linked ---------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_LINKCOMMAND_H
#define VESCALE_RUNTIME_TRAIN_LINKCOMMAND_H

#include <string>
#include <vector>

namespace vescale::runtime {

/// The command, as arguments, that links a training executable: one file that needs no other. It is
/// linked statically so that sealFile, which comes next, can make it check itself: a dynamic loader
/// would read all over the file before.
///
/// \param objects what the compiler wrote: they define the symbols of KernelTable.h.
/// \param archive libvescale_training.a, the target //runtime:training_runtime; it has `main`.
/// Needs g++ and the static libraries of libc6-dev, libopenblas-pthread-dev and libxsmm-dev.
std::vector<std::string> linkCommand(const std::vector<std::string> &objects,
                                     const std::string &archive, const std::string &output);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_LINKCOMMAND_H
