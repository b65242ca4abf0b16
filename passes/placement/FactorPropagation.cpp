//===- FactorPropagation.cpp - What one op passes on between its tensors --------------------===//

#include "passes/placement/FactorPropagation.h"

#include "dialects/dist/RuleCheck.h"
#include "layout/Cutting.h"
#include "layout/Legality.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace vescale {

using layout::Cut;
using layout::Dim;
using layout::SubAxis;

namespace {

int64_t shards(const Dim &cuts) {
  int64_t product = 1;
  for (const Cut &cut : cuts)
    product *= cut.axis.size;
  return product;
}

/// Whether a dim is cut plainly and then inside of what that left: flattening 4x4, cut by a and by b
/// of size 2, would give `{"a", "b" / 2}`, whose devices hold strided pieces. Such layouts hold where
/// a user asks for them and do not spread. One interleaved cut does: it is what a flattened
/// (3, heads, head size) dim has.
bool cutsStride(const Dim &dim) {
  return dim.size() > 1 && dim.front().interleave == 1 &&
         llvm::any_of(dim, [](const Cut &cut) { return cut.interleave != 1; });
}

/// The axes that all tensors of one factor agree on, and where they were learned.
struct Learned {
  Dim cuts;
  int source = -1;
};

class NodePropagation {
public:
  NodePropagation(const PropagationNode &node, const layout::Mesh &mesh,
                  std::vector<TensorState> &tensors, const PropagationStep &step)
      : node(node), mesh(mesh), tensors(tensors), step(step),
        forward(step.forward && node.forward), backward(step.backward && node.backward) {}

  void run(PropagationListener listener);

private:
  /// One tensor of the node, seen through the factors.
  struct View {
    TensorState *state = nullptr;
    dist::Projection projection;
    /// For each factor, the dim that has it, or -1.
    llvm::SmallVector<int, 4> dimOf;
    bool changed = false;
    int source = -1;
  };

  bool isResult(int position) const { return position >= node.numOperands; }
  bool isSource(int position) const { return isResult(position) ? backward : forward; }
  bool isTarget(int position) const { return isResult(position) ? forward : backward; }

  bool takesPart(int factor) const;
  Learned learn(int factor) const;
  /// How much of `axis`, its major part, tensor `position` can take on `factor`; size 1 if none.
  SubAxis takeable(int position, int factor, SubAxis axis) const;
  /// The part of `learned` that the tensor has already or can take.
  Dim fit(int position, int factor, const Dim &learned) const;
  /// Whether an axis of the tensor's other factors overlaps `axis`; cuts `axis` down to what does
  /// not.
  SubAxis withoutOthers(const View &view, int factor, SubAxis axis) const;
  void assign(int position, int factor, const Dim &cuts, int source);

  void runBasic();
  void runAggressive();
  llvm::SmallVector<int, 8> aggressiveOrder(llvm::ArrayRef<Learned> learned) const;
  /// Seconds of what moves where the op is cut on this factor, and on others only as far as that
  /// leaves them axes: what tensors hold already goes to where the op needs it, and results from
  /// where it gives them. Tensors that nothing cuts yet are open and move for free.
  double priceOf(int factor, llvm::ArrayRef<Learned> learned) const;

