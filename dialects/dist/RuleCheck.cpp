//===- RuleCheck.cpp - Which layouts an op may have -----------------------------------------===//

#include "dialects/dist/RuleCheck.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <fmt/format.h>

namespace vescale::dist {

using layout::Dim;
using layout::Layout;
using layout::Status;
using layout::StatusOr;
using layout::SubAxis;

namespace {

/// An operand or a result in messages. The text is made where one is needed.
struct TensorName {
  const char *kind;
  size_t number;

  std::string str() const { return fmt::format("{} {}", kind, number); }
};

/// Derives the layouts of one distributed op.
class LayoutDeriver {
public:
  LayoutDeriver(const IndexingRule &rule, const layout::Mesh &mesh, const OpCuts &cuts,
                Decomposition decomposition)
      : rule(rule), mesh(mesh), cuts(cuts), decomposition(decomposition),
        resultPartials(rule.results.size()) {}

  StatusOr<OpLayouts> derive();

private:
  Status checkFactors();
  /// One axis does one thing to a tensor: cut one dim, once, or leave it partial.
  Status checkAxes(const Layout &layout, TensorName name) const;
  Status addResultAxis(int result, SubAxis axis, layout::Reduction reduction);
  /// What the op needs of a dim that a device does not hold under these cuts; null if nothing.
  const char *missingPieces(llvm::ArrayRef<int> factors, const Dim &dim) const;
  /// Makes the results that are reduced over a cut factor partial over its axes.
  Status addContributions(int factor);
  Status derivePartial();
  StatusOr<Layout> layoutOf(const TensorFactors &tensor, TensorName name,
                            std::optional<layout::Partial> partial) const;
  const IndexingRule &rule;
  const layout::Mesh &mesh;
  const OpCuts &cuts;
  Decomposition decomposition;
  /// What each result is partial over.
  std::vector<std::optional<layout::Partial>> resultPartials;
};

Status LayoutDeriver::addContributions(int factor) {
  for (int result = 0; result < static_cast<int>(rule.results.size()); ++result)
    if (std::optional<layout::Reduction> reduction = rule.contribution(factor, result))
      for (const layout::Cut &cut : cuts.cuts[factor])
        if (Status added = addResultAxis(result, cut.axis, *reduction); !added.ok())
          return added;
  return Status();
}

Status LayoutDeriver::checkFactors() {
  for (size_t f = 0; f < rule.factors.size(); ++f) {
    if (cuts.cuts[f].empty())
      continue;
    const Factor &factor = rule.factors[f];
    auto refuse = [&](const char *reason) {
      return Status::error(fmt::format("factor {} of size {} is cut by {} but {}", f, factor.size,
                                       layout::str(mesh, cuts.cuts[f]), reason));
    };
    switch (factor.kind) {
    case FactorKind::replicated:
      return refuse("must be whole");
    case FactorKind::permuted:
      return refuse("needs elements of neighbouring devices");
    case FactorKind::decomposable:
      if (decomposition == Decomposition::refused)
        return refuse("only the op's decomposition can be cut there");
      break;
    case FactorKind::reduced:
      break;
    case FactorKind::parallel:
      for (size_t result = 0; result < rule.results.size(); ++result)
        if (!factor.reduction && !rule.results[result].has(static_cast<int>(f)))
          return refuse(fmt::format("result {} does not have it", result).c_str());
      break;
    }
    if (Status added = addContributions(static_cast<int>(f)); !added.ok())
      return added;
  }
  return Status();
}

Status LayoutDeriver::checkAxes(const Layout &layout, TensorName name) const {
  std::vector<SubAxis> used;
  for (const SubAxis &axis : layout.usedAxes()) {
    for (const SubAxis &other : used)
      if (layout::overlaps(axis, other))
        return Status::error(fmt::format("axis {} would do two things to {}: {}",
                                         layout::str(mesh, axis), name.str(), layout.str()));
    used.push_back(axis);
  }
  return Status();
}

Status LayoutDeriver::addResultAxis(int result, SubAxis axis, layout::Reduction reduction) {
  std::optional<layout::Partial> &resultPartial = resultPartials[result];
  if (!resultPartial)
    resultPartial = layout::Partial{reduction, {}};
  if (resultPartial->reduction != reduction)
    return Status::error(fmt::format("result {} would be partial with {} and with {} (over {}), "
                                     "which have no defined order",
                                     result, layout::str(resultPartial->reduction),
                                     layout::str(reduction), layout::str(mesh, axis)));
  for (const SubAxis &other : resultPartial->axes)
    if (layout::overlaps(axis, other))
      return Status::error(fmt::format("result {} would be partial over axis {} for two reasons",
                                       result, layout::str(mesh, axis)));
  resultPartial->axes.push_back(axis);
  return Status();
}

Status LayoutDeriver::derivePartial() {
  for (const PartialOperands &partial : cuts.partials) {
    std::optional<layout::Reduction> passed = rule.pass(partial.operands, partial.reduction);
    if (!passed)
      return Status::error(fmt::format(
          "operand{} {} partial [{}: {}], through which the op does not pass",
          partial.operands.size() == 1 ? "" : "s",
          fmt::format(partial.operands.size() == 1 ? "{} is" : "{} are",
                      fmt::join(partial.operands, " and ")),
          layout::str(partial.reduction), layout::str(mesh, partial.axis)));
    for (int result = 0; result < static_cast<int>(rule.results.size()); ++result)
      if (Status added = addResultAxis(result, partial.axis, *passed); !added.ok())
        return added;
  }
  for (std::optional<layout::Partial> &partial : resultPartials)
    if (partial)
      partial->axes = canonicalAxes(partial->axes);
  return Status();
}

const char *LayoutDeriver::missingPieces(llvm::ArrayRef<int> factors, const Dim &dim) const {
  Pieces needed = Pieces::any;
  for (int factor : factors)
    needed = std::max(needed, rule.factors[factor].pieces);
  auto interleavesAs = [&](int64_t interleave) {
    return llvm::all_of(
        dim, [&](const layout::Cut &cut) { return cut.interleave == interleave; });
  };
  if (needed == Pieces::consecutive && !interleavesAs(1))
    return "consecutive positions";
  if (needed == Pieces::runs && !dim.empty() && !interleavesAs(dim.front().interleave))
    return "positions in runs of one length";
  return nullptr;
}

StatusOr<Layout> LayoutDeriver::layoutOf(const TensorFactors &tensor, TensorName name,
                                         std::optional<layout::Partial> partial) const {
  std::vector<Dim> dims;
  for (const auto &factors : tensor.dims) {
    std::optional<Dim> dim = dimOfFactors(rule, factors, cuts.cuts);
    if (!dim)
      return Status::error(fmt::format("no layout of dim {} of {} says how its factors are cut",
                                       dims.size(), name.str()));
    if (const char *needed = missingPieces(factors, *dim))
      return Status::error(fmt::format("dim {} of {} would be cut by {{{}}} but the op needs {}",
                                       dims.size(), name.str(), layout::str(mesh, *dim), needed));
    dims.push_back(std::move(*dim));
  }
  std::optional<layout::Ragged> ragged;
  if (cuts.ragged) {
    llvm::ArrayRef<int> factors = cuts.ragged->factors;
    size_t found = 0;
    int leading = 0;
    while (leading < static_cast<int>(tensor.dims.size()) && found < factors.size()) {
      for (int factor : tensor.dims[leading])
        found += llvm::is_contained(factors, factor);
      ++leading;
    }
    if (found > 0) {
      std::optional<llvm::SmallVector<int, 4>> flat = rule.raggedFactors(tensor, leading);
      if (!flat || llvm::ArrayRef<int>(*flat) != factors)
        return Status::error(
            fmt::format("a ragged cut by {} does not fall on the leading dims of {}",
                        layout::str(mesh, cuts.ragged->axis), name.str()));
      ragged = layout::Ragged{cuts.ragged->axis, leading, cuts.ragged->units};
    }
  }
  Layout layout =
      Layout::fromChecked(mesh, std::move(dims), std::move(partial), std::move(ragged));
  if (Status checked = checkAxes(layout, name); !checked.ok())
    return checked;
  return layout;
}

StatusOr<OpLayouts> LayoutDeriver::derive() {
  if (Status checked = checkFactors(); !checked.ok())
    return checked;
  if (Status derived = derivePartial(); !derived.ok())
    return derived;
  OpLayouts layouts;
  for (size_t i = 0; i < rule.operands.size(); ++i) {
    std::optional<layout::Partial> partial;
    for (const PartialOperands &pass : cuts.partials) {
      if (!llvm::is_contained(pass.operands, static_cast<int>(i)))
        continue;
      if (!partial)
        partial = layout::Partial{pass.reduction, {}};
      if (partial->reduction != pass.reduction)
        return Status::error(fmt::format("operand {} is partial with two reductions", i));
      partial->axes.push_back(pass.axis);
    }
    if (partial)
      partial->axes = canonicalAxes(partial->axes);
    StatusOr<Layout> layout =
        layoutOf(rule.operands[i], TensorName{"operand", i}, std::move(partial));
    if (!layout.ok())
      return layout.status();
    layouts.operands.push_back(*layout);
  }
  for (size_t i = 0; i < rule.results.size(); ++i) {
    StatusOr<Layout> layout =
        layoutOf(rule.results[i], TensorName{"result", i}, resultPartials[i]);
    if (!layout.ok())
      return layout.status();
    layouts.results.push_back(*layout);
  }
  return layouts;
}

/// Collects the cuts of an op from the layouts of its tensors.
class CutsCollector {
public:
  CutsCollector(const IndexingRule &rule, const layout::Mesh &mesh) : rule(rule), mesh(mesh) {
    collected.cuts.resize(rule.factors.size());
    owners.resize(rule.factors.size());
  }

