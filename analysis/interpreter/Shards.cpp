//===- Shards.cpp - A tensor as all devices of a mesh hold it -------------------------------===//

#include "analysis/interpreter/Shards.h"

#include "layout/Region.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace vescale::analysis {

using layout::Coordinate;
using layout::Layout;
using layout::Reduction;
using layout::Status;
using layout::StatusOr;

namespace {

/// Calls `visit(global position, local position)` for each element that a device holds.
template <class Visit>
void forEachHeld(const Layout &layout, const Shape &shape, const Coordinate &coordinate,
                 Visit visit) {
  layout::LocalRegion region = layout::localRegion(layout, shape, coordinate);
  for (const layout::Piece &piece : region.pieces)
    forEachIndex(piece.box.size, [&](const std::vector<int64_t> &index, int64_t) {
      int64_t local = piece.localOffset, global = 0;
      for (size_t d = 0; d < index.size(); ++d) {
        local += index[d] * region.strides[d];
        global = global * shape[d] + piece.box.offset[d] + index[d];
      }
      visit(global, local);
    });
}

/// The coordinate along all partial axes together, major to minor; 0 without any.
int64_t contribution(const Layout &layout, const Coordinate &coordinate) {
  int64_t index = 0;
  if (layout.partial())
    for (const layout::SubAxis &axis : layout.partial()->axes) {
      int64_t size = layout.mesh().axisSize(axis.axis);
      index =
          index * axis.size + coordinate[axis.axis] / (size / (axis.pre * axis.size)) % axis.size;
    }
  return index;
}

int64_t contributions(const Layout &layout) {
  int64_t count = 1;
  if (layout.partial())
    for (const layout::SubAxis &axis : layout.partial()->axes)
      count *= axis.size;
  return count;
}

} // namespace

void fillIdentity(Tensor &tensor, Reduction reduction) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    bool real = tensor.isReal();
    switch (reduction) {
    case Reduction::max:
      real ? tensor.setReal(i, -infinity) : tensor.setInteger(i, lowest(tensor.type()));
      break;
    case Reduction::min:
      real ? tensor.setReal(i, infinity) : tensor.setInteger(i, highest(tensor.type()));
      break;
    case Reduction::prod:
      tensor.setNumber(i, 1);
      break;
    case Reduction::bitAnd:
      tensor.setInteger(i, -1);
      break;
    case Reduction::sum:
    case Reduction::bitOr:
      tensor.setNumber(i, 0);
      break;
    }
  }
}

void reduceElement(Tensor &tensor, int64_t i, Reduction reduction, const Tensor &other, int64_t j) {
  if (tensor.isReal()) {
    double a = tensor.real(i), b = other.real(j);
    switch (reduction) {
    case Reduction::max:
      return tensor.setReal(i, std::isnan(a) || a > b ? a : b);
    case Reduction::min:
      return tensor.setReal(i, std::isnan(a) || a < b ? a : b);
    case Reduction::prod:
      return tensor.setReal(i, a * b);
    default:
      return tensor.setReal(i, a + b);
    }
  }
  int64_t a = tensor.integer(i), b = other.integer(j);
  switch (reduction) {
  case Reduction::sum:
    return tensor.setInteger(i, int64_t(uint64_t(a) + uint64_t(b)));
  case Reduction::max:
    return tensor.setInteger(i, std::max(a, b));
  case Reduction::min:
    return tensor.setInteger(i, std::min(a, b));
  case Reduction::prod:
    return tensor.setInteger(i, int64_t(uint64_t(a) * uint64_t(b)));
  case Reduction::bitAnd:
    return tensor.setInteger(i, a & b);
  case Reduction::bitOr:
    return tensor.setInteger(i, a | b);
  }
}

Sharded cut(const Tensor &global, const Layout *layout) {
  if (!layout)
    return Sharded(global);
  Sharded result;
  result.layout = layout;
  const layout::Mesh &mesh = layout->mesh();
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    Coordinate coordinate = mesh.coordinate(p);
    Tensor shard(global.type(), layout::localShape(*layout, global.shape(), coordinate));
    if (contribution(*layout, coordinate) != 0)
      fillIdentity(shard, layout->partial()->reduction);
    else
      forEachHeld(*layout, global.shape(), coordinate,
                  [&](int64_t from, int64_t to) { shard.copyElement(to, global, from); });
    result.shards.push_back(std::move(shard));
  }
  return result;
}

StatusOr<Tensor> rebuild(const Sharded &sharded, const Shape &shape) {
  if (!sharded.layout)
    return sharded.shards[0];
  const Layout &layout = *sharded.layout;
  const layout::Mesh &mesh = layout.mesh();
  ElementType type = sharded.shards[0].type();
  int64_t count = contributions(layout);
  // For each contribution the elements, and which position gave them first.
  std::vector<Tensor> parts(count, Tensor(type, shape));
  int64_t elements = parts[0].elements();
  std::vector<std::vector<int64_t>> givers(count, std::vector<int64_t>(elements, -1));
  Status status;
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    Coordinate coordinate = mesh.coordinate(p);
    const Tensor &shard = sharded.shards[p];
    Shape expected = layout::localShape(layout, shape, coordinate);
    if (shard.shape() != expected)
      return Status::error(
          fmt::format("rank {} holds a tensor of shape [{}], but its layout says [{}]",
                      mesh.deviceId(p), fmt::join(shard.shape(), ", "), fmt::join(expected, ", ")));
    int64_t part = contribution(layout, coordinate);
    forEachHeld(layout, shape, coordinate, [&](int64_t global, int64_t local) {
      int64_t &giver = givers[part][global];
      if (giver < 0) {
        giver = p;
        parts[part].copyElement(global, shard, local);
      } else if (status.ok() && !parts[part].sameElement(global, shard, local)) {
        status = Status::error(
            fmt::format("ranks {} and {} hold different values of element {}: {} and {}",
                        mesh.deviceId(giver), mesh.deviceId(p), indexText(shape, global),
                        parts[part].text(global), shard.text(local)));
      }
    });
  }
  if (!status.ok())
    return status;
  for (int64_t part = 0; part < count; ++part)
    for (int64_t i = 0; i < elements; ++i) {
      if (givers[part][i] < 0)
        return Status::error(fmt::format("no rank holds element {}", indexText(shape, i)));
      if (part > 0)
        reduceElement(parts[0], i, layout.partial()->reduction, parts[part], i);
    }
  return std::move(parts[0]);
}

} // namespace vescale::analysis
