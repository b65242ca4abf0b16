#include "compiler/tools/vescale/LayoutPicture.h"

#include "compiler/tools/vescale/LayoutArguments.h"
#include "compiler/tools/vescale/Terminal.h"

#include "layout/Legality.h"
#include "layout/Owner.h"
#include "layout/Placement.h"
#include "layout/Region.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace vescale::tools {

using namespace vescale::layout;

namespace {

constexpr int64_t rowLimit = 24;
constexpr int64_t widthLimit = 72;
constexpr size_t legendLimit = 32;

/// Ranks that hold the same elements.
struct Holders {
  std::vector<int64_t> ranks;
  std::vector<Box> boxes;
  Shape localShape;
};

std::vector<Holders> holdersOf(const Layout &layout, const Shape &shape) {
  const Mesh &mesh = layout.mesh();
  std::vector<Holders> all;
  std::map<std::vector<Box>, size_t> known;
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    Coordinate coordinate = mesh.coordinate(position);
    std::vector<Box> boxes = region(layout, shape, coordinate);
    auto [entry, isNew] = known.try_emplace(boxes, all.size());
    if (isNew)
      all.push_back({{}, boxes, localShape(layout, shape, coordinate)});
    all[entry->second].ranks.push_back(mesh.deviceId(position));
  }
  return all;
}

/// `0-3, 8`.
std::string describeRanks(std::vector<int64_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  std::string text;
  for (size_t first = 0, last; first < ranks.size(); first = last + 1) {
    for (last = first; last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1;)
      ++last;
    text += text.empty() ? "" : ", ";
    text += first == last ? fmt::format("{}", ranks[first])
                          : fmt::format("{}-{}", ranks[first], ranks[last]);
  }
  return text;
}

std::string drawGrid(const Layout &layout, const Shape &shape, const std::vector<Holders> &all) {
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = elementCount(shape) / columns;
  int64_t cell = 0;
  std::map<int64_t, size_t> holdersOfRank;
  for (size_t i = 0; i < all.size(); ++i)
    for (int64_t rank : all[i].ranks) {
      holdersOfRank[rank] = i;
      cell = std::max<int64_t>(cell, fmt::formatted_size("{} ", rank));
    }
  int64_t drawnRows = std::min(rows, rowLimit);
  int64_t drawnColumns = std::min(columns, widthLimit / cell);

  std::string text;
  for (int64_t row = 0; row < drawnRows; ++row) {
    text += "  ";
    for (int64_t column = 0; column < drawnColumns; ++column) {
      // The element in the middle of what the cell stands for.
      int64_t flatRow = (2 * row + 1) * rows / (2 * drawnRows);
      std::vector<int64_t> element(shape.size());
      for (size_t dim = shape.size(); dim-- > 0;) {
        bool isLast = dim + 1 == shape.size();
        element[dim] =
            isLast ? (2 * column + 1) * columns / (2 * drawnColumns) : flatRow % shape[dim];
        if (!isLast)
          flatRow /= shape[dim];
      }
      int64_t position = layout.mesh().position(owner(layout, shape, element));
      size_t holders = holdersOfRank[layout.mesh().deviceId(position)];
      text += paintBox(stdout, holders, fmt::format("{:<{}}", all[holders].ranks.front(), cell));
    }
    text += "\n";
  }
  if (drawnRows < rows || drawnColumns < columns)
    text += fmt::format("  ({} x {} cells stand for {} x {} elements)\n", drawnRows, drawnColumns,
                        rows, columns);
  return text;
}

} // namespace

std::string drawLayout(const Layout &layout, const Shape &shape) {
  std::vector<Holders> all = holdersOf(layout, shape);
  std::string text =
      fmt::format("{} on mesh {} as {}", describeShape(shape), layout.mesh().str(), layout.str());
  if (StatusOr<Placements> placements = placementsOf(layout); placements.ok())
    text += " = " + str(*placements);
  text += "\n";
  if (elementCount(shape) == 0)
    text += "  (no elements)\n";
  else
    text += drawGrid(layout, shape, all);

  for (size_t i = 0; i < std::min(all.size(), legendLimit); ++i) {
    const auto &[ranks, boxes, local] = all[i];
    std::string held = boxes.empty() ? "nothing" : describeShape(local);
    for (size_t b = 0; b < std::min(boxes.size(), size_t(3)); ++b)
      held += (b ? " " : " at ") + str(boxes[b]);
    if (boxes.size() > 3)
      held += fmt::format(" and {} more boxes", boxes.size() - 3);
    std::string label = fmt::format("rank{} {}", ranks.size() > 1 ? "s" : "", describeRanks(ranks));
    text += fmt::format("  {}: {}\n", paintBox(stdout, i, label), held);
  }
  if (all.size() > legendLimit)
    text += fmt::format("  ... and {} more; --json prints all\n", all.size() - legendLimit);
  if (layout.partial())
    text += fmt::format("  partial {}: the value is what the ranks hold, reduced over these axes\n",
                        str(layout.mesh(), *layout.partial()));
  return text;
}

} // namespace vescale::tools
