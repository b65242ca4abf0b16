//===- FactorLayout.cpp - Dims of layouts and cuts of factors ------------------------------===//

#include "dialects/dist/FactorLayout.h"

#include "layout/Cutting.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace vescale::dist {

using layout::Cut;
using layout::Dim;
using layout::SubAxis;

bool Projection::exact() const {
  return llvm::all_of(overflow, [](const Dim &dim) { return dim.empty(); });
}

namespace {

/// Distributes the cuts of one dim over the dim's factors, in order.
class DimProjector {
public:
  DimProjector(const IndexingRule &rule, llvm::ArrayRef<int> factors, FactorCuts &cuts)
      : factors(factors), cuts(cuts) {
    for (int factor : factors)
      remaining.push_back(rule.factors[factor].size);
  }

  /// Places one cut; false where it, or a part of it that the second member returns, does not
  /// fit. After an uneven cut of one of several factors nothing more fits.
  std::pair<bool, Cut> place(Cut cut);

private:
  /// Where a cut with this interleave begins: the factor, and the interleave that is left there.
  std::optional<std::pair<size_t, int64_t>> locate(int64_t interleave) const;
  /// Elements of one index of factor `position`: the product of what is left of the minor ones.
  int64_t minorProduct(size_t position) const {
    int64_t product = 1;
    for (size_t i = position + 1; i < remaining.size(); ++i)
      product *= remaining[i];
    return product;
  }
  /// Whether nothing cuts the factors after `position`: an uneven cut is the last of its dim.
  bool minorUncut(size_t position) const {
    return llvm::all_of(factors.drop_front(position + 1),
                        [&](int factor) { return cuts[factor].empty(); });
  }
  void cutEvenly(size_t position, SubAxis axis, int64_t interleave) {
    cuts[factors[position]].push_back({axis, interleave, 1});
    remaining[position] /= axis.size;
  }

  llvm::ArrayRef<int> factors;
  FactorCuts &cuts;
  llvm::SmallVector<int64_t, 4> remaining;
  bool uneven = false;
};

std::optional<std::pair<size_t, int64_t>> DimProjector::locate(int64_t interleave) const {
  size_t last = factors.size() - 1;
  for (size_t position = 0; position <= last; ++position) {
    int64_t left = remaining[position];
    if (position != last && left > 0 && interleave % left == 0) {
      interleave /= left;
      continue;
    }
    if (left % interleave == 0)
      return std::make_pair(position, interleave);
    return std::nullopt;
  }
  return std::nullopt;
}

std::pair<bool, Cut> DimProjector::place(Cut cut) {
  if (factors.empty() || uneven)
    return {false, cut};
  if (factors.size() == 1) {
    cuts[factors[0]].push_back(cut);
    return {true, cut};
  }
  auto at = locate(cut.interleave);
  if (!at)
    return {false, cut};
  auto [position, interleave] = *at;
  int64_t minor = minorProduct(position), size = cut.axis.size;
  int64_t inner = remaining[position] / interleave;
  int64_t length = inner * minor;
  if (cut.block > 1 && layout::isEven({cut.axis, 1, cut.block}, length))
    cut.block = 1;
  if (cut.block > 1) {
    // Blocks hold whole indices of this factor.
    if (minor == 0 || cut.block % minor != 0)
      return {false, cut};
    Cut own{cut.axis, interleave, cut.block / minor};
    uneven = !layout::isEven(own, remaining[position]);
    if (uneven && !minorUncut(position))
      return {false, cut};
    cuts[factors[position]].push_back(own);
    if (!uneven)
      remaining[position] /= size;
    return {true, cut};
  }
  if (inner % size == 0) {
    cutEvenly(position, cut.axis, interleave);
    return {true, cut};
  }
  if (length % size == 0 && position + 1 < factors.size()) {
    // The axis is larger than the factor: a part of it fills the factor and the rest goes on.
    int64_t part = std::gcd(inner, size);
    if (part > 1) {
      auto [major, rest] = *layout::split(cut.axis, part);
      cutEvenly(position, major, interleave);
      cut.axis = rest;
      if (part != inner)
        return {false, cut};
      return place(cut);
    }
    return {false, cut};
  }
  if (minor == 1 && cut.interleave == 1 && minorUncut(position)) {
    cuts[factors[position]].push_back({cut.axis, 1, 1});
    uneven = true;
    return {true, cut};
  }
  return {false, cut};
}

} // namespace

