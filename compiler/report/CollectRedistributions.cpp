//===- CollectRedistributions.cpp - What moves, why, and what else could have ------------------===//

#include "compiler/report/CollectReport.h"

#include "analysis/provenance/ValueNames.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsInterfaces.h"
#include "layout/Redistribution.h"
#include "layout/StepPrice.h"
#include "passes/placement/CutChoice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using vescale::layout::Layout;

namespace vescale {

namespace {

layout::Shape shapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return layout::Shape(shape.begin(), shape.end());
}

int64_t elementBytes(Value value) {
  return std::max<int64_t>(1, cast<RankedTensorType>(value.getType()).getElementTypeBitWidth() / 8);
}

/// The value before it was moved.
Value unmoved(Value value) {
  while (auto move = value.getDefiningOp<dist::RedistributeOp>())
    value = move.getInput();
  return value;
}

/// The op that a moved value is for, and the operand that it is there.
OpOperand *firstUse(Value moved) {
  OpOperand *first = nullptr;
  for (OpOperand &use : moved.getUses())
    if (!first || (use.getOwner()->getBlock() == first->getOwner()->getBlock() &&
                   use.getOwner()->isBeforeInBlock(first->getOwner())))
      first = &use;
  return first;
}

std::string userText(func::FuncOp function, Operation *user) {
  if (!user)
    return "nothing";
  if (!user->hasTrait<OpTrait::IsTerminator>())
    return analysis::describe(user);
  Operation *parent = user->getParentOp();
  return parent == function ? "what " + function.getName().str() + " returns"
                            : "what the body of " + analysis::describe(parent) + " yields";
}

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool cutsDim(const Layout &layout, int dim, int axis) {
  return llvm::any_of(layout.dim(dim), [&](const layout::Cut &cut) {
    return cut.axis.axis == axis;
  });
}

/// An axis of which a dim is cut in one layout and not in the other.
struct ChangedAxis {
  int axis, dim;
};

std::vector<ChangedAxis> changedAxes(const Layout &with, const Layout &without) {
  std::vector<ChangedAxis> changed;
  for (int dim = 0; dim < with.rank(); ++dim)
    for (const layout::Cut &cut : with.dim(dim))
      if (!cutsDim(without, dim, cut.axis.axis))
        changed.push_back({cut.axis.axis, dim});
  return changed;
}

/// Who else has the axis at the use: the first operand, else result, that it cuts.
std::optional<Meeting> meetingAt(func::FuncOp function, OpOperand &use, int axis) {
  Operation *op = use.getOwner();
  SmallVector<Value> others;
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != &use)
      others.push_back(operand.get());
  llvm::append_range(others, op->getResults());
  for (Value other : others) {
    const Layout *layout = dist::getLayout(other);
    for (int dim = 0; layout && dim < layout->rank(); ++dim)
      if (cutsDim(*layout, dim, axis))
        return Meeting{layout->mesh().axis(axis).name, analysis::describe(function, unmoved(other)),
                       dim};
  }
  return std::nullopt;
}

bool isPartialOver(const Layout &layout, int axis) {
  return layout.partial() && llvm::any_of(layout.partial()->axes, [&](const layout::SubAxis &part) {
           return part.axis == axis;
         });
}

/// The op at which a value became partial over an axis: the last one back whose operands are not. Null
/// where that is not in the function.
Operation *partialOrigin(Value value, int axis) {
  while (Operation *op = value.getDefiningOp()) {
    auto partial = llvm::find_if(op->getOperands(), [&](Value operand) {
      const Layout *layout = dist::getLayout(operand);
      return layout && isPartialOver(*layout, axis);
    });
    if (partial == op->operand_end())
      return op;
    value = *partial;
  }
  return nullptr;
}

/// The operands of the op where a value became partial that the axes cut.
void meetAtOrigin(func::FuncOp function, Value value, const Layout &from,
                  std::vector<Meeting> &met) {
  for (const layout::SubAxis &part : from.partial()->axes) {
    Operation *origin = partialOrigin(value, part.axis);
    if (!origin)
      continue;
    for (Value operand : origin->getOperands()) {
      const Layout *layout = dist::getLayout(operand);
      for (int dim = 0; layout && dim < layout->rank(); ++dim)
        if (cutsDim(*layout, dim, part.axis))
          met.push_back({layout->mesh().axis(part.axis).name,
                         analysis::describe(function, unmoved(operand)), dim});
    }
  }
}

