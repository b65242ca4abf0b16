/// Prints how long first plans take over many random pairs of layouts with three dims on six prime
/// axes: mean, 99th percentile and the slowest of all, in milliseconds of processor time, the share
/// of searches cut short, the gap that is left, mean of all and largest, and the slowest pair.
///
/// Usage: redistribution_times [pairs for each setting] [only settings whose name has this part]
#include "layout/Parse.h"
#include "layout/Redistribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>

using namespace vescale::layout;

namespace {

/// Layouts drawn at random: all prime parts in any order, each in a dim, partial or unused.
class Draw {
public:
  Draw(const Mesh &mesh, uint32_t seed) : mesh(mesh), random(seed) {}

  Layout layout(bool mayBePartial) {
    std::vector<Dim> dims(3);
    std::vector<SubAxis> partial, parts;
    for (int axis = 0; axis < mesh.rank(); ++axis) {
      auto orders = primeOrders(wholeAxis(mesh, axis));
      for (const SubAxis &part : orders[below(static_cast<int>(orders.size()))])
        parts.insert(parts.begin() + below(static_cast<int>(parts.size()) + 1), part);
    }
    for (const SubAxis &part : parts)
      if (mayBePartial && below(4) == 0)
        partial.push_back(part);
      else if (int place = below(4); place < 3)
        dims[place].push_back({part});
    return *Layout::get(mesh, dims, Partial{Reduction::sum, partial});
  }

private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }

  const Mesh &mesh;
  std::mt19937 random;
};

struct Setting {
  std::string name;
  const char *mesh;
  bool fromPartial, toPartial, collectivesOnly, links;
};

void measure(const Setting &setting, int pairs) {
  Mesh mesh = *parseMesh(setting.mesh);
  Draw draw(mesh, 5);
  RedistributionOptions options;
  options.collectivesOnly = setting.collectivesOnly;
  if (setting.links)
    options.links = std::make_shared<const LinkCosts>(*LinkCosts::parse(fmt::format(
        R"({{"links": [{{"axis": "{}", "latency": 1e-5, "bandwidth": 1e10}}],
             "default": {{"latency": 2e-6, "bandwidth": 1e11}}}})",
        mesh.axis(0).name)));
  const Shape shape = {46080, 46080, 46080};
  std::vector<double> times;
  int cutShort = 0;
  double gap = 0, gaps = 0;
  std::string slowest;
  for (int i = 0; i < pairs; ++i) {
    Layout from = draw.layout(setting.fromPartial), to = draw.layout(setting.toPartial);
    forgetRedistributionPlans();
    std::clock_t start = std::clock();
    auto plan = planRedistribution(from, to, shape, 2, options);
    double time = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!plan.ok()) {
      fmt::print(stderr, "{} -> {}: {}\n", from.str(), to.str(), plan.message());
      std::exit(1);
    }
    cutShort += plan->searchCutShort();
    gap = std::max(gap, plan->gap());
    gaps += plan->gap();
    if (times.empty() || time > *std::max_element(times.begin(), times.end()))
      slowest = from.str() + " -> " + to.str();
    times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (double time : times)
    sum += time;
  fmt::print("{:<61}{:>8.3f}{:>9.3f}{:>9.3f}{:>7.1f}{:>9.1f}{:>9.1f}  {}\n", setting.name,
             sum / pairs, times[pairs * 99 / 100], times.back(), 100.0 * cutShort / pairs,
             100 * gaps / pairs, 100 * gap, slowest);
}

} // namespace

int main(int argc, char **argv) {
  int pairs = argc > 1 ? std::atoi(argv[1]) : 300;
  const char *part = argc > 2 ? argv[2] : "";
  fmt::print("{:<61}{:>8}{:>9}{:>9}{:>7}{:>9}{:>9}  {}\n", "setting", "mean ms", "99 % ms",
             "most ms", "cut %", "gap %", "most %", "slowest pair");
  for (const char *mesh : {"a=2,b=2,c=2,d=2,e=2,f=2", "x=8,y=8", "x=12,y=6,z=2", "x=64"})
    for (auto [fromPartial, toPartial] : {std::pair(false, false), {true, false}, {true, true}})
      for (bool links : {false, true})
        for (bool collectivesOnly : {false, true}) {
          Setting setting = {fmt::format("{}{}{}{}{}", mesh, fromPartial ? " from partial" : "",
                                         toPartial ? " to partial" : "", links ? " seconds" : "",
                                         collectivesOnly ? " collectives" : ""),
                             mesh,
                             fromPartial,
                             toPartial,
                             collectivesOnly,
                             links};
          if (setting.name.find(part) != std::string::npos)
            measure(setting, pairs);
        }
}
