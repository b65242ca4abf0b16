//===- ScaleBench.cpp - Compile time over depth and over the size of the mesh ---------------------===//
//
// A GPT of 12, 24, 48 and 96 layers goes through all stages up to the schedule, runs of all depths one
// after the other, several times; each pass's median and its growth exponent (the slope of log time over
// log layers, least squares) are printed. Then the deepest one for 16 and for 16,384 devices.
//
// Budgets: 96 layers in 10 s and 2 GiB on one core, exponent under 1.1, the same time within 10 % for both
// meshes, and kernels that do not grow with depth.
//
//   scale_bench [RUNS] [MOST LAYERS] [WIDTH]
//
// 7 runs, 96 layers, and a second mesh of 128 x 128 devices unless given; a width of 0 leaves it out.
//
//===-----------------------------------------------------------------------------------------===//

#include "bench/compiler/PassCosts.h"
#include "bench/compiler/ScaleModel.h"
#include "compiler/report/Quantities.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <sys/resource.h>

using namespace vescale;
using namespace vescale::bench;

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The slope of log y over log x.
double exponent(const std::vector<double> &x, const std::vector<double> &y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    double lx = std::log(x[i]), ly = std::log(std::max(y[i], 1e-9));
    sx += lx;
    sy += ly;
    sxx += lx * lx;
    sxy += lx * ly;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// The times of one configuration over all runs.
struct Samples {
  std::map<std::string, std::vector<double>> passes;
  std::vector<double> total;
  Compilation last;
};

bool sample(const std::string &model, const std::string &plan, Samples &samples,
            std::vector<std::string> &order) {
  std::optional<Compilation> run = compileToSchedule(model, plan, processSeconds);
  if (!run)
    return false;
  for (const PassCost &time : run->passes) {
    samples.passes[time.pass].push_back(time.cost);
    if (std::find(order.begin(), order.end(), time.pass) == order.end())
      order.push_back(time.pass);
  }
  samples.total.push_back(run->cost);
  samples.last = std::move(*run);
  return true;
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", seconds * 1e3);
  return text;
}

std::string twoDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

void printDepths(const std::vector<int64_t> &layers, std::vector<Samples> &samples,
                 const std::vector<std::string> &order) {
  std::vector<std::string> headings = {"milliseconds"};
  std::vector<double> x;
  for (int64_t depth : layers) {
    headings.push_back(">" + std::to_string(depth) + " layers");
    x.push_back(static_cast<double>(depth));
  }
  headings.push_back(">exponent");
  TextTable table(headings);
  auto row = [&](const std::string &name, auto &&values) {
    std::vector<std::string> cells = {name};
    std::vector<double> y;
    for (Samples &one : samples) {
      y.push_back(median(values(one)));
      cells.push_back(milliseconds(y.back()));
    }
    cells.push_back(layers.size() > 1 ? twoDigits(exponent(x, y)) : "");
    table.add(cells);
  };
  for (const std::string &pass : order)
    row(pass, [&](Samples &one) { return one.passes[pass]; });
  row("all", [](Samples &one) { return one.total; });
  auto counts = [&](const char *name, auto &&count) {
    std::vector<std::string> cells = {name};
    for (Samples &one : samples)
      cells.push_back(std::to_string(count(one)));
    table.add(cells);
  };
  counts("ops of the step", [](Samples &one) { return one.last.ops; });
  counts("distinct kernels", [](Samples &one) { return one.last.kernels; });
  std::printf("%s\n", table.str().c_str());
}

} // namespace

int main(int argc, char **argv) {
  int runs = argc > 1 ? std::atoi(argv[1]) : 7;
  int64_t most = argc > 2 ? std::atoll(argv[2]) : 96;
  int64_t width = argc > 3 ? std::atoll(argv[3]) : 128;
  if (runs < 1 || most < 1 || width < 0) {
    std::fprintf(stderr, "usage: scale_bench [RUNS] [MOST LAYERS] [WIDTH]\n");
    return 2;
  }
  ScalePlan small(4, 4, Sizes::even), large(width, width, Sizes::even);
  std::vector<int64_t> layers;
  for (int64_t depth : {12, 24, 48, 96})
    if (depth <= most)
      layers.push_back(depth);
  if (layers.empty())
    layers.push_back(most);
  std::vector<std::string> order, meshOrder;
  std::vector<Samples> depths(layers.size());
  Samples wide;
  bool good = true;
  for (int run = 0; run < runs && good; ++run) {
    for (size_t i = 0; i < layers.size() && good; ++i)
      good = sample(scaleModel(layers[i], Sizes::even), small.path(), depths[i], order);
    if (good && width > 0)
      good = sample(scaleModel(layers.back(), Sizes::even), large.path(), wide, meshOrder);
  }
  if (!good)
    return 1;

  std::printf("GPT to schedule, time of one core, medians of %d runs, 16 devices\n", runs);
  printDepths(layers, depths, order);
  TextTable table({"milliseconds", ">16 devices", ">" + std::to_string(width * width) + " devices", ">ratio"});
  auto row = [&](const std::string &name, const std::vector<double> &a, const std::vector<double> &b) {
    double left = median(a), right = median(b);
    table.add({name, milliseconds(left), milliseconds(right), twoDigits(right / std::max(left, 1e-9))});
  };
  for (const std::string &pass : meshOrder)
    row(pass, depths.back().passes[pass], wide.passes[pass]);
  if (width > 0) {
    row("all", depths.back().total, wide.total);
    std::printf("%lld layers on two meshes\n%s\n", static_cast<long long>(layers.back()), table.str().c_str());
  }
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("Peak memory of the process: %s\n", bytesText(int64_t(usage.ru_maxrss) * 1024).c_str());
  return 0;
}