/// Why a value moves, from the two layouts and what meets at the use.
std::string causeOf(const RedistributionReport &report, const Layout &from, const Layout &to,
                    Value value) {
  const layout::Mesh &mesh = from.mesh();
  if (from.partial() && (!to.partial() || to.partial()->axes != from.partial()->axes)) {
    std::vector<std::string> axes;
    for (const layout::SubAxis &axis : from.partial()->axes)
      axes.push_back(axisText(mesh, axis));
    Operation *producer = partialOrigin(value, from.partial()->axes.front().axis);
    bool scatters = !changedAxes(to, from).empty();
    return (producer ? analysis::describe(producer) : report.value) +
           " leaves on each device along " + joined(axes) + " a part of a " +
           std::string(layout::str(from.partial()->reduction)) + ", and " + report.user + " needs " +
           (scatters ? "a share of the whole" : "the whole");
  }
  if (to.partial() && !from.partial()) {
    std::vector<std::string> axes;
    for (const layout::SubAxis &axis : to.partial()->axes)
      axes.push_back(axisText(mesh, axis));
    return report.user + " has operands that are parts of a " +
           std::string(layout::str(to.partial()->reduction)) + " along " + joined(axes) +
           ", and this one becomes one";
  }
  std::vector<std::string> parts;
  for (const ChangedAxis &lost : changedAxes(from, to)) {
    const std::string &name = mesh.axis(lost.axis).name;
    std::string part = name + " cuts dim " + std::to_string(lost.dim) + " of " + report.value;
    auto met = llvm::find_if(report.met, [&](const Meeting &one) { return one.axis == name; });
    if (met != report.met.end())
      part += " and dim " + std::to_string(met->dim) + " of " + met->value + ", which meet at " +
              report.user;
    else
      part += ", which " + report.user + " needs whole";
    parts.push_back(part);
  }
  if (!parts.empty())
    return joined(parts);
  for (const ChangedAxis &gained : changedAxes(to, from))
    parts.push_back(report.user + " is cut by " + mesh.axis(gained.axis).name + " on dim " +
                    std::to_string(gained.dim) + " of " + report.value);
  if (!parts.empty())
    return joined(parts);
  return report.user + " needs another order of the same parts";
}

/// What the user's tensors are before any of them moves, for the choice that was made there.
struct Surroundings {
  std::vector<ChoiceTensor> operands, results;
  std::vector<std::optional<Layout>> operandLayouts, resultLayouts;
};

Surroundings surroundingsOf(Operation *op) {
  Surroundings around;
  for (Value operand : op->getOperands()) {
    ChoiceTensor &tensor = around.operands.emplace_back();
    around.operandLayouts.emplace_back();
    const Layout *layout = dist::getLayout(operand);
    if (!layout)
      continue;
    tensor.shape = shapeOf(operand);
    tensor.elementBytes = elementBytes(operand);
    tensor.available = {*dist::getLayout(unmoved(operand))};
    around.operandLayouts.back() = *layout;
  }
  for (Value result : op->getResults()) {
    ChoiceTensor &tensor = around.results.emplace_back();
    around.resultLayouts.emplace_back();
    const Layout *layout = dist::getLayout(result);
    if (!layout)
      continue;
    tensor.shape = shapeOf(result);
    tensor.elementBytes = elementBytes(result);
    tensor.isResultTensor = true;
    tensor.wanted = *layout;
    for (Operation *user : result.getUsers())
      if (auto move = dyn_cast<dist::RedistributeOp>(user))
        tensor.wanted = *dist::getLayout(move.getResult());
    around.resultLayouts.back() = *layout;
  }
  return around;
}