  Status add(const TensorFactors &tensor, const Layout &layout, TensorName name);
  Status addPartials(const std::vector<std::optional<Layout>> &operands);

  OpCuts collected;

private:
  Status addRagged(const TensorFactors &tensor, const layout::Ragged &ragged,
                   TensorName name);

  const IndexingRule &rule;
  const layout::Mesh &mesh;
  /// The tensor that said first how a factor is cut.
  std::vector<std::optional<TensorName>> owners;
};

Status CutsCollector::add(const TensorFactors &tensor, const Layout &layout,
                          TensorName name) {
  if (layout.rank() != static_cast<int>(tensor.dims.size()))
    return Status::error(fmt::format("{} has {} dims and its layout {}", name.str(), tensor.dims.size(),
                                     layout.rank()));
  if (layout.mesh() != mesh)
    return Status::error(fmt::format("{} is on mesh {}, other operands or results on {}", name.str(),
                                     layout.mesh().str(), mesh.str()));
  Projection projection = projectToFactors(rule, tensor, mesh, layout.dims());
  for (size_t dim = 0; dim < projection.overflow.size(); ++dim)
    if (!projection.overflow[dim].empty())
      return Status::error(fmt::format("dim {} of {} is cut by {}, which falls on no factor of "
                                       "the op",
                                       dim, name.str(),
                                       layout::str(mesh, projection.overflow[dim])));
  for (const auto &dim : tensor.dims)
    for (int f : dim) {
      Dim cuts = canonicalCuts(projection.cuts[f], rule.factors[f].size);
      if (!owners[f]) {
        owners[f] = name;
        collected.cuts[f] = std::move(cuts);
      } else if (collected.cuts[f] != cuts) {
        return Status::error(fmt::format(
            "factor {} of size {} is cut by {{{}}} in {} and by {{{}}} in {}", f,
            rule.factors[f].size, layout::str(mesh, collected.cuts[f]), owners[f]->str(),
            layout::str(mesh, cuts), name.str()));
      }
    }
  return layout.ragged() ? addRagged(tensor, *layout.ragged(), name) : Status();
}

Status CutsCollector::addRagged(const TensorFactors &tensor, const layout::Ragged &ragged,
                                TensorName name) {
  std::optional<llvm::SmallVector<int, 4>> flat = rule.raggedFactors(tensor, ragged.dims);
  if (!flat)
    return Status::error(fmt::format("{} is ragged over {} dims, which the op does not keep "
                                     "together",
                                     name.str(), ragged.dims));
  RaggedFactors factors{std::move(*flat), ragged.axis, ragged.units};
  if (!collected.ragged) {
    collected.ragged = std::move(factors);
    return Status();
  }
  if (collected.ragged->factors != factors.factors || collected.ragged->axis != factors.axis ||
      !(collected.ragged->units == factors.units))
    return Status::error(fmt::format("{} has another ragged cut than other operands or results",
                                     name.str()));
  return Status();
}

Status CutsCollector::addPartials(const std::vector<std::optional<Layout>> &operands) {
  std::vector<SubAxis> atoms;
  for (const std::optional<Layout> &layout : operands) {
    if (!layout || !layout->partial())
      continue;
    std::vector<SubAxis> axes = layout->partial()->axes;
    std::optional<std::vector<SubAxis>> finer = layout::refine(axes, atoms);
    std::optional<std::vector<SubAxis>> others = layout::refine(atoms, axes);
    if (!finer || !others)
      return Status::error("operands are partial over parts of one axis that overlap");
    atoms = std::move(*others);
    for (const SubAxis &axis : *finer)
      if (!llvm::is_contained(atoms, axis))
        atoms.push_back(axis);
  }
  llvm::sort(atoms);
  for (const SubAxis &atom : atoms) {
    PartialOperands partial{atom, layout::Reduction::sum, {}};
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i] || !operands[i]->partial())
        continue;
      for (const SubAxis &axis : operands[i]->partial()->axes) {
        if (!layout::contains(axis, atom))
          continue;
        layout::Reduction reduction = operands[i]->partial()->reduction;
        if (!partial.operands.empty() && reduction != partial.reduction)
          return Status::error(fmt::format("operand {} is partial over {} with {}, operand {} "
                                           "with {}",
                                           partial.operands.front(), layout::str(mesh, atom),
                                           layout::str(partial.reduction), i,
                                           layout::str(reduction)));
        partial.reduction = reduction;
        partial.operands.push_back(static_cast<int>(i));
      }
    }
    collected.partials.push_back(std::move(partial));
  }
  return Status();
}

