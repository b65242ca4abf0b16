//===- Model.h - The commands that write models -----------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_TOOLS_VESCALE_MODEL_H
#define VESCALE_COMPILER_TOOLS_VESCALE_MODEL_H

#include <CLI/CLI.hpp>

namespace vescale::tools {

/// `vescale model gpt ...`
void addModelCommands(CLI::App &app);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_MODEL_H
