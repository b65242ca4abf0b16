#include "layout/Canonical.h"

#include "layout/Cutting.h"

namespace vescale::layout {

Layout canonical(const Layout &layout, const Shape &shape) {
  std::vector<Dim> dims(layout.rank());
  for (int d = 0; d < layout.rank(); ++d)
    dims[d] = mergeCuts(layout.dim(d), shape[d]);
  std::optional<Partial> partial;
  if (layout.partial()) {
    partial = Partial{layout.partial()->reduction, {}};
    for (const SubAxis &axis : layout.partial()->axes) {
      if (axis.size == 1)
        continue;
      if (!partial->axes.empty() && canMerge(partial->axes.back(), axis))
        partial->axes.back() = merge(partial->axes.back(), axis);
      else
        partial->axes.push_back(axis);
    }
  }
  return Layout::fromChecked(layout.mesh(), std::move(dims), std::move(partial), layout.ragged());
}

} // namespace vescale::layout