/// The local shape's global counterpart of a tensor: the product of factor sizes of each dim.
llvm::SmallVector<int64_t, 4> shapeOf(const IndexingRule &rule, const TensorFactors &tensor) {
  llvm::SmallVector<int64_t, 4> shape;
  for (const auto &dim : tensor.dims) {
    shape.push_back(1);
    for (int factor : dim)
      shape.back() *= rule.factors[factor].size;
  }
  return shape;
}

} // namespace

StatusOr<OpLayouts> layoutsOf(const IndexingRule &rule, const layout::Mesh &mesh,
                              const OpCuts &cuts, Decomposition decomposition) {
  return LayoutDeriver(rule, mesh, cuts, decomposition).derive();
}

StatusOr<OpCuts> cutsOf(const IndexingRule &rule, const layout::Mesh &mesh,
                        const std::vector<std::optional<Layout>> &operands,
                        const std::vector<std::optional<Layout>> &results) {
  CutsCollector collector(rule, mesh);
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i])
      if (Status added = collector.add(rule.operands[i], *operands[i],
                                       TensorName{"operand", i});
          !added.ok())
        return added;
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i])
      if (Status added = collector.add(rule.results[i], *results[i], TensorName{"result", i});
          !added.ok())
        return added;
  if (Status added = collector.addPartials(operands); !added.ok())
    return added;
  return std::move(collector.collected);
}

