//===- CutChoice.cpp - Which of its factors an op is cut on ------------------------------------===//

#include "passes/placement/CutChoice.h"

#include "analysis/cost/UnknownMachine.h"
#include "dialects/dist/RuleComponents.h"
#include "layout/Cutting.h"
#include "layout/Legality.h"
#include "layout/Redistribution.h"
#include "passes/placement/LayoutWriting.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace vescale {

using dist::FactorCuts;
using dist::FactorKind;
using layout::Cut;
using layout::Dim;
using layout::Layout;
using layout::SubAxis;

double ChoicePrice::total() const {
  using Prices = analysis::UnknownMachine;
  return bytes + launches * Prices::launch + work * Prices::point;
}

bool ChoicePrice::operator<(const ChoicePrice &other) const {
  // Uses share bytes, so equality is up to rounding.
  double left = total(), right = other.total();
  double rounding = 1e-9 * std::max(left, right) + 0.25;
  if (left < right - rounding || right < left - rounding)
    return left < right;
  return changes < other.changes;
}

namespace {

/// More seeds than this say little new: the op has many operands that do not meet.
constexpr size_t seedLimit = 8;
/// The price of a reduction that a partial operand passes on to a later op, which may reduce other
/// values with it.
constexpr double laterShare = 0.9;
/// The price of a byte that a device writes to its own memory.
constexpr double writeShare = 0.5;

int64_t shardsOf(const Dim &dim) {
  int64_t product = 1;
  for (const Cut &cut : dim)
    product *= cut.axis.size;
  return product;
}

class Chooser {
public:
  Chooser(const dist::IndexingRule &rule, const layout::Mesh &mesh,
          const std::vector<ChoiceTensor> &operands, const std::vector<ChoiceTensor> &results,
          bool canDecompose, bool isWholeOp, ChoiceStatistics &statistics)
      : rule(rule), mesh(mesh), operands(operands), results(results), canDecompose(canDecompose),
        isWholeOp(isWholeOp), statistics(statistics) {}

  CutChoice choose();

private:
  /// What one tensor suggests.
  struct Claim {
    size_t position;
    double bytes;
    FactorCuts cuts;
  };

  const ChoiceTensor &tensor(size_t position) const {
    return position < operands.size() ? operands[position] : results[position - operands.size()];
  }
  const dist::TensorFactors &factorsOf(size_t position) const {
    return position < operands.size() ? rule.operands[position]
                                      : rule.results[position - operands.size()];
  }
  size_t count() const { return operands.size() + results.size(); }

  void collectClaims();
  void collectPartials();
  bool mayCut(int factor) const;
  FactorCuts joined(size_t seed) const;
  /// Whether cutting `factor` by `axis` leaves every tensor's axes apart.
  bool fits(const FactorCuts &cuts, int factor, SubAxis axis) const;
  std::optional<CutChoice> agreed() const;
  void consider(const FactorCuts &cuts);
  void consider(dist::OpCuts cuts);
  bool price(CutChoice &choice) const;
  bool add(ChoicePrice &price, const Layout &from, const Layout &to, const ChoiceTensor &tensor,
           double share) const;
  void improve();

  const dist::IndexingRule &rule;
  const layout::Mesh &mesh;
  const std::vector<ChoiceTensor> &operands;
  const std::vector<ChoiceTensor> &results;
  bool canDecompose;
  bool isWholeOp;
  ChoiceStatistics &statistics;