Projection projectToFactors(const IndexingRule &rule, const TensorFactors &tensor,
                            const layout::Mesh &mesh, const std::vector<Dim> &dims) {
  Projection projection;
  projection.cuts.resize(rule.factors.size());
  projection.overflow.resize(dims.size());
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    if (dims[dim].empty())
      continue;
    DimProjector projector(rule, tensor.dims[dim], projection.cuts);
    for (size_t i = 0; i < dims[dim].size(); ++i) {
      auto [fits, rest] = projector.place(dims[dim][i]);
      if (fits)
        continue;
      projection.overflow[dim].push_back(rest);
      projection.overflow[dim].insert(projection.overflow[dim].end(), dims[dim].begin() + i + 1,
                                      dims[dim].end());
      break;
    }
  }
  return projection;
}

std::optional<Dim> dimOfFactors(const IndexingRule &rule, llvm::ArrayRef<int> factors,
                                const FactorCuts &cuts) {
  if (factors.size() == 1)
    return canonicalCuts(cuts[factors[0]], rule.factors[factors[0]].size);
  int64_t total = 1;
  for (int factor : factors)
    total *= rule.factors[factor].size;
  Dim dim;
  // What is left, on the device, of the factors before this one.
  int64_t before = 1;
  bool uneven = false;
  for (size_t i = 0; i < factors.size(); ++i) {
    int64_t remaining = rule.factors[factors[i]].size, minor = 1;
    for (size_t j = i + 1; j < factors.size(); ++j)
      minor *= rule.factors[factors[j]].size;
    for (const Cut &cut : cuts[factors[i]]) {
      if (uneven)
        return std::nullopt;
      if (layout::isEven(cut, remaining)) {
        dim.push_back({cut.axis, before * cut.interleave, 1});
        remaining /= cut.axis.size;
        continue;
      }
      // An uneven cut of a single index reads as one of the next factor in blocks of its size.
      if (before * cut.interleave != 1 || (remaining == 1 && minor > 1))
        return std::nullopt;
      dim.push_back({cut.axis, 1, cut.block * minor});
      uneven = true;
    }
    before *= remaining;
  }
  return canonicalCuts(dim, total);
}

Dim canonicalCuts(const Dim &cuts, int64_t size) {
  Dim canonical;
  // The length before the last cut in `canonical`, and whether every cut so far is even.
  int64_t before = size, length = size;
  bool even = true;
  for (Cut cut : cuts) {
    if (cut.axis.size == 1)
      continue;
    bool evenHere = even && layout::isEven(cut, length);
    if (evenHere)
      cut.block = 1;
    if (evenHere && !canonical.empty() && layout::canMerge(canonical.back().axis, cut.axis) &&
        canonical.back().interleave == cut.interleave && canonical.back().block == 1) {
      canonical.back().axis = layout::merge(canonical.back().axis, cut.axis);
    } else {
      before = length;
      canonical.push_back(cut);
    }
    even = evenHere;
    if (even)
      length = before / canonical.back().axis.size;
  }
  return canonical;
}

std::vector<SubAxis> canonicalAxes(std::vector<SubAxis> axes) {
  llvm::sort(axes);
  std::vector<SubAxis> canonical;
  for (const SubAxis &axis : axes) {
    if (axis.size == 1)
      continue;
    if (!canonical.empty() && layout::canMerge(canonical.back(), axis))
      canonical.back() = layout::merge(canonical.back(), axis);
    else
      canonical.push_back(axis);
  }
  return canonical;
}

layout::Layout canonicalLayout(const layout::Layout &layout, llvm::ArrayRef<int64_t> shape) {
  std::vector<Dim> dims;
  for (int dim = 0; dim < layout.rank(); ++dim)
    dims.push_back(canonicalCuts(layout.dim(dim), shape[dim]));
  std::optional<layout::Partial> partial = layout.partial();
  if (partial)
    partial->axes = canonicalAxes(partial->axes);
  return layout::Layout::fromChecked(layout.mesh(), std::move(dims), std::move(partial),
                                     layout.ragged());
}

} // namespace vescale::dist
