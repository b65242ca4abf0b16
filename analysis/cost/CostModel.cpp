//===- CostModel.cpp - What computing and moving cost, in seconds ----------------------------===//

#include "analysis/cost/CostModel.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vescale::analysis {

CostModel::CostModel() : rates{{"f32", 2e10}}, memoryBandwidth(2e10) {
  options.links = std::make_shared<const layout::LinkCosts>(
      layout::Link{/*latency=*/1.6e-6, /*bandwidth=*/1e10},
      std::map<std::string, layout::Link, std::less<>>());
}

CostModel::CostModel(Cluster cluster)
    : rates(std::move(cluster.rates)), memoryBandwidth(cluster.memoryBandwidth) {
  options.links = std::move(cluster.links);
}

layout::StatusOr<CostModel> CostModel::read(const std::string &path) {
  if (path.empty())
    return CostModel();
  layout::StatusOr<Cluster> cluster = Cluster::read(path);
  if (!cluster.ok())
    return cluster.status();
  return CostModel(std::move(*cluster));
}

double CostModel::pointSeconds(int64_t elementBytes) const {
  static constexpr std::array<std::pair<int64_t, const char *>, 5> types = {
      {{8, "f64"}, {4, "f32"}, {2, "bf16"}, {2, "f16"}, {1, "i8"}}};
  for (auto [bytes, name] : types)
    if (auto rate = rates.find(name); bytes == elementBytes && rate != rates.end())
      return 2 / rate->second;
  // A type without a rate of its own is computed as fast as the slowest that has one.
  double slowest = rates.begin()->second;
  for (const auto &[type, rate] : rates)
    slowest = std::min(slowest, rate);
  return 2 / slowest;
}

} // namespace vescale::analysis