/// All ways to lay out an op, priced alone: what its operands and results would have to move.
std::vector<Alternative> alternativesAt(Operation *op, MovePrices &prices) {
  auto ruled = dyn_cast_or_null<dist::IndexingRuleOpInterface>(op);
  if (!ruled)
    return {};
  Surroundings around = surroundingsOf(op);
  const layout::Mesh *mesh = nullptr;
  for (const std::optional<Layout> &layout : around.operandLayouts)
    if (layout)
      mesh = &layout->mesh();
  if (!mesh)
    return {};
  dist::IndexingRule rule = ruled.getIndexingRule();
  ChoiceStatistics statistics;
  std::vector<Alternative> found;
  for (const CutChoice &choice : listCuts({rule, *mesh, around.operands, around.results,
                                           isa<vs::DecomposableOpInterface>(op), true},
                                          prices, statistics)) {
    Alternative one;
    one.seconds = choice.computing;
    one.chosen = true;
    auto add = [&](const ChoiceTensor &tensor, const Layout &from, const Layout &to) {
      int shape = prices.shapeNumber(tensor.shape);
      one.seconds += prices.seconds(prices.layoutNumber(from, shape), prices.layoutNumber(to, shape),
                                    shape, tensor.elementBytes);
    };
    auto name = [&](const Layout &layout, bool first) {
      one.layouts += (first ? "" : ", ") + layout.str();
    };
    for (size_t i = 0; i < around.operands.size(); ++i)
      if (around.operandLayouts[i]) {
        const Layout &needed = choice.layouts.operands[i];
        add(around.operands[i], around.operands[i].available.front(), needed);
        one.chosen &= needed == *around.operandLayouts[i];
        name(needed, one.layouts.empty());
      }
    one.layouts += " -> ";
    bool first = true;
    for (size_t i = 0; i < around.results.size(); ++i)
      if (around.resultLayouts[i]) {
        const Layout &given = choice.layouts.results[i];
        add(around.results[i], given, *around.results[i].wanted);
        one.chosen &= given == *around.resultLayouts[i];
        name(given, first);
        first = false;
      }
    bool known = llvm::any_of(found, [&](const Alternative &other) {
      return other.layouts == one.layouts;
    });
    if (!known && one.seconds < 1e9)
      found.push_back(one);
  }
  std::stable_sort(found.begin(), found.end(), [](const Alternative &a, const Alternative &b) {
    return a.seconds < b.seconds;
  });
  return found;
}

void priceSteps(const Layout &from, const Layout &to, Value value, const analysis::CostModel &costs,
                RedistributionReport &report) {
  layout::StatusOr<layout::Plan> plan = layout::planRedistribution(
      from, to, shapeOf(value), elementBytes(value), costs.planning());
  if (!plan.ok())
    return;
  for (const layout::Step &step : plan->steps()) {
    std::vector<std::string> axes;
    for (const layout::SubAxis &axis : step.axes)
      axes.push_back(axisText(from.mesh(), axis));
    report.steps.push_back(std::string(layout::str(step.kind)) +
                           (axes.empty() ? "" : " over " + joined(axes)));
  }
  report.bytes = plan->bytes();
  report.seconds = plan->seconds();
  report.runnerUp = plan->runnerUp();
}

} // namespace

void collectRedistributions(ModuleOp module, const analysis::CostModel &costs,
                            bool withAlternatives, Report &report) {
  MovePrices prices(costs);
  for (auto function : module.getOps<func::FuncOp>())
    function.walk<WalkOrder::PreOrder>([&](dist::RedistributeOp move) {
      const Layout &from = *dist::getLayout(move.getInput()), &to = *dist::getLayout(move.getResult());
      OpOperand *use = firstUse(move.getResult());
      RedistributionReport one;
      one.number = static_cast<int64_t>(report.redistributions.size());
      one.function = function.getName().str();
      Value value = unmoved(move.getInput());
      one.value = analysis::describe(function, value);
      one.user = userText(function, use ? use->getOwner() : nullptr);
      auto type = cast<RankedTensorType>(move.getType());
      llvm::raw_string_ostream(one.elementType) << type.getElementType();
      one.shape = shapeOf(move.getResult());
      one.from = from.str();
      one.to = to.str();
      one.location = locationText(move.getLoc());
      one.runs = runsOf(move);
      priceSteps(from, to, move.getResult(), costs, one);
      if (from.partial())
        meetAtOrigin(function, value, from, one.met);
      else if (use)
        for (const ChangedAxis &lost : changedAxes(from, to))
          if (std::optional<Meeting> met = meetingAt(function, *use, lost.axis))
            one.met.push_back(*met);
      one.cause = causeOf(one, from, to, value);
      if (withAlternatives && use)
        one.alternatives = alternativesAt(use->getOwner(), prices);
      auto name = StringAttr::get(module.getContext(),
                                  redistributionLocationPrefix + Twine(one.number));
      move->setLoc(NameLoc::get(name, move->getLoc()));
      report.redistributions.push_back(std::move(one));
    });
}

} // namespace vescale
