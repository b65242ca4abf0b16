/// The commands about layouts: `vescale layout regions|redistribute|pack`.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_LAYOUT_H
#define VESCALE_COMPILER_TOOLS_VESCALE_LAYOUT_H

#include <CLI/CLI.hpp>

namespace vescale::tools {

/// Adds the group `layout` with all its commands.
void addLayoutCommands(CLI::App &app);

// One file a command; each adds itself to the group.
void addLayoutPack(CLI::App &group);
void addLayoutRedistribute(CLI::App &group);
void addLayoutRegions(CLI::App &group);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_LAYOUT_H
