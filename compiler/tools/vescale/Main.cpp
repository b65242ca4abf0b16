/// The command line of veScale. Each command lives in a file of its own and is named here once.
#include "compiler/tools/vescale/Command.h"
#include "compiler/tools/vescale/Compile.h"
#include "compiler/tools/vescale/Interpret.h"
#include "compiler/tools/vescale/Layout.h"
#include "compiler/tools/vescale/Model.h"
#include "compiler/tools/vescale/Plan.h"

using namespace vescale::tools;

int main(int argc, char **argv) {
  CLI::App app{"veScale: a sharding compiler for training large models.", "vescale"};
  app.require_subcommand(1);
  app.footer("Example:\n"
             "  vescale layout regions --mesh x=2,y=4 --shape 10x6 --layout '[{\"x\"}, {\"y\"}]'");

  addCompile(app);
  addPlan(app);
  addExplain(app);
  addLayoutCommands(app);
  addModelCommands(app);
  addInterpret(app);

  return runCommandLine(app, argc, argv);
}
