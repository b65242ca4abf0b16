//===- Quantities.h - Bytes, times and lists as people read them --------------------------------===//

#ifndef VESCALE_COMPILER_REPORT_QUANTITIES_H
#define VESCALE_COMPILER_REPORT_QUANTITIES_H

#include <cstdint>
#include <string>
#include <vector>

namespace vescale {

/// `0 B`, `512 B`, `1.5 KiB`, `3.2 GiB`: binary units, two digits that count.
std::string bytesText(int64_t bytes);

/// `0`, `12.3 us`, `4.56 ms`, `1.2 s`.
std::string secondsText(double seconds);

/// `128x64`, or `scalar`.
std::string shapeText(const std::vector<int64_t> &shape);

/// A table whose columns are as wide as their widest cell. Columns whose heading begins with '>' are
/// aligned to the right; lines have no blanks at their end.
class TextTable {
public:
  explicit TextTable(std::vector<std::string> headings);
  void add(std::vector<std::string> cells);
  bool empty() const { return rows.empty(); }
  std::string str() const;

private:
  std::vector<std::string> headings;
  std::vector<bool> right;
  std::vector<std::vector<std::string>> rows;
};

} // namespace vescale

#endif // VESCALE_COMPILER_REPORT_QUANTITIES_H
