#include "compiler/tools/vescale/Command.h"

#include "compiler/tools/vescale/Terminal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace vescale::tools {

void setAction(CLI::App &command, std::function<layout::Status()> action) {
  // CLI11 calls a command back while it parses and knows no other way to fail than an exception.
  command.callback([action = std::move(action)] {
    layout::Status status = action();
    if (!status.ok())
      throw CLI::RuntimeError(status.message(), wrongInput);
  });
}

void setExitingAction(CLI::App &command, std::function<layout::StatusOr<int>()> action) {
  command.callback([action = std::move(action)] {
    layout::StatusOr<int> exitStatus = action();
    if (!exitStatus.ok())
      throw CLI::RuntimeError(exitStatus.message(), wrongInput);
    if (*exitStatus != 0)
      throw CLI::RuntimeError("", *exitStatus);
  });
}

/// The innermost command that the command line named: what a hint about --help should speak of.
static std::string chosenCommand(const CLI::App &app) {
  std::string path = app.get_name();
  const CLI::App *command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  return path;
}

/// What is wrong with the command line. CLI11 reports a misspelt command only as a missing one.
static std::string describe(const CLI::App &app, const CLI::ParseError &error) {
  const CLI::App *command = &app;
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().front();
  std::vector<std::string> rest = app.remaining(/*recurse=*/true);
  bool needsCommand = command->get_require_subcommand_min() > 0;
  if (!needsCommand || dynamic_cast<const CLI::RequiredError *>(&error) == nullptr)
    return error.what();
  std::string known;
  for (const CLI::App *one : command->get_subcommands([](const CLI::App *) { return true; }))
    known += (known.empty() ? "" : ", ") + one->get_name();
  if (rest.empty())
    return fmt::format("a command is required: {}", known);
  return fmt::format("'{}' is not a command of {}: {}", rest.front(), command->get_name(), known);
}

int runCommandLine(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) == 0)
      return 0;
    fmt::print(stderr, "{} standard output: cannot write: {}\n", paint(stderr, Colour::red, "error:"),
               std::strerror(errno));
  } catch (const CLI::Success &request) {
    return app.exit(request); // --help and --version.
  } catch (const CLI::RuntimeError &error) {
    if (error.get_exit_code() != wrongInput)
      return error.get_exit_code();
    fmt::print(stderr, "{} {}\n", paint(stderr, Colour::red, "error:"), error.what());
  } catch (const std::system_error &error) {
    // fmt::print throws it.
    fmt::print(stderr, "{} standard output: {}\n", paint(stderr, Colour::red, "error:"), error.what());
  } catch (const CLI::ParseError &error) {
    fmt::print(stderr, "{} {} (see {} --help)\n", paint(stderr, Colour::red, "error:"),
               describe(app, error), chosenCommand(app));
  }
  return wrongInput;
}

} // namespace vescale::tools
