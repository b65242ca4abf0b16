//===- MovePrices.h - What redistributions cost, remembered -----------------------------------===//
//
// Settling asks for the same few prices again and again: layers repeat. Layouts and shapes get
// numbers here, in canonical form, so that equal layouts have equal numbers and a price is one
// look-up.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_MOVEPRICES_H
#define VESCALE_PASSES_PLACEMENT_MOVEPRICES_H

#include "analysis/cost/CostModel.h"
#include "layout/Layout.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace vescale {

class MovePrices {
public:
  explicit MovePrices(analysis::CostModel costs) : costs(std::move(costs)) {}

  int shapeNumber(const layout::Shape &shape);
  const layout::Shape &shape(int number) const { return shapes[number]; }
  /// Layouts that store the same elements at the same places have the same number.
  int layoutNumber(const layout::Layout &layout, int shape);
  const layout::Layout &layout(int number) const { return layouts[number]; }
  bool isPartial(int number) const { return layouts[number].partial().has_value(); }

  /// Seconds of the redistribution, infinite where there is none. What every device writes to
  /// make a value partial counts too, though nothing is sent.
  double seconds(int from, int to, int shape, int64_t elementBytes);

  const analysis::CostModel &model() const { return costs; }

private:
  double plan(int from, int to, int shape, int64_t elementBytes) const;

  analysis::CostModel costs;
  std::map<layout::Shape, int> shapeNumbers;
  std::vector<layout::Shape> shapes;
  /// By layout as written and shape.
  struct Written {
    layout::Layout layout;
    int shape;
    bool operator==(const Written &other) const {
      return shape == other.shape && layout == other.layout;
    }
  };
  struct WrittenHash {
    size_t operator()(const Written &written) const {
      return written.layout.hash() * 31 + static_cast<size_t>(written.shape);
    }
  };
  std::unordered_map<Written, int, WrittenHash> writtenNumbers;
  std::unordered_map<layout::Layout, int> canonicalNumbers;
  std::vector<layout::Layout> layouts;
  llvm::DenseMap<std::pair<std::pair<int, int>, std::pair<int, int>>, double> prices;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_MOVEPRICES_H
