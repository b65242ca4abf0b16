#include "compiler/tools/vescale/Layout.h"

namespace vescale::tools {

void addLayoutCommands(CLI::App &app) {
  CLI::App *group = app.add_subcommand("layout", "Regions, redistributions and ragged packing");
  group->require_subcommand(1);
  group->footer(
      "Example:\n"
      "  vescale layout regions --mesh x=2,y=4 --shape 10x6 --layout '[{\"x\"}, {\"y\"}]'");
  addLayoutRegions(*group);
  addLayoutRedistribute(*group);
  addLayoutPack(*group);
}

} // namespace vescale::tools
