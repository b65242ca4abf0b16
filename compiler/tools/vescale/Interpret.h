/// `vescale interpret`: runs a module on the reference interpreter.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_INTERPRET_H
#define VESCALE_COMPILER_TOOLS_VESCALE_INTERPRET_H

#include <CLI/CLI.hpp>

namespace vescale::tools {

void addInterpret(CLI::App &app);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_INTERPRET_H
