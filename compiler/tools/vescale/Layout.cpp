#include "compiler/tools/vescale/Layout.h"

namespace vescale::tools {

void addLayoutCommands(CLI::App &app) {
  CLI::App *group = app.add_subcommand("layout", "Regions, redistributions and ragged packing");
  group->require_subcommand(1);
  group->footer("Example:\n"
                "  vescale layout pack --devices 4 --tensor a:12:4 --tensor b:12:4");
  addLayoutPack(*group);
}

} // namespace vescale::tools
