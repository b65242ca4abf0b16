#include "runtime/train/Training.h"

#include "runtime/train/Options.h"
#include "runtime/train/TrainingRun.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>

using namespace vescale::runtime;
using vescale::layout::Status;

/// A file that is opened while a standard stream is closed would get its number, and what is printed
/// would go into it.
static void openStandardStreams() {
  for (int stream : {0, 1, 2})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream)
      std::_Exit(1);
}

int vescale::runtime::trainMain(int argc, const char *const *argv, const TrainingImage &image) {
  openStandardStreams();
  ParsedOptions parsed = parseOptions(
      argc, argv, "Trains the model that this program was compiled from, on its data.");
  if (!parsed.options) {
    std::fputs(parsed.text.c_str(), parsed.exitCode == 0 ? stdout : stderr);
    return parsed.exitCode;
  }
  TrainingRun run(image, *parsed.options);
  Status status = run.prepare();
  if (status.ok())
    status = run.train();
  if (status.ok())
    return 0;
  std::fputs(fmt::format("error: {}\n", status.message()).c_str(), stderr);
  return 1;
}
