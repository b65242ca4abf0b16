#include "runtime/train/Progress.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace vescale::runtime;
using vescale::layout::Status;

std::string vescale::runtime::formatBytes(uint64_t bytes) {
  if (bytes < 1024)
    return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  const char *unit = "";
  for (const char *next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1024)
      break;
    value /= 1024;
    unit = next;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

static std::string formatSeconds(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

std::string vescale::runtime::progressLine(const StepReport &report) {
  std::string steps = std::to_string(report.steps);
  std::string line = fmt::format("step {:>{}}/{}", report.step, steps.size(), steps);
  for (const auto &[name, value] : report.metrics)
    line += fmt::format("  {} {:.6g}", name, value);
  line += fmt::format("  lr {:.4g}", report.learningRate);
  if (report.seconds > 0)
    line +=
        fmt::format("  {:.0f} tokens/s  {}", static_cast<double>(report.tokens) / report.seconds,
                    formatSeconds(report.seconds));
  if (report.predictedSeconds > 0)
    line += fmt::format(" (predicted {})", formatSeconds(report.predictedSeconds));
  return line + fmt::format("  memory {} planned, {} used", formatBytes(report.plannedBytes),
                            formatBytes(report.usedBytes));
}

std::vector<std::pair<std::string, double>> vescale::runtime::metricsOf(const StepReport &report) {
  std::vector<std::pair<std::string, double>> values = {{"step", static_cast<double>(report.step)}};
  values.insert(values.end(), report.metrics.begin(), report.metrics.end());
  values.push_back({"learning_rate", report.learningRate});
  values.push_back({"step_seconds", report.seconds});
  if (report.predictedSeconds > 0)
    values.push_back({"predicted_step_seconds", report.predictedSeconds});
  values.push_back({"tokens", static_cast<double>(report.tokens)});
  values.push_back({"planned_bytes", static_cast<double>(report.plannedBytes)});
  values.push_back({"used_bytes", static_cast<double>(report.usedBytes)});
  return values;
}

uint64_t vescale::runtime::peakMemory() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    std::istringstream words(line);
    std::string name;
    uint64_t kibibytes = 0;
    if (words >> name >> kibibytes && name == "VmHWM:")
      return kibibytes * 1024;
  }
  return 0;
}

Status vescale::runtime::printLine(std::string_view line) {
  if (std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
      std::fputc('\n', stdout) == '\n' && std::fflush(stdout) == 0)
    return Status::success();
  return Status::error(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
}
