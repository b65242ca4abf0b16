#include "layout/Wish.h"

#include "layout/Hash.h"
#include "layout/LayoutText.h"

#include <algorithm>
#include <fmt/format.h>

namespace vescale::layout {

StatusOr<Wish> Wish::get(Layout asked, std::vector<DimFreedom> freedoms,
                         std::vector<SubAxis> replicated) {
  const Mesh &mesh = asked.mesh();
  if (static_cast<int>(freedoms.size()) != asked.rank())
    return Status::error(
        fmt::format("a wish of rank {} says how open {} dims are", asked.rank(), freedoms.size()));
  for (size_t d = 0; d < freedoms.size(); ++d)
    if (freedoms[d].priority.value_or(0) < 0)
      return Status::error(
          fmt::format("dim {} has the negative priority {}", d, *freedoms[d].priority));
  std::vector<SubAxis> used = asked.usedAxes();
  for (const SubAxis &axis : replicated) {
    Status legal = checkSubAxis(mesh, axis);
    if (!legal.ok())
      return legal;
    for (const SubAxis &other : used)
      if (overlaps(axis, other))
        return Status::error(fmt::format("replicated: axis used twice: {} must stay unused, but {} "
                                         "is in use",
                                         layout::str(mesh, axis), layout::str(mesh, other)));
    used.push_back(axis);
  }
  std::sort(replicated.begin(), replicated.end());
  return Wish(std::move(asked), std::move(freedoms), std::move(replicated));
}

StatusOr<Wish> Wish::parse(const Mesh &mesh, std::string_view text) {
  TextScanner scanner(text);
  LayoutText parts;
  if (!scanLayoutText(scanner, mesh, /*isWish=*/true, parts) || !scanner.expectEnd())
    return scanner.status();
  std::vector<Dim> dims;
  std::vector<DimFreedom> freedoms;
  for (DimText &dim : parts.dims) {
    dims.push_back(std::move(dim.cuts));
    freedoms.push_back({dim.open, dim.priority});
  }
  StatusOr<Layout> asked =
      Layout::get(mesh, std::move(dims), std::move(parts.partial), std::move(parts.ragged));
  if (!asked.ok())
    return asked.status();
  return get(*asked, std::move(freedoms), std::move(parts.replicated));
}

Wish Wish::open(const Mesh &mesh, int rank) {
  return Wish(Layout::replicated(mesh, rank),
              std::vector<DimFreedom>(rank, DimFreedom{true, std::nullopt}), {});
}

Status Wish::checkGranted(const Layout &granted) const {
  if (granted.mesh() != mesh() || granted.rank() != rank())
    return Status::error(
        fmt::format("the wish is for rank {} on the mesh {}, the layout has rank {} "
                    "on the mesh {}",
                    rank(), mesh().str(), granted.rank(), granted.mesh().str()));
  for (int d = 0; d < rank(); ++d) {
    const Dim &wanted = layout.dim(d), &given = granted.dim(d);
    bool begins =
        wanted.size() <= given.size() && std::equal(wanted.begin(), wanted.end(), given.begin());
    if (!begins || (!freedom(d).open && wanted.size() != given.size()))
      return Status::error(fmt::format(
          "dim {}: {{{}}} is asked for{}, the layout has {{{}}}", d, layout::str(mesh(), wanted),
          freedom(d).open ? " at least" : " and no more", layout::str(mesh(), given)));
  }
  if (layout.partial() != granted.partial())
    return Status::error("the layout is not partial as the wish is: " + granted.str());
  if (layout.ragged() != granted.ragged())
    return Status::error("the layout is not ragged as the wish is: " + granted.str());
  for (const SubAxis &axis : replicated())
    for (const SubAxis &other : granted.usedAxes())
      if (overlaps(axis, other))
        return Status::error(fmt::format("{} must stay unused, but the layout uses {}",
                                         layout::str(mesh(), axis), layout::str(mesh(), other)));
  return Status::success();
}

size_t Wish::hash() const {
  size_t hash = layout.hash();
  for (const DimFreedom &freedom : dimFreedoms)
    hash = combineHash(combineHash(hash, freedom.open), freedom.priority.value_or(-1));
  for (const SubAxis &axis : replicatedAxes)
    hash = combineHash(combineHash(combineHash(hash, axis.axis), axis.pre), axis.size);
  return hash;
}

std::string Wish::str() const {
  std::string text = "[";
  for (int d = 0; d < rank(); ++d) {
    std::string cuts = layout::str(mesh(), layout.dim(d));
    if (freedom(d).open)
      cuts += cuts.empty() ? "?" : ", ?";
    text += fmt::format("{}{{{}}}", d ? ", " : "", cuts);
    if (freedom(d).priority)
      text += fmt::format("p{}", *freedom(d).priority);
  }
  text += "]";
  if (layout.partial())
    text += ", partial = " + layout::str(mesh(), *layout.partial());
  if (layout.ragged())
    text += ", ragged = " + layout::str(mesh(), *layout.ragged());
  for (size_t i = 0; i < replicatedAxes.size(); ++i)
    text += (i ? ", " : ", replicated = [") + layout::str(mesh(), replicatedAxes[i]);
  if (!replicatedAxes.empty())
    text += "]";
  return text;
}

} // namespace vescale::layout