  std::vector<Claim> claims;
  /// The ragged cut of the largest tensor that has one.
  std::optional<dist::RaggedFactors> ragged;
  /// For each factor the positions of the tensors that have it.
  std::vector<llvm::SmallVector<size_t, 4>> positionsOf;
  /// The ways in which partial operands may stay partial; the first is that none does.
  std::vector<std::vector<dist::PartialOperands>> partialOptions;
  std::optional<CutChoice> best;
};

bool Chooser::mayCut(int factor) const {
  switch (rule.factors[factor].kind) {
  case FactorKind::replicated:
  case FactorKind::permuted:
    return false;
  case FactorKind::decomposable:
    return canDecompose;
  case FactorKind::parallel:
  case FactorKind::reduced:
    return true;
  }
  return false;
}

void Chooser::collectClaims() {
  positionsOf.resize(rule.factors.size());
  for (size_t position = 0; position < count(); ++position) {
    for (const auto &dim : factorsOf(position).dims)
      for (int factor : dim)
        positionsOf[factor].push_back(position);
    const ChoiceTensor &it = tensor(position);
    const Layout *layout = it.wanted              ? &*it.wanted
                           : it.available.empty() ? nullptr
                                                  : &it.available.front();
    if (!layout)
      continue;
    Claim claim{position, static_cast<double>(it.elementBytes), {}};
    for (int64_t size : it.shape)
      claim.bytes *= static_cast<double>(size);
    claim.cuts = dist::projectToFactors(rule, factorsOf(position), mesh, layout->dims()).cuts;
    for (size_t factor = 0; factor < claim.cuts.size(); ++factor) {
      if (!mayCut(static_cast<int>(factor)))
        claim.cuts[factor].clear();
      claim.cuts[factor] = dist::canonicalCuts(claim.cuts[factor], rule.factors[factor].size);
    }
    if (layout->ragged() && !ragged)
      if (auto factors = rule.raggedFactors(factorsOf(position), layout->ragged()->dims))
        ragged = dist::RaggedFactors{*factors, layout->ragged()->axis, layout->ragged()->units};
    claims.push_back(std::move(claim));
  }
  llvm::stable_sort(claims, [](const Claim &a, const Claim &b) { return a.bytes > b.bytes; });
}

void Chooser::collectPartials() {
  partialOptions.emplace_back();
  // Axes in the finest parts that operands name.
  std::vector<SubAxis> atoms;
  for (const ChoiceTensor &operand : operands) {
    if (operand.available.empty() || !operand.available.front().partial())
      continue;
    std::vector<SubAxis> axes = operand.available.front().partial()->axes;
    std::optional<std::vector<SubAxis>> finer = layout::refine(axes, atoms);
    std::optional<std::vector<SubAxis>> others = layout::refine(atoms, axes);
    if (!finer || !others)
      return;
    atoms = std::move(*others);
    for (const SubAxis &axis : *finer)
      if (!llvm::is_contained(atoms, axis))
        atoms.push_back(axis);
  }
  for (const dist::PartialPass &pass : rule.passes) {
    std::vector<dist::PartialOperands> all;
    for (const SubAxis &atom : atoms) {
      bool meets = llvm::any_of(pass.operands, [&](int operand) {
        const std::vector<Layout> &available = operands[operand].available;
        return !available.empty() && available.front().partial() &&
               available.front().partial()->reduction == pass.operandReduction &&
               llvm::any_of(available.front().partial()->axes,
                            [&](const SubAxis &axis) { return layout::contains(axis, atom); });
      });
      if (meets)
        all.push_back({atom, pass.operandReduction, pass.operands});
    }
    if (all.empty())
      continue;
    partialOptions.push_back(all);
    if (all.size() > 1)
      for (const dist::PartialOperands &one : all)
        partialOptions.push_back({one});
  }
}

bool Chooser::fits(const FactorCuts &cuts, int factor, SubAxis axis) const {
  bool reduced = rule.factors[factor].reduction.has_value();
  auto apart = [&](size_t position) {
    for (const auto &dim : factorsOf(position).dims)
      for (int other : dim)
        for (const Cut &cut : cuts[other])
          if (layout::overlaps(cut.axis, axis))
            return false;
    return true;
  };
  if (!llvm::all_of(positionsOf[factor], apart))
    return false;
  for (size_t result = operands.size(); reduced && result < count(); ++result)
    if (!apart(result))
      return false;
  // A reduced factor's axes are in the partial part of results.
  if (!reduced)
    for (size_t other = 0; other < cuts.size(); ++other)
      if (rule.factors[other].reduction)
        for (const Cut &cut : cuts[other])
          if (layout::overlaps(cut.axis, axis))
            return false;
  return true;
}

FactorCuts Chooser::joined(size_t seed) const {
  FactorCuts cuts = claims[seed].cuts;
  for (const Claim &claim : claims)
    for (size_t factor = 0; factor < cuts.size(); ++factor) {
      const Dim &more = claim.cuts[factor];
      Dim &have = cuts[factor];
      if (more.size() <= have.size() || !std::equal(have.begin(), have.end(), more.begin()))
        continue;
      for (size_t i = have.size(); i < more.size(); ++i) {
        if (!fits(cuts, static_cast<int>(factor), more[i].axis))
          break;
        have.push_back(more[i]);
      }
    }
  return cuts;
}

/// The common case, without prices: all tensors say the same and nothing is to be reduced.
std::optional<CutChoice> Chooser::agreed() const {
  CutChoice choice;
  choice.cuts.cuts.resize(rule.factors.size());
  for (const Claim &claim : claims)
    for (size_t factor = 0; factor < claim.cuts.size(); ++factor) {
      Dim &have = choice.cuts.cuts[factor];
      if (have.empty())
        have = claim.cuts[factor];
    }
  choice.cuts.ragged = ragged;
  layout::StatusOr<dist::OpLayouts> layouts = dist::layoutsOf(rule, mesh, choice.cuts);
  if (!layouts.ok())
    return std::nullopt;
  for (size_t position = 0; position < count(); ++position) {
    const ChoiceTensor &it = tensor(position);
    const Layout &needed = position < operands.size() ? layouts->operands[position]
                                                      : layouts->results[position - operands.size()];
    if (position < operands.size() ? it.available.empty() : !it.isResultTensor)
      continue;
    const Layout *have = position < operands.size() ? &it.available.front()
                         : it.wanted                ? &*it.wanted
                                                    : &needed;
    if (needed.partial() || !sameLayout(*have, needed, it.shape))
      return std::nullopt;
  }
  choice.layouts = std::move(*layouts);
  return choice;
}

bool Chooser::add(ChoicePrice &price, const Layout &from, const Layout &to,
                  const ChoiceTensor &tensor, double share) const {
  if (sameLayout(from, to, tensor.shape))
    return true;
  layout::StatusOr<layout::Plan> plan =
      layout::planRedistribution(from, to, tensor.shape, tensor.elementBytes);
  if (!plan.ok())
    return false;
  price.bytes += static_cast<double>(plan->bytes()) * share;
  price.launches += plan->launches() * share;
  price.changes += 1;
  // Making a value partial sends nothing, but every device writes the whole of it.
  if (to.partial() && !from.partial()) {
    double bytes = static_cast<double>(tensor.elementBytes);
    for (int dim = 0; dim < to.rank(); ++dim)
      bytes *= static_cast<double>(tensor.shape[dim]) / static_cast<double>(shardsOf(to.dim(dim)));
    price.bytes += bytes * writeShare;
  }
  return true;
}

bool Chooser::price(CutChoice &choice) const {
  ChoicePrice price;
  price.work = 1;
  for (size_t factor = 0; factor < rule.factors.size(); ++factor) {
    const Dim &cuts = choice.cuts.cuts[factor];
    int64_t length = rule.factors[factor].size;
    for (const Cut &cut : cuts)
      length = layout::cutLength(cut, length, 0);
    price.work *= static_cast<double>(std::max<int64_t>(length, 1));
    if (choice.cuts.ragged && factor == static_cast<size_t>(choice.cuts.ragged->factors.front()))
      price.work /= static_cast<double>(choice.cuts.ragged->axis.size);
    if (cuts.empty() || rule.factors[factor].kind != FactorKind::decomposable)
      continue;
    choice.decomposes = true;
  }
  // What is exchanged inside a cut op is as large as its largest tensor without the factor: the
  // maximum and the sum of a softmax. Components of one op share what they exchange.
  if (choice.decomposes && isWholeOp) {
    double inner = 0;
    for (size_t position = 0; position < count(); ++position) {
      double bytes = static_cast<double>(tensor(position).elementBytes);
      for (const auto &dim : factorsOf(position).dims)
        for (int factor : dim) {
          bool cut = rule.factors[factor].kind == FactorKind::decomposable &&
                     !choice.cuts.cuts[factor].empty();
          double length = static_cast<double>(rule.factors[factor].size);
          for (const Cut &by : choice.cuts.cuts[factor])
            length /= static_cast<double>(by.axis.size);
          bytes *= cut ? 1 : length;
        }
      inner = std::max(inner, bytes);
    }
    price.bytes += 4 * inner;
    price.launches += 2;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const ChoiceTensor &operand = operands[i];
    if (operand.available.empty())
      continue;
    const Layout &needed = choice.layouts.operands[i];
    if (layout::Status legal = layout::checkLegal(needed, operand.shape); !legal.ok())
      return false;
    std::optional<ChoicePrice> cheapest;
    for (const Layout &from : operand.available) {
      ChoicePrice one;
      // Uses share a reduction, which serves them all.
      double share = from.partial() && !needed.partial() ? 1.0 / operand.uses
                     : operand.isParameter ? analysis::UnknownMachine::exposedShareOfParameters
                                          : 1.0;
      if (add(one, from, needed, operand, share) && (!cheapest || one < *cheapest))
        cheapest = one;
    }
    if (!cheapest)
      return false;
    price.bytes += cheapest->bytes;
    price.launches += cheapest->launches;
    price.changes += cheapest->changes;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const ChoiceTensor &result = results[i];
    if (!result.isResultTensor)
      continue;
    const Layout &natural = choice.layouts.results[i];
    if (layout::Status legal = layout::checkLegal(natural, result.shape); !legal.ok())
      return false;
    Layout target = result.wanted ? *result.wanted
                                  : Layout::fromChecked(mesh, natural.dims(), std::nullopt,
                                                        natural.ragged());
    if (!add(price, natural, target, result, choice.cuts.partials.empty() ? 1.0 : laterShare))
      return false;
  }
  choice.price = price;
  return true;
}

void Chooser::consider(dist::OpCuts cuts) {
  ++statistics.candidates;
  CutChoice choice;
  choice.cuts = std::move(cuts);
  layout::StatusOr<dist::OpLayouts> layouts = dist::layoutsOf(
      rule, mesh, choice.cuts,
      canDecompose ? dist::Decomposition::assumed : dist::Decomposition::refused);
  if (!layouts.ok())
    return;
  choice.layouts = std::move(*layouts);
  if (price(choice) && (!best || choice.price < best->price))
    best = std::move(choice);
}

void Chooser::consider(const FactorCuts &cuts) {
  for (const std::vector<dist::PartialOperands> &partials : partialOptions) {
    consider(dist::OpCuts{cuts, partials, std::nullopt});
    if (ragged)
      consider(dist::OpCuts{cuts, partials, ragged});
  }
}

/// Leaves out one cut of the best candidate while that is cheaper.
void Chooser::improve() {
  for (bool better = true; better;) {
    better = false;
    FactorCuts cuts = best->cuts.cuts;
    size_t axes = 0;
    for (const Dim &dim : cuts)
      axes += dim.size();
    if (axes > seedLimit)
      return;
    for (size_t factor = 0; factor < cuts.size() && !better; ++factor)
      for (size_t i = 0; i < cuts[factor].size() && !better; ++i) {
        FactorCuts fewer = cuts;
        fewer[factor].erase(fewer[factor].begin() + i);
        ChoicePrice before = best->price;
        consider(fewer);
        better = best->price < before;
      }
  }
}

CutChoice Chooser::choose() {
  collectClaims();
  if (std::optional<CutChoice> choice = agreed())
    return std::move(*choice);
  collectPartials();
  std::vector<FactorCuts> tried;
  auto once = [&](FactorCuts cuts) {
    if (llvm::is_contained(tried, cuts))
      return;
    tried.push_back(cuts);
    consider(cuts);
  };
  for (size_t seed = 0; seed < claims.size() && tried.size() < seedLimit; ++seed) {
    once(joined(seed));
    once(claims[seed].cuts);
  }
  once(FactorCuts(rule.factors.size()));
  improve();
  return std::move(*best);
}

} // namespace

