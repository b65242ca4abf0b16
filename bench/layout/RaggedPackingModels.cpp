/// Prints a table: padding, proven bound and time of ragged packing for published models.
///
/// Padding is that of the whole model: all elements of all buffers over all elements of all
/// tensors. "gap" is the largest of the groups', "ms" the most processor time that one group took.
#include "bench/layout/ModelTensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

using namespace vescale;
using namespace vescale::bench;

static bool printRow(const char *model, const std::vector<TensorGroup> &groups, int64_t rows,
                     BlockedTensors blocked, int64_t devices, layout::PackingOrder order) {
  double elements = 0, padding = 0, gap = 0, milliseconds = 0;
  for (const TensorGroup &group : groups) {
    layout::PackingProblem problem = packingProblem(group, rows, blocked, devices);
    problem.order = order;
    std::clock_t start = std::clock();
    layout::StatusOr<layout::PackingResult> result = layout::packTensors(problem);
    double time = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!result.ok()) {
      fmt::print(stderr, "{}: {}\n", group.name, result.message());
      return false;
    }
    for (const layout::PackedTensor &tensor : problem.tensors)
      elements += static_cast<double>(group.count) * tensor.elements;
    padding += static_cast<double>(group.count) * result->paddingElements;
    gap = std::max(gap, result->gap);
    milliseconds = std::max(milliseconds, time);
  }
  fmt::print("{:<14}{:>6}  {:<8}{:>8}  {:<6}{:>11.4f}{:>11.4f}{:>9.2f}\n", model, rows,
             blocked == BlockedTensors::all ? "all" : "experts", devices,
             order == layout::PackingOrder::given ? "given" : "free", 100 * padding / elements,
             100 * gap, milliseconds);
  return true;
}

int main() {
  fmt::print("{:<14}{:>6}  {:<8}{:>8}  {:<6}{:>11}{:>11}{:>9}\n", "model", "rows", "of", "devices",
             "order", "padding %", "gap %", "ms");
  for (const auto &[model, groups] :
       {std::pair("DeepSeek-V3", deepSeekV3()), std::pair("GPT-OSS-120B", gptOss120B())})
    for (auto blocked : {BlockedTensors::experts, BlockedTensors::all})
      for (auto order : {layout::PackingOrder::given, layout::PackingOrder::free})
        for (int64_t rows : {1, 16, 128})
          for (int64_t devices : {8, 16, 32, 64, 128, 256, 512, 1024})
            if (!printRow(model, groups, rows, blocked, devices, order))
              return 1;
  return 0;
}
