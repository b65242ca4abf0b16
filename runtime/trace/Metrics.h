//===- Metrics.h - One JSON object a line --------------------------------------===//

#ifndef VESCALE_RUNTIME_TRACE_METRICS_H
#define VESCALE_RUNTIME_TRACE_METRICS_H

#include "layout/Status.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vescale::runtime {

/// A file of JSON lines, e.g. {"step": 3, "loss": 2.5}. Each line is written whole and at once, so
/// that a reader can follow while training runs. Numbers are written so that they read back
/// exactly; numbers that JSON does not have become null.
class Metrics {
public:
  /// Starts the file anew. Errors name the path and the reason of the system.
  static layout::StatusOr<Metrics> open(const std::string &path);

  /// Appends a line. Where that fails the file ends with the line before.
  layout::Status write(const std::vector<std::pair<std::string, double>> &values);

private:
  struct Close {
    void operator()(FILE *file) const { fclose(file); }
  };
  std::unique_ptr<FILE, Close> file;
  std::string path;
  int64_t written = 0; // bytes of whole lines
};

/// The text of one line, without its end.
std::string metricsLine(const std::vector<std::pair<std::string, double>> &values);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRACE_METRICS_H
