//===- RankClass.h - The distinct local programs of a mesh -----------------------------------===//
//
// Two devices are of one class when every tensor of a program has the same local shape on both.
// The classes come from the layouts: an even cut gives all indices one length and is never looked
// at again; an uneven one gives at most three, so an axis falls into few ranges of equal indices.
// The classes are found on the grid of these ranges, whose size does not depend on the number of
// devices. Where two tensors cut the same axis unevenly by parts that overlap, that axis is looked
// at index by index.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_RANKCLASS_H
#define VESCALE_LAYOUT_RANKCLASS_H

#include "layout/Layout.h"

#include <vector>

namespace vescale::layout {

struct PlacedTensor {
  Layout layout;
  Shape shape;
};

class RankClasses {
public:
  struct Class {
    /// The member with the smallest position.
    Coordinate representative;
    int64_t devices = 0;
  };

  /// Ranges of equal indices along one part of an axis: range r begins at starts[r].
  struct Ranges {
    SubAxis part;
    std::vector<int64_t> starts;
  };

  /// Fails where a layout is on another mesh or not legal for its shape.
  static StatusOr<RankClasses> get(Mesh mesh, const std::vector<PlacedTensor> &tensors);

  const Mesh &mesh() const { return deviceMesh; }
  /// In ascending order of the representative, so that class 0 contains position 0.
  const std::vector<Class> &classes() const { return found; }
  int64_t size() const { return static_cast<int64_t>(found.size()); }
  int64_t classOf(const Coordinate &coordinate) const;

  /// The compact map from coordinates to classes: ranges() in mesh order span a row-major grid, and
  /// table() holds the class of each of its cells. Parts that no range mentions do not matter.
  const std::vector<Ranges> &ranges() const { return axes; }
  const std::vector<int64_t> &table() const { return cells; }

private:
  explicit RankClasses(Mesh mesh) : deviceMesh(std::move(mesh)) {}

  Mesh deviceMesh;
  std::vector<Class> found;
  std::vector<Ranges> axes;
  std::vector<int64_t> cells;
};

} // namespace vescale::layout

#endif
