//===- Quantities.cpp - Bytes, times and lists as people read them ------------------------------===//

#include "compiler/report/Quantities.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vescale {

std::string bytesText(int64_t bytes) {
  static constexpr const char *units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024)
    return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, units[unit]);
}

std::string secondsText(double seconds) {
  if (seconds <= 0)
    return "0";
  if (seconds < 1e-3)
    return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1)
    return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string shapeText(const std::vector<int64_t> &shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

TextTable::TextTable(std::vector<std::string> names) : headings(std::move(names)) {
  for (std::string &heading : headings) {
    right.push_back(heading.front() == '>');
    if (right.back())
      heading.erase(0, 1);
  }
}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(headings.size());
  rows.push_back(std::move(cells));
}

std::string TextTable::str() const {
  std::vector<size_t> widths;
  for (const std::string &heading : headings)
    widths.push_back(heading.size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  auto line = [&](const std::vector<std::string> &cells) {
    std::string one;
    for (size_t i = 0; i < cells.size(); ++i)
      one += right[i] ? fmt::format("  {:>{}}", cells[i], widths[i])
                      : fmt::format("  {:<{}}", cells[i], widths[i]);
    one.erase(one.find_last_not_of(' ') + 1);
    text += one + "\n";
  };
  line(headings);
  for (const auto &row : rows)
    line(row);
  return text;
}

} // namespace vescale
