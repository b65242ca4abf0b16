#include "tests/unit/layout/redistribution/LayoutSets.h"

#include "layout/Cutting.h"
#include "layout/Legality.h"

#include <algorithm>
#include <functional>
#include <set>

namespace vescale::layout {

/// Every way to write an axis as consecutive parts.
static std::vector<std::vector<SubAxis>> divisions(const SubAxis &part) {
  std::vector<std::vector<SubAxis>> result = {{part}};
  for (int64_t major = 2; major < part.size; ++major) {
    auto halves = split(part, major);
    if (!halves)
      continue;
    for (auto rest : divisions(halves->second)) {
      rest.insert(rest.begin(), halves->first);
      result.push_back(rest);
    }
  }
  return result;
}

namespace {

/// Puts each of some parts in every place of every dim, in the partial set, or nowhere.
class Placement {
public:
  Placement(const Mesh &mesh, const Shape &shape, std::set<std::string> &seen,
            std::vector<Layout> &layouts)
      : mesh(mesh), shape(shape), seen(seen), layouts(layouts), dims(shape.size()) {}

  void place(const std::vector<SubAxis> &parts, size_t next) {
    if (next == parts.size()) {
      add();
      return;
    }
    place(parts, next + 1);
    partial.push_back(parts[next]);
    place(parts, next + 1);
    partial.pop_back();
    for (Dim &dim : dims)
      for (size_t at = 0; at <= dim.size(); ++at) {
        dim.insert(dim.begin() + at, Cut{parts[next]});
        place(parts, next + 1);
        dim.erase(dim.begin() + at);
      }
  }

private:
  void add() {
    std::vector<Dim> merged;
    for (size_t d = 0; d < dims.size(); ++d)
      merged.push_back(mergeCuts(dims[d], shape[d]));
    std::vector<SubAxis> reduced = partial;
    std::sort(reduced.begin(), reduced.end());
    for (size_t i = 0; i + 1 < reduced.size();)
      if (canMerge(reduced[i], reduced[i + 1])) {
        reduced[i] = merge(reduced[i], reduced[i + 1]);
        reduced.erase(reduced.begin() + i + 1);
      } else {
        ++i;
      }
    auto layout = Layout::get(mesh, merged, Partial{Reduction::sum, reduced});
    if (layout.ok() && checkLegal(*layout, shape).ok() && seen.insert(layout->str()).second)
      layouts.push_back(*layout);
  }

  const Mesh &mesh;
  const Shape &shape;
  std::set<std::string> &seen;
  std::vector<Layout> &layouts;
  std::vector<Dim> dims;
  std::vector<SubAxis> partial;
};

} // namespace

std::vector<Layout> plainLayouts(const Mesh &mesh, const Shape &shape) {
  std::set<std::string> seen;
  std::vector<Layout> layouts;
  std::function<void(int, std::vector<SubAxis>)> divide = [&](int axis,
                                                              std::vector<SubAxis> parts) {
    if (axis == mesh.rank()) {
      Placement(mesh, shape, seen, layouts).place(parts, 0);
      return;
    }
    for (const auto &division : divisions(wholeAxis(mesh, axis))) {
      std::vector<SubAxis> more = parts;
      more.insert(more.end(), division.begin(), division.end());
      divide(axis + 1, more);
    }
  };
  divide(0, {});
  return layouts;
}

std::vector<Layout> specialLayouts(const Mesh &mesh, const Shape &shape) {
  std::vector<Layout> layouts = {Layout::replicated(mesh, static_cast<int>(shape.size()))};
  auto add = [&](StatusOr<Layout> layout) {
    if (layout.ok() && checkLegal(*layout, shape).ok() &&
        std::find(layouts.begin(), layouts.end(), *layout) == layouts.end())
      layouts.push_back(*layout);
  };
  int rank = static_cast<int>(shape.size());
  for (int axis = 0; axis < mesh.rank(); ++axis) {
    SubAxis whole = wholeAxis(mesh, axis);
    int other = (axis + 1) % mesh.rank();
    std::optional<Partial> sum = Partial{Reduction::sum, {whole}};
    std::optional<Partial> rest;
    if (other != axis)
      rest = Partial{Reduction::sum, {wholeAxis(mesh, other)}};
    add(Layout::get(mesh, std::vector<Dim>(rank), sum));
    for (int d = 0; d < rank; ++d) {
      for (Cut cut :
           {Cut{whole}, Cut{whole, 2}, Cut{whole, 3}, Cut{whole, 1, 2}, Cut{whole, 1, 4}}) {
        std::vector<Dim> dims(rank);
        dims[d] = {cut};
        add(Layout::get(mesh, dims));
        if (other == axis)
          continue;
        add(Layout::get(mesh, dims, rest));
        dims[d].push_back({wholeAxis(mesh, other)});
        add(Layout::get(mesh, dims));
        dims[d].pop_back();
        dims[(d + 1) % rank].push_back({wholeAxis(mesh, other)});
        add(Layout::get(mesh, dims));
      }
    }
    for (int flattened = 0; flattened <= rank; ++flattened) {
      int64_t length = 1;
      for (int d = 0; d < flattened; ++d)
        length *= shape[d];
      for (bool owner : {true, false}) {
        std::vector<int64_t> units(whole.size, owner ? 0 : 1);
        units[owner ? whole.size - 1 : 0] =
            owner ? 1 : std::max<int64_t>(length - whole.size + 1, 0);
        Ragged ragged{whole, flattened, RunLengths(units)};
        add(Layout::get(mesh, std::vector<Dim>(rank), std::nullopt, ragged));
        if (other == axis)
          continue;
        add(Layout::get(mesh, std::vector<Dim>(rank), rest, ragged));
        std::vector<Dim> dims(rank);
        dims[0] = {Cut{wholeAxis(mesh, other)}};
        add(Layout::get(mesh, dims, std::nullopt, ragged));
      }
    }
  }
  return layouts;
}

} // namespace vescale::layout
