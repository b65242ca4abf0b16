#include "Generators.h"

#include "layout/Legality.h"
#include "layout/Region.h"

#include <algorithm>
#include <numeric>
#include <rapidcheck.h>

namespace vescale::layout {

int64_t arbitraryInteger(int64_t least, int64_t most) {
  return *rc::gen::inRange<int64_t>(least, most + 1);
}

Mesh arbitraryMesh(int64_t mostDevices) {
  const char *names[] = {"x", "y", "z"};
  std::vector<Axis> axes;
  int64_t devices = 1, count = arbitraryInteger(1, 3);
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = *rc::gen::element<int64_t>(1, 2, 2, 3, 4, 5, 6, 8, 12);
    if (devices * size > mostDevices)
      size = 1;
    devices *= size;
    axes.push_back({names[i], size});
  }
  std::vector<int64_t> ids;
  if (arbitraryInteger(0, 3) == 3) {
    int64_t first = arbitraryInteger(0, 5);
    for (int64_t i = 0; i < devices; ++i)
      ids.push_back(first + (i * 7 + 3) % devices);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::reverse(ids.begin(), ids.end());
    if (static_cast<int64_t>(ids.size()) != devices)
      ids.clear();
  }
  return *Mesh::get(axes, ids);
}

Shape arbitraryShape(int mostRank) {
  Shape shape(arbitraryInteger(0, mostRank));
  for (int64_t &size : shape)
    size = *rc::gen::element<int64_t>(0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 12, 13, 24);
  return shape;
}

static bool isLegal(const Layout &layout, const Shape &shape) {
  return checkLegal(layout, shape).ok();
}

/// The parts that a layout may use: whole axes, or an axis cut in two.
static std::vector<SubAxis> arbitraryParts(const Mesh &mesh) {
  std::vector<SubAxis> parts;
  for (int axis = 0; axis < mesh.rank(); ++axis) {
    SubAxis whole = wholeAxis(mesh, axis);
    std::vector<std::vector<SubAxis>> orders = primeOrders(whole);
    const std::vector<SubAxis> &primes = orders[arbitraryInteger(0, orders.size() - 1)];
    if (primes.size() < 2 || arbitraryInteger(0, 2) < 2) {
      parts.push_back(whole);
      continue;
    }
    SubAxis rest = primes[1];
    for (size_t i = 2; i < primes.size(); ++i)
      rest = merge(rest, primes[i]);
    parts.push_back(primes[0]);
    parts.push_back(rest);
  }
  // Any order: what comes first cuts first.
  for (size_t i = parts.size(); i > 1; --i)
    std::swap(parts[i - 1], parts[arbitraryInteger(0, i - 1)]);
  return parts;
}

static std::optional<Ragged> arbitraryRagged(const Layout &cuts, const Shape &shape,
                                             const SubAxis &axis) {
  Ragged ragged{axis, static_cast<int>(arbitraryInteger(0, cuts.rank())), RunLengths()};
  std::vector<int64_t> units(axis.size, 0);
  if (ragged.dims == 0) {
    units[arbitraryInteger(0, axis.size - 1)] = arbitraryInteger(1, 3);
  } else {
    Shape left = cutShape(cuts, shape, Coordinate(cuts.mesh().rank(), 0));
    int64_t length = std::accumulate(left.begin(), left.begin() + ragged.dims, int64_t(1),
                                     std::multiplies<int64_t>());
    int64_t sum = length == 0 ? arbitraryInteger(1, 9) : arbitraryInteger(1, length);
    while (length % sum != 0)
      --sum;
    for (int64_t &unit : units)
      sum -= unit = arbitraryInteger(0, sum);
    units.back() += sum;
  }
  ragged.units = RunLengths(units);
  return ragged;
}

Layout arbitraryLayout(const Mesh &mesh, const Shape &shape) {
  int rank = static_cast<int>(shape.size());
  std::vector<Dim> dims(rank);
  Partial partial{*rc::gen::element(Reduction::sum, Reduction::max, Reduction::min, Reduction::prod,
                                    Reduction::bitAnd, Reduction::bitOr),
                  {}};
  std::optional<SubAxis> raggedAxis;
  for (const SubAxis &part : arbitraryParts(mesh)) {
    int64_t use = arbitraryInteger(0, 9);
    if (use == 1) {
      partial.axes.push_back(part);
    } else if (use == 2) {
      raggedAxis = part;
    } else if (use > 2 && rank > 0) {
      Cut cut{part, 1, 1};
      if (use == 3)
        cut.interleave = arbitraryInteger(2, 4);
      if (use == 4)
        cut.block = arbitraryInteger(2, 4);
      Dim &dim = dims[arbitraryInteger(0, rank - 1)];
      dim.push_back(cut);
      if (!isLegal(Layout::fromChecked(mesh, dims), shape))
        dim.back().interleave = 1;
      // A later interleaved cut may not stand behind this one; only it was checked so far.
      if (!isLegal(Layout::fromChecked(mesh, dims), shape))
        dim.pop_back();
    }
  }
  Layout layout = *Layout::get(mesh, dims, partial);
  if (!raggedAxis)
    return layout;
  StatusOr<Layout> withRagged =
      Layout::get(mesh, dims, partial, arbitraryRagged(layout, shape, *raggedAxis));
  return withRagged.ok() && isLegal(*withRagged, shape) ? *withRagged : layout;
}

} // namespace vescale::layout
