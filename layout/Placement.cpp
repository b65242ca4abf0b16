#include "layout/Placement.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace vescale::layout {

bool Placement::operator==(const Placement &other) const {
  if (kind != other.kind)
    return false;
  switch (kind) {
  case Kind::replicate:
    return true;
  case Kind::shard:
    return dim == other.dim;
  case Kind::partial:
    return reduction == other.reduction;
  case Kind::interleavedShard:
    return dim == other.dim && interleave == other.interleave;
  case Kind::raggedShard:
    return raggedDims == other.raggedDims && units == other.units;
  }
  return false;
}

/// `(0, 1)`, and `(0,)` for one item, as Python writes tuples.
static std::string tuple(const std::string &items, int64_t count) {
  return "(" + items + (count == 1 ? ",)" : ")");
}

std::string Placement::str() const {
  switch (kind) {
  case Kind::replicate:
    return "R";
  case Kind::shard:
    return fmt::format("S({})", dim);
  case Kind::partial:
    return fmt::format("P({})", layout::str(reduction));
  case Kind::interleavedShard:
    return fmt::format("IS({}, {})", dim, interleave);
  case Kind::raggedShard: {
    std::vector<int> dims(raggedDims);
    std::iota(dims.begin(), dims.end(), 0);
    return fmt::format("RS({}, {})", tuple(fmt::format("{}", fmt::join(dims, ", ")), raggedDims),
                       tuple(units.str(), units.size()));
  }
  }
  return {};
}

std::string str(const Placements &placements) {
  std::string text;
  for (const Placement &placement : placements)
    text += (text.empty() ? "" : ", ") + placement.str();
  return "[" + text + "]";
}

StatusOr<Layout> layoutOf(const Mesh &mesh, int rank, const Placements &placements,
                          const std::vector<int> &order) {
  if (static_cast<int>(placements.size()) != mesh.rank())
    return Status::error(fmt::format("{} placements {} for a mesh of {} axes {}; it needs one for "
                                     "each axis",
                                     placements.size(), str(placements), mesh.rank(), mesh.str()));
  std::vector<int> axes;
  for (int axis : order) {
    if (axis < 0 || axis >= mesh.rank() || std::count(axes.begin(), axes.end(), axis))
      return Status::error(
          fmt::format("the order [{}] is not a list of different axes of the mesh {}",
                      fmt::join(order, ", "), mesh.str()));
    axes.push_back(axis);
  }
  for (int axis = 0; axis < mesh.rank(); ++axis)
    if (!std::count(order.begin(), order.end(), axis))
      axes.push_back(axis);

  std::vector<Dim> dims(rank);
  std::optional<Partial> partial;
  std::optional<Ragged> ragged;
  for (int axis : axes) {
    const Placement &placement = placements[axis];
    SubAxis whole = wholeAxis(mesh, axis);
    auto error = [&](const std::string &why) {
      return Status::error(
          fmt::format("axis \"{}\": {}: {}", mesh.axis(axis).name, placement.str(), why));
    };
    switch (placement.kind) {
    case Placement::Kind::replicate:
      break;
    case Placement::Kind::shard:
    case Placement::Kind::interleavedShard: {
      int64_t dim = placement.dim < 0 ? placement.dim + rank : placement.dim;
      if (dim < 0 || dim >= rank)
        return error(fmt::format("the tensor has rank {}", rank));
      int64_t interleave =
          placement.kind == Placement::Kind::interleavedShard ? placement.interleave : 1;
      dims[dim].push_back({whole, interleave, 1});
      break;
    }
    case Placement::Kind::partial:
      if (partial && partial->reduction != placement.reduction)
        return error(fmt::format("another axis is partial by {}; two reductions on one value have "
                                 "no defined order",
                                 str(partial->reduction)));
      if (!partial)
        partial = Partial{placement.reduction, {}};
      partial->axes.push_back(whole);
      break;
    case Placement::Kind::raggedShard:
      if (ragged)
        return error("another axis is ragged; a layout has one ragged cut");
      ragged = Ragged{whole, placement.raggedDims, placement.units};
      break;
    }
  }
  return Layout::get(mesh, std::move(dims), std::move(partial), std::move(ragged));
}

StatusOr<Placements> placementsOf(const Layout &layout) {
  const Mesh &mesh = layout.mesh();
  Placements placements(mesh.rank());
  auto place = [&](const SubAxis &axis, const Placement &placement) {
    if (!isWhole(mesh, axis))
      return Status::error(
          fmt::format("a placement is for a whole axis, not for {}", str(mesh, axis)));
    placements[axis.axis] = placement;
    return Status::success();
  };
  for (int d = 0; d < layout.rank(); ++d)
    for (size_t i = 0; i < layout.dim(d).size(); ++i) {
      const Cut &cut = layout.dim(d)[i];
      if (cut.block != 1)
        return Status::error(
            fmt::format("dim {}: placements have no block cut ({})", d, str(mesh, cut)));
      if (i > 0 && cut.axis.axis < layout.dim(d)[i - 1].axis.axis)
        return Status::error(
            fmt::format("dim {}: {} cuts after {}, but placements cut in mesh order", d,
                        str(mesh, cut.axis), str(mesh, layout.dim(d)[i - 1].axis)));
      Placement placement;
      placement.kind =
          cut.interleave == 1 ? Placement::Kind::shard : Placement::Kind::interleavedShard;
      placement.dim = d;
      placement.interleave = cut.interleave;
      Status placed = place(cut.axis, placement);
      if (!placed.ok())
        return placed;
    }
  if (layout.partial())
    for (const SubAxis &axis : layout.partial()->axes) {
      Placement placement;
      placement.kind = Placement::Kind::partial;
      placement.reduction = layout.partial()->reduction;
      Status placed = place(axis, placement);
      if (!placed.ok())
        return placed;
    }
  if (layout.ragged()) {
    Placement placement;
    placement.kind = Placement::Kind::raggedShard;
    placement.raggedDims = layout.ragged()->dims;
    placement.units = layout.ragged()->units;
    Status placed = place(layout.ragged()->axis, placement);
    if (!placed.ok())
      return placed;
  }
  return placements;
}

} // namespace vescale::layout
