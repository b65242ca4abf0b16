#include "runtime/train/Training.h"

#include "runtime/train/Options.h"
#include "runtime/train/TrainingRun.h"

#include <fmt/format.h>

#include <cstdio>

using namespace vescale::runtime;
using vescale::layout::Status;

int vescale::runtime::trainMain(int argc, const char *const *argv, const TrainingImage &image) {
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
  std::fflush(stdout);
  fmt::print(stderr, "error: {}\n", status.message());
  return 1;
}
