//===- CutChoice.cpp - Which of its factors an op is cut on ------------------------------------===//

#include "passes/placement/CutChoice.h"

#include "layout/Cutting.h"
#include "layout/Legality.h"
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

bool ChoicePrice::operator<(const ChoicePrice &other) const {
  // Uses share prices, so equality is up to rounding.
  double rounding = 1e-9 * std::max(seconds, other.seconds) + 2.5e-11;
  if (seconds < other.seconds - rounding || other.seconds < seconds - rounding)
    return seconds < other.seconds;
  return changes < other.changes;
}

namespace {

/// More seeds than this say little new: the op has many operands that do not meet.
constexpr size_t seedLimit = 8;

class Chooser {
public:
  Chooser(const ChoiceProblem &problem, MovePrices &prices, ChoiceStatistics &statistics)
      : rule(problem.rule), mesh(problem.mesh), operands(problem.operands),
        results(problem.results), canDecompose(problem.canDecompose),
        isWholeOp(problem.isWholeOp), prices(prices), statistics(statistics) {}

  CutChoice choose();
  std::vector<CutChoice> list();

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
  void addSeeds();
  void addClaim(size_t position, const Layout &layout);
  /// Whether all tensors may have the layouts of the choice.
  bool isLegal(const CutChoice &choice) const;
  void priceComputing(CutChoice &choice) const;
  bool priceMoves(CutChoice &choice) const;
  bool add(ChoicePrice &price, const Layout &from, const Layout &to, const ChoiceTensor &tensor,
           double share) const;
  void improve();

  const dist::IndexingRule &rule;
  const layout::Mesh &mesh;
  const std::vector<ChoiceTensor> &operands;
  const std::vector<ChoiceTensor> &results;
  bool canDecompose;
  bool isWholeOp;
  MovePrices &prices;
  ChoiceStatistics &statistics;
  /// Where set, candidates are kept here and not priced by what they move.
  std::vector<CutChoice> *listed = nullptr;

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
    if (it.wanted)
      addClaim(position, *it.wanted);
    else if (!it.available.empty())
      addClaim(position, it.available.front());
    if (listed)
      for (const Layout &layout : it.suggested)
        addClaim(position, layout);
  }
  llvm::stable_sort(claims, [](const Claim &a, const Claim &b) { return a.bytes > b.bytes; });
}

void Chooser::addClaim(size_t position, const Layout &layout) {
  const ChoiceTensor &it = tensor(position);
  Claim claim{position, static_cast<double>(it.elementBytes), {}};
  for (int64_t size : it.shape)
    claim.bytes *= static_cast<double>(size);
  claim.cuts = dist::projectToFactors(rule, factorsOf(position), mesh, layout.dims()).cuts;
  for (size_t factor = 0; factor < claim.cuts.size(); ++factor) {
    if (!mayCut(static_cast<int>(factor)))
      claim.cuts[factor].clear();
    claim.cuts[factor] = dist::canonicalCuts(claim.cuts[factor], rule.factors[factor].size);
  }
  if (layout.ragged() && !ragged)
    if (auto factors = rule.raggedFactors(factorsOf(position), layout.ragged()->dims))
      ragged = dist::RaggedFactors{*factors, layout.ragged()->axis, layout.ragged()->units};
  claims.push_back(std::move(claim));
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
  priceComputing(choice);
  return choice;
}

bool Chooser::add(ChoicePrice &price, const Layout &from, const Layout &to,
                  const ChoiceTensor &tensor, double share) const {
  int shape = prices.shapeNumber(tensor.shape);
  int before = prices.layoutNumber(from, shape), after = prices.layoutNumber(to, shape);
  if (before == after)
    return true;
  double seconds = prices.seconds(before, after, shape, tensor.elementBytes);
  price.seconds += seconds * share;
  price.changes += 1;
  return seconds < std::numeric_limits<double>::infinity();
}

bool Chooser::isLegal(const CutChoice &choice) const {
  for (size_t position = 0; position < count(); ++position) {
    const ChoiceTensor &it = tensor(position);
    const Layout &layout = position < operands.size()
                               ? choice.layouts.operands[position]
                               : choice.layouts.results[position - operands.size()];
    if (it.isTensor() && !layout::checkLegal(layout, it.shape).ok())
      return false;
  }
  return true;
}

