/// Prints a table: padding, proven gap and time of ragged packing for published models.
///
/// Padding is that of the whole model: all elements of all buffers over all elements of all
/// tensors, and a gap of 0 means that no packing has less. "of" says which tensors are cut between
/// blocks of rows only. "gap" is the largest of the buffers', "ms" the most processor time that one
/// group took.
#include "bench/layout/ModelTensors.h"

#include "layout/PackingSplit.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

using namespace vescale;
using namespace vescale::bench;

static bool printRow(const char *model, const std::vector<TensorGroup> &groups, int64_t rows,
                     BlockedTensors blocked, int64_t devices, layout::PackingOrder order,
                     size_t buffers) {
  double elements = 0, padding = 0, gap = 0, milliseconds = 0;
  for (const TensorGroup &group : groups) {
    layout::PackingProblem problem = packingProblem(group, rows, blocked, devices);
    problem.order = order;
    std::clock_t start = std::clock();
    layout::StatusOr<layout::SplitPacking> split = layout::packIntoBuffers(problem, buffers);
    double time = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!split.ok()) {
      fmt::print(stderr, "{}: {}\n", group.name, split.message());
      return false;
    }
    for (const layout::PackedTensor &tensor : problem.tensors)
      elements += static_cast<double>(group.count) * tensor.elements;
    padding += static_cast<double>(group.count) * split->paddingElements;
    for (const layout::PackedBuffer &buffer : split->buffers)
      gap = std::max(gap, buffer.packing.gap);
    milliseconds = std::max(milliseconds, time);
  }
  fmt::print("{:<14}{:>5}  {:<8}{:>8}{:>8}  {:<6}{:>10.4f}{:>9.4f}{:>8.2f}\n", model, rows,
             blocked == BlockedTensors::all ? "all" : "experts", buffers, devices,
             order == layout::PackingOrder::given ? "given" : "free", 100 * padding / elements,
             100 * gap, milliseconds);
  return true;
}

int main() {
  fmt::print("{:<14}{:>5}  {:<8}{:>8}{:>8}  {:<6}{:>10}{:>9}{:>8}\n", "model", "rows", "of",
             "buffers", "devices", "order", "padding %", "gap %", "ms");
  using layout::PackingOrder;
  struct Setting {
    BlockedTensors blocked;
    PackingOrder order;
    size_t buffers;
  };
  for (const auto &[model, groups] :
       {std::pair("DeepSeek-V3", deepSeekV3()), std::pair("GPT-OSS-120B", gptOss120B())})
    for (auto [blocked, order, buffers] : {Setting{BlockedTensors::experts, PackingOrder::given, 1},
                                           Setting{BlockedTensors::experts, PackingOrder::free, 1},
                                           Setting{BlockedTensors::experts, PackingOrder::given, 3},
                                           Setting{BlockedTensors::all, PackingOrder::given, 1},
                                           Setting{BlockedTensors::all, PackingOrder::free, 1},
                                           Setting{BlockedTensors::all, PackingOrder::given, 3}})
      for (int64_t rows : {1, 16, 128})
        for (int64_t devices : {8, 16, 32, 64, 128, 256, 512, 1024})
          if (!printRow(model, groups, rows, blocked, devices, order, buffers))
            return 1;
  return 0;
}
