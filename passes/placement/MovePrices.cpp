//===- MovePrices.cpp - What redistributions cost, remembered ---------------------------------===//

#include "passes/placement/MovePrices.h"

#include "dialects/dist/FactorLayout.h"

#include <limits>

namespace vescale {

using layout::Layout;

int MovePrices::shapeNumber(const layout::Shape &shape) {
  auto [found, added] = shapeNumbers.try_emplace(shape, static_cast<int>(shapes.size()));
  if (added)
    shapes.push_back(shape);
  return found->second;
}

int MovePrices::layoutNumber(const Layout &layout, int shape) {
  auto [found, added] = writtenNumbers.try_emplace(Written{layout, shape}, 0);
  if (!added)
    return found->second;
  Layout canonical = dist::canonicalLayout(layout, shapes[shape]);
  auto [known, first] =
      canonicalNumbers.try_emplace(canonical, static_cast<int>(layouts.size()));
  if (first)
    layouts.push_back(canonical);
  return found->second = known->second;
}

double MovePrices::seconds(int from, int to, int shape, int64_t elementBytes) {
  if (from == to)
    return 0;
  auto [found, added] = prices.try_emplace(
      {{from, to}, {shape, static_cast<int>(elementBytes)}}, 0);
  if (added)
    found->second = plan(from, to, shape, elementBytes);
  return found->second;
}

double MovePrices::plan(int from, int to, int shape, int64_t elementBytes) const {
  const Layout &before = layouts[from], &after = layouts[to];
  layout::StatusOr<layout::Plan> plan =
      layout::planRedistribution(before, after, shapes[shape], elementBytes, costs.planning());
  if (!plan.ok())
    return std::numeric_limits<double>::infinity();
  double seconds = plan->seconds();
  if (after.partial() && !before.partial()) {
    double bytes = static_cast<double>(elementBytes);
    for (int dim = 0; dim < after.rank(); ++dim) {
      bytes *= static_cast<double>(shapes[shape][dim]);
      for (const layout::Cut &cut : after.dim(dim))
        bytes /= static_cast<double>(cut.axis.size);
    }
    seconds += costs.writeSeconds(bytes);
  }
  return seconds;
}

} // namespace vescale