void Chooser::priceComputing(CutChoice &choice) const {
  double points = 1;
  int64_t elementBytes = 1;
  for (size_t position = 0; position < count(); ++position)
    if (tensor(position).isTensor())
      elementBytes = std::max(elementBytes, tensor(position).elementBytes);
  for (size_t factor = 0; factor < rule.factors.size(); ++factor) {
    const Dim &cuts = choice.cuts.cuts[factor];
    int64_t length = rule.factors[factor].size;
    for (const Cut &cut : cuts)
      length = layout::cutLength(cut, length, 0);
    points *= static_cast<double>(std::max<int64_t>(length, 1));
    choice.decomposes |=
        !cuts.empty() && rule.factors[factor].kind == FactorKind::decomposable;
  }
  if (choice.cuts.ragged)
    points /= static_cast<double>(choice.cuts.ragged->axis.size);
  choice.computing = points * prices.model().pointSeconds(elementBytes);
  if (!choice.decomposes || !isWholeOp)
    return;
  // What is exchanged inside a cut op is as large as its largest tensor without the factor: the
  // maximum and the sum of a softmax, each an all-reduce.
  layout::Shape shape;
  double most = -1;
  for (size_t position = 0; position < count(); ++position) {
    layout::Shape without;
    double elements = 1;
    for (const auto &dim : factorsOf(position).dims) {
      without.push_back(1);
      for (int factor : dim) {
        bool cut = rule.factors[factor].kind == FactorKind::decomposable &&
                   !choice.cuts.cuts[factor].empty();
        int64_t length = rule.factors[factor].size;
        for (const Cut &by : choice.cuts.cuts[factor])
          length = layout::cutLength(by, length, 0);
        without.back() *= cut ? 1 : std::max<int64_t>(length, 1);
      }
      elements *= static_cast<double>(without.back());
    }
    if (elements > most) {
      most = elements;
      shape = without;
    }
  }
  std::vector<SubAxis> axes;
  for (size_t factor = 0; factor < rule.factors.size(); ++factor)
    if (rule.factors[factor].kind == FactorKind::decomposable)
      for (const Cut &cut : choice.cuts.cuts[factor])
        axes.push_back(cut.axis);
  int number = prices.shapeNumber(shape);
  Layout whole = Layout::replicated(mesh, static_cast<int>(shape.size()));
  Layout partial = Layout::fromChecked(mesh, whole.dims(),
                                       layout::Partial{layout::Reduction::sum, std::move(axes)});
  choice.computing += 2 * prices.seconds(prices.layoutNumber(partial, number),
                                         prices.layoutNumber(whole, number), number, elementBytes);
}

bool Chooser::priceMoves(CutChoice &choice) const {
  ChoicePrice price;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ChoiceTensor &operand = operands[i];
    if (operand.available.empty())
      continue;
    const Layout &needed = choice.layouts.operands[i];
    std::optional<ChoicePrice> cheapest;
    for (const Layout &from : operand.available) {
      ChoicePrice one;
      // Uses share a reduction, which serves them all.
      double share = from.partial() && !needed.partial() ? 1.0 / operand.uses
                     : operand.isParameter ? prices.model().exposedShareOfParameters()
                                           : 1.0;
      if (add(one, from, needed, operand, share) && (!cheapest || one < *cheapest))
        cheapest = one;
    }
    if (!cheapest)
      return false;
    price.seconds += cheapest->seconds;
    price.changes += cheapest->changes;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const ChoiceTensor &result = results[i];
    if (!result.isResultTensor)
      continue;
    const Layout &natural = choice.layouts.results[i];
    Layout target = result.wanted ? *result.wanted
                                  : Layout::fromChecked(mesh, natural.dims(), std::nullopt,
                                                        natural.ragged());
    if (!add(price, natural, target, result, 1))
      return false;
  }
  choice.price = price;
  choice.price.seconds += choice.computing;
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
  if (!isLegal(choice))
    return;
  priceComputing(choice);
  if (listed)
    listed->push_back(std::move(choice));
  else if (priceMoves(choice) && (!best || choice.price < best->price))
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

void Chooser::addSeeds() {
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
}

CutChoice Chooser::choose() {
  collectClaims();
  if (std::optional<CutChoice> choice = agreed())
    return std::move(*choice);
  collectPartials();
  addSeeds();
  improve();
  return std::move(*best);
}

std::vector<CutChoice> Chooser::list() {
  std::vector<CutChoice> all;
  listed = &all;
  collectClaims();
  collectPartials();
  addSeeds();
  return all;
}

} // namespace

CutChoice chooseCuts(const ChoiceProblem &problem, MovePrices &prices,
                     ChoiceStatistics &statistics) {
  return Chooser(problem, prices, statistics).choose();
}

std::vector<CutChoice> listCuts(const ChoiceProblem &problem, MovePrices &prices,
                                ChoiceStatistics &statistics) {
  return Chooser(problem, prices, statistics).list();
}

} // namespace vescale
