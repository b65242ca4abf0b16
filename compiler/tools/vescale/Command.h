/// What the commands of `vescale` share: how one is run and how it fails.
///
/// A command is a function that adds itself to the command line:
///
///     void addLayoutPack(CLI::App &parent) {
///       auto options = std::make_shared<Options>();
///       CLI::App *command = parent.add_subcommand("pack", "Pack tensors into equal shards");
///       command->add_option("--devices", options->devices, "...")->required();
///       setAction(*command, [options] { return run(*options); });
///     }
///
/// Main.cpp (or the command's group) names it once. Wrong input is a Status whose message names the
/// part and why; it is printed as one line and ends the program with status 2.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_COMMAND_H
#define VESCALE_COMPILER_TOOLS_VESCALE_COMMAND_H

#include "layout/Status.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace vescale::tools {

/// The exit status of every failure that a person can correct.
constexpr int wrongInput = 2;

/// Lets `command` run `action` when the command line names it.
void setAction(CLI::App &command, std::function<layout::Status()> action);

/// The same for an action that succeeds with an exit status of its own: 1, say, where it found a
/// difference, which it has printed.
void setExitingAction(CLI::App &command, std::function<layout::StatusOr<int>()> action);

/// Parses the command line and runs the action of the command that it names. Returns the program's
/// exit status: 0, that of the action, or `wrongInput` after one message on the error stream.
int runCommandLine(CLI::App &app, int argc, char **argv);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_COMMAND_H
