#include "layout/Legality.h"

#include "layout/Cutting.h"

#include <fmt/format.h>
#include <set>

namespace vescale::layout {

static Status checkCut(const Mesh &mesh, const Cut &cut, size_t d) {
  Status divides = checkSubAxis(mesh, cut.axis);
  if (!divides.ok())
    return divides;
  if (cut.interleave < 1 || cut.block < 1)
    return Status::error(fmt::format(
        "dim {}: the cut by {} has {} {}; it must be at least 1", d, str(mesh, cut.axis),
        cut.block < 1 ? "blocks of" : "interleave", cut.block < 1 ? cut.block : cut.interleave));
  if (cut.interleave != 1 && cut.block != 1)
    return Status::error(
        fmt::format("dim {}: the cut by {} is interleaved and in blocks; one cut is "
                    "one of the two",
                    d, str(mesh, cut.axis)));
  return Status::success();
}

static Status checkRagged(const Mesh &mesh, const Ragged &ragged, size_t rank) {
  Status divides = checkSubAxis(mesh, ragged.axis);
  if (!divides.ok())
    return divides;
  std::string axis = str(mesh, ragged.axis);
  const RunLengths &units = ragged.units;
  if (ragged.dims < 0 || ragged.dims > static_cast<int>(rank))
    return Status::error(
        fmt::format("ragged dims = {}: the tensor has only {} dims to flatten", ragged.dims, rank));
  if (units.size() != ragged.axis.size)
    return Status::error(
        fmt::format("ragged by {}: {} units for an axis of size {}; it needs one for "
                    "each index",
                    axis, units.size(), ragged.axis.size));
  if (units.smallest() < 0)
    return Status::error(
        fmt::format("ragged by {}: negative unit {}; a unit is a share", axis, units.smallest()));
  if (units.overflows())
    return Status::error(fmt::format("ragged by {}: the sum of the units is above 2^63", axis));
  if (units.sum() == 0)
    return Status::error(
        fmt::format("ragged by {}: all units are zero, so nobody owns the tensor", axis));
  if (ragged.dims == 0) {
    int64_t owners = 0;
    for (const RunLengths::Run &run : units.runs())
      owners += run.value ? run.count : 0;
    if (owners != 1)
      return Status::error(
          fmt::format("ragged by {} with dims = 0: more than one owner ({} units are "
                      "not 0); one device owns the whole tensor",
                      axis, owners));
  }
  return Status::success();
}

Status checkParts(const Mesh &mesh, const std::vector<Dim> &dims,
                  const std::optional<Partial> &partial, const std::optional<Ragged> &ragged) {
  // Compared pairwise; layouts use few axes.
  std::vector<SubAxis> used;
  auto use = [&](const SubAxis &axis, const char *where, int d) {
    for (const SubAxis &other : used)
      if (overlaps(other, axis))
        return Status::error(fmt::format(
            "{}: axis used twice: {}{}; an axis is used at most once",
            d < 0 ? where : fmt::format("{} {}", where, d), str(mesh, axis),
            other == axis ? " is already in use"
                          : fmt::format(" overlaps {}, which is in use", str(mesh, other))));
    used.push_back(axis);
    return Status::success();
  };
  for (size_t d = 0; d < dims.size(); ++d)
    for (const Cut &cut : dims[d]) {
      Status legal = checkCut(mesh, cut, d);
      if (!legal.ok())
        return legal;
      legal = use(cut.axis, "dim", d);
      if (!legal.ok())
        return legal;
    }
  if (partial)
    for (const SubAxis &axis : partial->axes) {
      Status legal = checkSubAxis(mesh, axis);
      if (!legal.ok())
        return legal;
      legal = use(axis, "partial", -1);
      if (!legal.ok())
        return legal;
    }
  if (ragged) {
    Status legal = checkRagged(mesh, *ragged, dims.size());
    if (!legal.ok())
      return legal;
    legal = use(ragged->axis, "ragged", -1);
    if (!legal.ok())
      return legal;
  }
  return Status::success();
}

/// Interleaved cuts must divide whatever length any device has left; the lengths that occur are
/// followed through the uneven cuts before, at most three new ones for each.
static Status checkInterleaving(const Mesh &mesh, const Dim &dim, size_t d, int64_t size) {
  size_t last = dim.size();
  while (last > 0 && dim[last - 1].interleave == 1)
    --last;
  std::set<int64_t> lengths = {size};
  for (size_t i = 0; i < last; ++i) {
    const Cut &cut = dim[i];
    std::set<int64_t> next;
    for (int64_t length : lengths) {
      if (cut.interleave != 1 && !isEven(cut, length))
        return Status::error(fmt::format(
            "dim {}: interleaved cut {} does not divide: {} is not divisible by {} * {}", d,
            str(mesh, cut), length, cut.interleave, cut.axis.size));
      for (const LengthRun &run : cutLengths(cut, length))
        next.insert(run.length);
    }
    lengths = std::move(next);
  }
  return Status::success();
}

static Status checkRaggedSizes(const Layout &layout, const Shape &shape) {
  const Mesh &mesh = layout.mesh();
  const Ragged &ragged = *layout.ragged();
  int64_t flattened = 1;
  for (int d = 0; d < layout.rank(); ++d) {
    int64_t length = shape[d];
    for (const Cut &cut : layout.dim(d)) {
      if (!isEven(cut, length))
        return Status::error(
            fmt::format("dim {}: uneven cut beside ragged: {} does not cut {} into "
                        "equal pieces",
                        d, str(mesh, cut), length));
      if (d > 0 && d < ragged.dims && cut.axis.size > 1)
        return Status::error(fmt::format("dim {}: cut by {} inside the {} dims that ragged "
                                         "flattens; beside dim 0 only dims from "
                                         "{} on may be cut",
                                         d, str(mesh, cut.axis), ragged.dims, ragged.dims));
      length /= cut.axis.size;
    }
    if (d < ragged.dims)
      flattened *= length;
  }
  if (ragged.dims > 0 && flattened % ragged.units.sum() != 0)
    return Status::error(
        fmt::format("ragged by {}: units do not divide: their sum {} is not a factor "
                    "of the flattened local length {}",
                    str(mesh, ragged.axis), ragged.units.sum(), flattened));
  return Status::success();
}

Status checkLegal(const Layout &layout, const Shape &shape) {
  if (static_cast<int>(shape.size()) != layout.rank())
    return Status::error(
        fmt::format("the layout has rank {} but the tensor has rank {}: {} for shape "
                    "[{}]",
                    layout.rank(), shape.size(), layout.str(), fmt::join(shape, ", ")));
  // Sizes of 0 are left out of the product, so that the other dims also have strides that fit.
  int64_t elements = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0)
      return Status::error(fmt::format("dim {} has the negative size {}", d, shape[d]));
    if (shape[d] != 0 && __builtin_mul_overflow(elements, shape[d], &elements))
      return Status::error(
          fmt::format("shape [{}] has more than 2^63 elements", fmt::join(shape, ", ")));
  }
  for (int d = 0; d < layout.rank(); ++d) {
    Status divides = checkInterleaving(layout.mesh(), layout.dim(d), d, shape[d]);
    if (!divides.ok())
      return divides;
  }
  if (layout.ragged())
    return checkRaggedSizes(layout, shape);
  return Status::success();
}

int64_t elementCount(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

} // namespace vescale::layout
