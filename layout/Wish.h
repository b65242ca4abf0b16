//===- Wish.h - What a user asks of a layout -------------------------------------------------===//
//
// A layout with freedom: dims that may be cut further, priorities of who decides first, axes that
// must stay unused. Never in a type.
//
// Text form: [{"a", ?}p0, {?}p1, {}], partial = [sum: "b"], replicated = ["tp"]
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_WISH_H
#define VESCALE_LAYOUT_WISH_H

#include "layout/Layout.h"

namespace vescale::layout {

/// How far one dim is decided. A smaller priority decides first; without one, a dim comes last.
struct DimFreedom {
  bool open = false;
  std::optional<int64_t> priority;

  bool operator==(const DimFreedom &other) const {
    return open == other.open && priority == other.priority;
  }
};

class Wish {
public:
  /// `asked` is what is asked for, with one freedom for each of its dims. Fails where the counts
  /// differ, a priority is negative, or a replicated axis is used or listed twice.
  static StatusOr<Wish> get(Layout asked, std::vector<DimFreedom> freedoms,
                            std::vector<SubAxis> replicated = {});
  static StatusOr<Wish> parse(const Mesh &mesh, std::string_view text);
  /// Nothing is asked: every dim is open.
  static Wish open(const Mesh &mesh, int rank);

  const Mesh &mesh() const { return layout.mesh(); }
  int rank() const { return layout.rank(); }
  const Layout &asked() const { return layout; }
  const std::vector<DimFreedom> &freedoms() const { return dimFreedoms; }
  const DimFreedom &freedom(int dim) const { return dimFreedoms[dim]; }
  /// The axes that must stay unused, in mesh order.
  const std::vector<SubAxis> &replicated() const { return replicatedAxes; }

  /// Fails, with the dim or axis, unless the layout grants the wish: closed dims as they are, open
  /// ones cut at least so, partial and ragged as asked, and the replicated axes unused.
  Status checkGranted(const Layout &layout) const;

  bool operator==(const Wish &other) const {
    return layout == other.layout && dimFreedoms == other.dimFreedoms &&
           replicatedAxes == other.replicatedAxes;
  }
  bool operator!=(const Wish &other) const { return !(*this == other); }
  size_t hash() const;

  /// The text form; parse reads it back to an equal wish.
  std::string str() const;

private:
  Wish(Layout layout, std::vector<DimFreedom> freedoms, std::vector<SubAxis> replicated)
      : layout(std::move(layout)), dimFreedoms(std::move(freedoms)),
        replicatedAxes(std::move(replicated)) {}

  Layout layout;
  std::vector<DimFreedom> dimFreedoms;
  std::vector<SubAxis> replicatedAxes;
};

} // namespace vescale::layout

#endif