Status checkRule(const IndexingRule &rule, const std::vector<std::optional<Layout>> &operands,
                 const std::vector<std::optional<Layout>> &results) {
  const Layout *first = nullptr;
  for (const auto *layouts : {&operands, &results})
    for (const std::optional<Layout> &layout : *layouts)
      if (layout && !first)
        first = &*layout;
  if (!first)
    return Status();
  StatusOr<OpCuts> cuts = cutsOf(rule, first->mesh(), operands, results);
  if (!cuts.ok())
    return cuts.status();
  StatusOr<OpLayouts> expected = layoutsOf(rule, first->mesh(), *cuts);
  if (!expected.ok())
    return expected.status();
  auto compare = [&](const std::vector<std::optional<Layout>> &given,
                     const std::vector<Layout> &wanted, llvm::ArrayRef<TensorFactors> tensors,
                     const char *what) {
    for (size_t i = 0; i < given.size(); ++i)
      if (given[i] && canonicalLayout(*given[i], shapeOf(rule, tensors[i])) != wanted[i])
        return Status::error(fmt::format("{} {} is laid out {} where the others make it {}", what,
                                         i, given[i]->str(), wanted[i].str()));
    return Status();
  };
  if (Status same = compare(operands, expected->operands, rule.operands, "operand"); !same.ok())
    return same;
  return compare(results, expected->results, rule.results, "result");
}

} // namespace vescale::dist
