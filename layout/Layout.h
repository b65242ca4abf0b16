//===- Layout.h - Where the elements of a tensor lie on a mesh -------------------------------===//
//
// A layout says, for each dim of a tensor, which mesh axes cut it, major to minor, and beside that
// over which axes the value is partial and which axis cuts it raggedly. Axes that are not used
// replicate. A layout knows its mesh and its number of dims, but no sizes: what depends on them is
// asked with a shape (Legality.h, Region.h).
//
// Text form: [{"dp"}, {"tp" / 3}], partial = [sum: "pp"], ragged = {"fs", dims = 2, units = [5, 7]}
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_LAYOUT_H
#define VESCALE_LAYOUT_LAYOUT_H

#include "layout/Mesh.h"
#include "layout/RunLengths.h"
#include "layout/SubAxis.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vescale::layout {

/// Sizes of a tensor, one for each dim.
using Shape = std::vector<int64_t>;

/// One axis that cuts a dim. With interleave k > 1, what the cuts before it left is seen as
/// (k, n/k) and the axis cuts the inner part. With block b > 1 it cuts in whole blocks of b. One
/// cut has at most one of the two.
struct Cut {
  SubAxis axis;
  int64_t interleave = 1;
  int64_t block = 1;

  bool operator==(const Cut &other) const {
    return axis == other.axis && interleave == other.interleave && block == other.block;
  }
  bool operator!=(const Cut &other) const { return !(*this == other); }
};

/// The cuts of one dim, major to minor; empty where the dim is whole.
using Dim = std::vector<Cut>;

enum class Reduction { sum, max, min, prod, bitAnd, bitOr };

/// `sum`, `max`, `min`, `prod`, `and`, `or`.
std::string_view str(Reduction reduction);
/// The reduction of that name; nothing for any other word.
std::optional<Reduction> reductionNamed(std::string_view name);

/// The global value is the reduction of the local ones over these axes. The axes are a set: a
/// layout keeps them in mesh order.
struct Partial {
  Reduction reduction = Reduction::sum;
  std::vector<SubAxis> axes;

  bool operator==(const Partial &other) const {
    return reduction == other.reduction && axes == other.axes;
  }
  bool operator!=(const Partial &other) const { return !(*this == other); }
};

/// The first `dims` dims of what the cuts left on a device, flattened row-major, are cut by `axis`
/// in proportion to `units`, one unit for each index of the axis.
struct Ragged {
  SubAxis axis;
  int dims = 0;
  RunLengths units;

  bool operator==(const Ragged &other) const {
    return axis == other.axis && dims == other.dims && units == other.units;
  }
  bool operator!=(const Ragged &other) const { return !(*this == other); }
};

/// An immutable layout; copies share their state.
class Layout {
public:
  /// The layout of a scalar on the mesh of one device.
  Layout();

  /// Checks everything that no shape is needed for: sub-axes divide their axes, no axis is used
  /// twice, interleave and block counts are positive, the units are one per index, not negative,
  /// and not all 0. A partial without axes is no partial.
  static StatusOr<Layout> get(Mesh mesh, std::vector<Dim> dims,
                              std::optional<Partial> partial = std::nullopt,
                              std::optional<Ragged> ragged = std::nullopt);
  /// The same without the checks, for searches that only rearrange parts of legal layouts.
  static Layout fromChecked(Mesh mesh, std::vector<Dim> dims,
                            std::optional<Partial> partial = std::nullopt,
                            std::optional<Ragged> ragged = std::nullopt);
  static Layout replicated(Mesh mesh, int rank);
  /// The same as parseLayout in layout/Parse.h.
  static StatusOr<Layout> parse(const Mesh &mesh, std::string_view text);

  const Mesh &mesh() const { return storage->mesh; }
  int rank() const { return static_cast<int>(storage->dims.size()); }
  const std::vector<Dim> &dims() const { return storage->dims; }
  const Dim &dim(int index) const { return storage->dims[index]; }
  const std::optional<Partial> &partial() const { return storage->partial; }
  const std::optional<Ragged> &ragged() const { return storage->ragged; }

  bool isReplicated() const;
  /// All axes in use: those of the dims in order, then partial, then ragged.
  std::vector<SubAxis> usedAxes() const;
  /// The axes that cut: those of the dims in order, then the ragged one.
  std::vector<SubAxis> shardingAxes() const;
  /// The parts of all axes that are not used, in mesh order: those that replicate.
  std::vector<SubAxis> unusedAxes() const;

  bool operator==(const Layout &other) const {
    return storage == other.storage || (storage->hash == other.storage->hash && equals(other));
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }
  size_t hash() const { return storage->hash; }

  /// The text form; parseLayout reads it back to an equal layout.
  std::string str() const;

private:
  struct Storage {
    Mesh mesh;
    std::vector<Dim> dims;
    std::optional<Partial> partial;
    std::optional<Ragged> ragged;
    size_t hash = 0;
  };

  explicit Layout(std::shared_ptr<const Storage> storage) : storage(std::move(storage)) {}
  bool equals(const Layout &other) const;

  std::shared_ptr<const Storage> storage;
};

/// The text of one cut (`"x":(1)2 / 3`), of a dim without its braces, of a partial with its
/// brackets, and of a ragged part with its braces.
std::string str(const Mesh &mesh, const Cut &cut);
std::string str(const Mesh &mesh, const Dim &dim);
std::string str(const Mesh &mesh, const Partial &partial);
std::string str(const Mesh &mesh, const Ragged &ragged);

} // namespace vescale::layout

namespace std {
template <> struct hash<vescale::layout::Layout> {
  size_t operator()(const vescale::layout::Layout &layout) const { return layout.hash(); }
};
template <> struct hash<vescale::layout::Mesh> {
  size_t operator()(const vescale::layout::Mesh &mesh) const { return mesh.hash(); }
};
} // namespace std

#endif