  const PropagationNode &node;
  const layout::Mesh &mesh;
  std::vector<TensorState> &tensors;
  const PropagationStep &step;
  bool forward, backward;
  llvm::SmallVector<View, 4> views;
};

bool NodePropagation::takesPart(int factor) const {
  switch (node.rule.factors[factor].kind) {
  case dist::FactorKind::replicated:
  case dist::FactorKind::permuted:
    return false;
  case dist::FactorKind::reduced:
  case dist::FactorKind::decomposable:
    return step.allFactors;
  case dist::FactorKind::parallel:
    return true;
  }
  return false;
}

Learned NodePropagation::learn(int factor) const {
  Learned learned;
  int64_t length = node.rule.factors[factor].size;
  struct Rest {
    int position;
    Dim cuts;
    size_t next = 0;
  };
  llvm::SmallVector<Rest, 4> rests;
  for (int position = 0; position < static_cast<int>(views.size()); ++position)
    if (views[position].state && views[position].dimOf[factor] >= 0 &&
        !views[position].projection.cuts[factor].empty())
      rests.push_back({position, views[position].projection.cuts[factor]});
  while (true) {
    llvm::erase_if(rests, [](const Rest &rest) { return rest.next == rest.cuts.size(); });
    if (llvm::none_of(rests, [&](const Rest &rest) { return isSource(rest.position); }))
      return learned;
    Cut agreed = rests.front().cuts[rests.front().next];
    bool stops = false;
    for (const Rest &rest : rests) {
      const Cut &cut = rest.cuts[rest.next];
      if (cut.interleave != agreed.interleave || cut.block != agreed.block)
        return learned;
      if (cut.axis == agreed.axis)
        continue;
      std::optional<SubAxis> common = layout::commonPrefix(cut.axis, agreed.axis);
      // A part of an axis cuts like the whole of it only where the cut is even.
      if (!common || !step.subAxes || !layout::isEven(cut, length) ||
          !layout::isEven(agreed, length))
        return learned;
      stops |= *common != cut.axis && *common != agreed.axis;
      agreed.axis = *common;
    }
    for (Rest &rest : rests) {
      Cut &cut = rest.cuts[rest.next];
      if (cut.axis == agreed.axis) {
        ++rest.next;
        continue;
      }
      cut.axis = layout::split(cut.axis, agreed.axis.size)->second;
    }
    learned.cuts.push_back(agreed);
    if (layout::isEven(agreed, length))
      length /= agreed.axis.size;
    // The source is the largest of the tensors that know this axis.
    learned.source = -1;
    for (const Rest &rest : rests)
      if (isSource(rest.position) &&
          (learned.source < 0 ||
           views[rest.position].state->elements > views[learned.source].state->elements))
        learned.source = rest.position;
    if (stops)
      return learned;
  }
}

SubAxis NodePropagation::withoutOthers(const View &view, int factor, SubAxis axis) const {
  auto restrict = [&](const Dim &cuts) {
    for (const Cut &cut : cuts) {
      if (axis.size == 1 || !layout::overlaps(axis, cut.axis))
        continue;
      std::optional<SubAxis> left =
          step.subAxes ? layout::prefixWithout(axis, cut.axis) : std::nullopt;
      axis = left ? *left : SubAxis{axis.axis, axis.pre, 1};
    }
  };
  for (size_t other = 0; other < view.projection.cuts.size(); ++other)
    if (static_cast<int>(other) != factor)
      restrict(view.projection.cuts[other]);
  for (const Dim &rest : view.projection.overflow)
    restrict(rest);
  return axis;
}

SubAxis NodePropagation::takeable(int position, int factor, SubAxis axis) const {
  const View &view = views[position];
  int dim = view.dimOf[factor];
  if (view.state->closed.test(dim) || !view.projection.overflow[dim].empty())
    return {axis.axis, axis.pre, 1};
  axis = withoutOthers(view, factor, axis);
  for (const SubAxis &unusable : view.state->unusable) {
    if (axis.size == 1 || !layout::overlaps(axis, unusable))
      continue;
    std::optional<SubAxis> left =
        step.subAxes ? layout::prefixWithout(axis, unusable) : std::nullopt;
    axis = left ? *left : SubAxis{axis.axis, axis.pre, 1};
  }
  return axis;
}

Dim NodePropagation::fit(int position, int factor, const Dim &learned) const {
  const View &view = views[position];
  int64_t have = shards(view.projection.cuts[factor]);
  Dim taken;
  dist::FactorCuts cuts;
  int64_t length = node.rule.factors[factor].size;
  for (const Cut &cut : learned) {
    if (shards(taken) < have) {
      taken.push_back(cut);
      if (layout::isEven(cut, length))
        length /= cut.axis.size;
      continue;
    }
    Cut part = cut;
    part.axis = takeable(position, factor, cut.axis);
    if (part.axis.size == 1 || (part.axis != cut.axis && !layout::isEven(cut, length)))
      break;
    taken.push_back(part);
    cuts = view.projection.cuts;
    cuts[factor] = taken;
    std::optional<Dim> dim =
        dist::dimOfFactors(node.rule, node.factorsOf(position).dims[view.dimOf[factor]], cuts);
    if (!dim || cutsStride(*dim)) {
      taken.pop_back();
      break;
    }
    if (part.axis != cut.axis)
      break;
    if (layout::isEven(cut, length))
      length /= cut.axis.size;
  }
  return taken;
}

void NodePropagation::assign(int position, int factor, const Dim &cuts, int source) {
  View &view = views[position];
  if (shards(cuts) <= shards(view.projection.cuts[factor]))
    return;
  view.projection.cuts[factor] = dist::canonicalCuts(cuts, node.rule.factors[factor].size);
  view.changed = true;
  view.source = source;
}

void NodePropagation::runBasic() {
  for (int factor = 0; factor < static_cast<int>(node.rule.factors.size()); ++factor) {
    if (!takesPart(factor))
      continue;
    Learned learned = learn(factor);
    if (learned.source < 0)
      continue;
    // What every tensor of the op can take: those without the factor must not use the axes.
    for (int position = 0; position < static_cast<int>(views.size()); ++position) {
      const View &view = views[position];
      if (!view.state)
        continue;
      if (view.dimOf[factor] >= 0) {
        if (shards(learned.cuts) > shards(view.projection.cuts[factor]))
          learned.cuts = fit(position, factor, learned.cuts);
        continue;
      }
      for (size_t i = 0; i < learned.cuts.size(); ++i) {
        SubAxis axis = withoutOthers(view, factor, learned.cuts[i].axis);
        if (axis == learned.cuts[i].axis)
          continue;
        learned.cuts.resize(i);
        break;
      }
    }
    for (int position = 0; position < static_cast<int>(views.size()); ++position)
      if (views[position].state && views[position].dimOf[factor] >= 0 && isTarget(position))
        assign(position, factor, learned.cuts, learned.source);
  }
}

static bool anyOverlaps(const Dim &left, const Dim &right) {
  for (const Cut &a : left)
    for (const Cut &b : right)
      if (layout::overlaps(a.axis, b.axis))
        return true;
  return false;
}

double NodePropagation::priceOf(int factor, llvm::ArrayRef<Learned> learned) const {
  dist::OpCuts cuts;
  cuts.cuts.resize(learned.size());
  cuts.cuts[factor] = learned[factor].cuts;
  for (size_t other = 0; other < learned.size(); ++other)
    if (static_cast<int>(other) != factor && learned[other].source >= 0 &&
        llvm::none_of(cuts.cuts, [&](const Dim &taken) {
          return anyOverlaps(taken, learned[other].cuts);
        }))
      cuts.cuts[other] = learned[other].cuts;
  layout::StatusOr<dist::OpLayouts> layouts =
      dist::layoutsOf(node.rule, mesh, cuts, dist::Decomposition::assumed);
  if (!layouts.ok())
    return std::numeric_limits<double>::infinity();
  double seconds = 0;
  for (int position = 0; position < static_cast<int>(views.size()); ++position) {
    const TensorState *state = views[position].state;
    if (!state)
      continue;
    layout::Layout held = layout::Layout::fromChecked(mesh, state->dims);
    const layout::Layout &needed = isResult(position)
                                       ? layouts->results[position - node.numOperands]
                                       : layouts->operands[position];
    if (!state->isCut()) {
      if (!isResult(position) || !needed.partial())
        continue;
      held = layout::Layout::fromChecked(mesh, needed.dims());
    }
    layout::Shape sizes(state->shape.begin(), state->shape.end());
    if (!layout::checkLegal(needed, sizes).ok() || !layout::checkLegal(held, sizes).ok())
      return std::numeric_limits<double>::infinity();
    int shape = step.prices->shapeNumber(sizes);
    int from = step.prices->layoutNumber(isResult(position) ? needed : held, shape);
    int to = step.prices->layoutNumber(isResult(position) ? held : needed, shape);
    constexpr int64_t elementBytes = 4;
    seconds += step.prices->seconds(from, to, shape, elementBytes);
  }
  return seconds;
}

llvm::SmallVector<int, 8>
NodePropagation::aggressiveOrder(llvm::ArrayRef<Learned> learned) const {
  llvm::SmallVector<int, 8> order;
  for (size_t factor = 0; factor < learned.size(); ++factor)
    if (learned[factor].source >= 0)
      order.push_back(static_cast<int>(factor));
  // Prices are asked for only where two factors want one axis.
  bool conflict = false;
  for (int a : order)
    for (int b : order)
      conflict |= a < b && anyOverlaps(learned[a].cuts, learned[b].cuts);
  std::vector<double> prices(learned.size(), 0);
  if (conflict && step.prices)
    for (int factor : order)
      prices[factor] = priceOf(factor, learned);
  llvm::stable_sort(order, [&](int a, int b) {
    const Learned &left = learned[a], &right = learned[b];
    double rounding = 1e-9 * std::min(prices[a], prices[b]);
    if (std::abs(prices[a] - prices[b]) > rounding)
      return prices[a] < prices[b];
    if (step.elementwise) {
      int64_t leftShards = shards(left.cuts), rightShards = shards(right.cuts);
      if (leftShards != rightShards)
        return leftShards > rightShards;
    } else {
      int64_t leftSize = views[left.source].state->elements;
      int64_t rightSize = views[right.source].state->elements;
      if (leftSize != rightSize)
        return leftSize > rightSize;
    }
    return left.source < right.source;
  });
  return order;
}

void NodePropagation::runAggressive() {
  llvm::SmallVector<Learned, 8> learned(node.rule.factors.size());
  for (size_t factor = 0; factor < learned.size(); ++factor)
    if (takesPart(static_cast<int>(factor)))
      learned[factor] = learn(static_cast<int>(factor));
  llvm::SmallVector<int, 8> order = aggressiveOrder(learned);
  int count = static_cast<int>(views.size());
  // Results first: in an elementwise op an operand takes from another operand no more than some
  // result holds.
  for (int i = 0; i < count; ++i) {
    int position = (i + node.numOperands) % count;
    if (!views[position].state || !isTarget(position))
      continue;
    for (int factor : order) {
      if (views[position].dimOf[factor] < 0)
        continue;
      Dim cuts = fit(position, factor, learned[factor].cuts);
      int source = learned[factor].source;
      if (step.elementwise && !isResult(position) && !isResult(source) && count > node.numOperands) {
        int64_t held = 1;
        for (const View &result : llvm::ArrayRef(views).drop_front(node.numOperands))
          if (result.state && result.dimOf[factor] >= 0)
            held = std::max(held, shards(result.projection.cuts[factor]));
        while (!cuts.empty() && shards(cuts) > held)
          cuts.pop_back();
      }
      assign(position, factor, cuts, source);
    }
  }
}

void NodePropagation::run(PropagationListener listener) {
  if (!forward && !backward)
    return;
  bool anyCut = false;
  for (int tensor : node.tensors)
    anyCut |= tensor >= 0 && tensors[tensor].isCut();
  if (!anyCut)
    return;
  views.resize(node.tensors.size());
  for (size_t position = 0; position < views.size(); ++position) {
    if (node.tensors[position] < 0)
      continue;
    View &view = views[position];
    const dist::TensorFactors &factors = node.factorsOf(static_cast<int>(position));
    view.state = &tensors[node.tensors[position]];
    view.projection = dist::projectToFactors(node.rule, factors, mesh, view.state->dims);
    view.dimOf.assign(node.rule.factors.size(), -1);
    for (size_t dim = 0; dim < factors.dims.size(); ++dim)
      for (int factor : factors.dims[dim])
        view.dimOf[factor] = static_cast<int>(dim);
  }
  if (step.strategy == PropagationStrategy::basic)
    runBasic();
  else
    runAggressive();
  for (size_t position = 0; position < views.size(); ++position) {
    View &view = views[position];
    if (!view.changed)
      continue;
    const dist::TensorFactors &factors = node.factorsOf(static_cast<int>(position));
    bool changed = false;
    for (size_t dim = 0; dim < factors.dims.size(); ++dim) {
      if (!view.projection.overflow[dim].empty())
        continue;
      std::optional<Dim> cuts =
          dist::dimOfFactors(node.rule, factors.dims[dim], view.projection.cuts);
      if (!cuts || shards(*cuts) <= shards(view.state->dims[dim]))
        continue;
      // An operand that stands twice in an op, with its dims in another order, learns twice: what
      // it took at one place, it cannot take at the other.
      bool taken = false;
      for (size_t other = 0; other < factors.dims.size(); ++other)
        taken |= other != dim && anyOverlaps(*cuts, view.state->dims[other]);
      if (taken)
        continue;
      view.state->dims[dim] = std::move(*cuts);
      changed = true;
    }
    if (changed)
      listener(static_cast<int>(position), view.source);
  }
}

} // namespace

void propagateThroughNode(const PropagationNode &node, const layout::Mesh &mesh,
                          std::vector<TensorState> &tensors, const PropagationStep &step,
                          PropagationListener listener) {
  NodePropagation(node, mesh, tensors, step).run(listener);
}

} // namespace vescale
