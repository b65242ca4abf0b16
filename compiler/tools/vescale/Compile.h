/// `vescale compile`: from a model to a training executable.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_COMPILE_H
#define VESCALE_COMPILER_TOOLS_VESCALE_COMPILE_H

#include <CLI/CLI.hpp>

namespace vescale::tools {

void addCompile(CLI::App &parent);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_COMPILE_H
