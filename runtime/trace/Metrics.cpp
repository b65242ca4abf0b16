#include "runtime/trace/Metrics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <unistd.h>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

std::string
vescale::runtime::metricsLine(const std::vector<std::pair<std::string, double>> &values) {
  nlohmann::ordered_json line = nlohmann::ordered_json::object();
  for (const auto &[name, value] : values) {
    // Counts shall look like counts.
    if (std::abs(value) < 0x1p53 && value == std::floor(value))
      line[name] = static_cast<int64_t>(value);
    else
      line[name] = value;
  }
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

StatusOr<Metrics> Metrics::open(const std::string &path) {
  Metrics metrics;
  metrics.path = path;
  metrics.file.reset(fopen(path.c_str(), "we"));
  if (!metrics.file)
    return Status::error(fmt::format("{}: cannot create: {}", path, std::strerror(errno)));
  return metrics;
}

Status Metrics::write(const std::vector<std::pair<std::string, double>> &values) {
  std::string line = metricsLine(values) + "\n";
  if (fwrite(line.data(), 1, line.size(), file.get()) != line.size() || fflush(file.get()) != 0) {
    Status status = Status::error(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    // Half a line would be no JSON. A pipe or a terminal cannot take it back.
    [[maybe_unused]] int ignored = ftruncate(fileno(file.get()), written);
    file.reset();
    return status;
  }
  written += static_cast<int64_t>(line.size());
  return Status::success();
}