CutChoice chooseCuts(const dist::IndexingRule &rule, const layout::Mesh &mesh,
                     const std::vector<ChoiceTensor> &operands,
                     const std::vector<ChoiceTensor> &results, bool canDecompose,
                     ChoiceStatistics &statistics) {
  std::vector<dist::RuleComponent> components = dist::componentsOf(rule);
  if (components.size() == 1)
    return Chooser(rule, mesh, operands, results, canDecompose, true, statistics).choose();
  CutChoice all;
  all.cuts.cuts.resize(rule.factors.size());
  all.layouts.operands.assign(operands.size(), Layout::replicated(mesh, 0));
  all.layouts.results.assign(results.size(), Layout::replicated(mesh, 0));
  for (const dist::RuleComponent &component : components) {
    std::vector<ChoiceTensor> partOperands, partResults;
    for (int operand : component.operands)
      partOperands.push_back(operands[operand]);
    for (int result : component.results)
      partResults.push_back(results[result]);
    CutChoice part =
        Chooser(component.rule, mesh, partOperands, partResults, canDecompose, false, statistics)
            .choose();
    all.decomposes |= part.decomposes;
    for (auto [local, factor] : llvm::enumerate(component.factors))
      all.cuts.cuts[factor] = part.cuts.cuts[local];
    for (auto [local, operand] : llvm::enumerate(component.operands))
      all.layouts.operands[operand] = part.layouts.operands[local];
    for (auto [local, result] : llvm::enumerate(component.results))
      all.layouts.results[result] = part.layouts.results[local];
  }
  return all;
}

} // namespace vescale
