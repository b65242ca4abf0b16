//===- CollectCollectives.cpp - What devices send one another ----------------------------------===//

#include "compiler/report/CollectReport.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/StepInterface.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"
#include "layout/StepPrice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mlir;

namespace vescale {

std::string locationText(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

Value beforeStep(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result || !isa<dist::StepOpInterface, dist::WaitOp>(result.getOwner()))
    return {};
  return result.getOwner()->getOperand(result.getResultNumber());
}

/// The tensor that a step's result is when it has been waited for.
static Value arrived(Value moved) {
  for (Operation *user : moved.getUsers())
    if (isa<dist::WaitOp>(user))
      return user->getResult(0);
  return moved;
}

static std::string argumentName(func::FuncOp function, unsigned number) {
  auto name = function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
  return name ? name.str() : "";
}

/// The name of what a step moves: of the argument or tag that it comes from, with steps between.
static std::string sourceName(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto tag = dyn_cast<vs::TagOp>(op))
      return tag.getName().str();
    value = beforeStep(value);
    if (!value)
      return "";
  }
  auto argument = cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function ? argumentName(function, argument.getArgNumber()) : "";
}

/// The name of what a returned value is: the result's own, or that of the argument it replaces.
static std::string resultName(OpOperand &use) {
  auto function = dyn_cast<func::FuncOp>(use.getOwner()->getParentOp());
  if (!function || use.getOperandNumber() >= function.getNumResults())
    return "";
  unsigned number = use.getOperandNumber();
  if (auto name =
          function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName))
    return name.str();
  if (auto alias =
          function.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName))
    return argumentName(function, static_cast<unsigned>(alias.getInt()));
  return "";
}

/// The name of what a value is for: of the nearest tag or result downstream. A gradient's tag names
/// only what becomes it without any computation.
static std::string targetName(Value moved) {
  constexpr int furthest = 4;
  std::vector<Value> front = {moved};
  for (int distance = 0; distance < furthest && !front.empty(); ++distance) {
    std::vector<Value> next;
    for (Value value : front)
      for (OpOperand &use : value.getUses()) {
        if (auto tag = dyn_cast<vs::TagOp>(use.getOwner());
            tag && (distance == 0 || !tag.getName().ends_with(vs::gradientSuffix)))
          return tag.getName().str();
        if (use.getOwner()->hasTrait<OpTrait::IsTerminator>()) {
          if (std::string name = resultName(use); !name.empty())
            return name;
          continue;
        }
        for (Value result : use.getOwner()->getResults())
          next.push_back(result);
      }
    front = std::move(next);
  }
  return "";
}

std::string axisText(const layout::Mesh &mesh, const layout::SubAxis &axis) {
  return layout::isWhole(mesh, axis) ? mesh.axis(axis.axis).name : layout::str(mesh, axis);
}

int64_t runsOf(Operation *op) {
  int64_t runs = 1;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (auto flow = dyn_cast<dist::DataFlowOpInterface>(parent))
      runs *= flow.getRunCount();
  return runs;
}

/// The first op of a function at each place of the model. The adjoint of an op stands later, at the
/// same place.
using FirstOps = llvm::DenseMap<Attribute, Operation *>;

static Attribute placeOf(Operation *op) {
  return op->getLoc()->findInstanceOf<FileLineColLoc>();
}

static FirstOps firstOps(func::FuncOp function) {
  FirstOps first;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (Attribute place = placeOf(op); place && op != function)
      first.try_emplace(place, op);
  });
  return first;
}

/// `backward of h.0.mlp.output` for what no name is near, where the op's adjoint made it.
static std::string forwardName(Operation *step, const FirstOps &first) {
  Attribute place = placeOf(step);
  auto found = place ? first.find(place) : first.end();
  if (found == first.end() || found->second == step)
    return "";
  for (Value result : found->second->getResults())
    if (std::string name = targetName(result); !name.empty())
      return "backward of " + name;
  return "";
}

static CollectiveReport describe(func::FuncOp function, dist::StepOpInterface step,
                                 const FirstOps &first, const layout::LinkCosts *links) {
  CollectiveReport collective;
  collective.function = function.getName().str();
  collective.id = step.getStepId().value_or(-1);
  collective.kind = std::string(layout::str(step.getStepKind()));
  collective.tensors = static_cast<int64_t>(step.getBefore().size());
  collective.runs = runsOf(step);
  collective.location = locationText(step->getLoc());
  step->getLoc()->walk([&](Location location) {
    auto name = dyn_cast<NameLoc>(location);
    StringRef text = name ? name.getName().getValue() : "";
    bool found = text.consume_front(redistributionLocationPrefix) &&
                 !text.getAsInteger(10, collective.redistribution);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  double latency = 0;
  std::set<std::string> seen;
  for (unsigned i = 0; i < step.getBefore().size(); ++i) {
    auto before = cast<RankedTensorType>(step.getBefore()[i].getType());
    RankedTensorType after = step.getAfter()[i];
    const layout::Layout &from = *dist::getLayout(before), &to = *dist::getLayout(after);
    layout::Shape shape(before.getShape().begin(), before.getShape().end());
    layout::StepPrice price =
        layout::priceStep(step.getStepKind(), from, to, shape,
                          std::max<int64_t>(1, before.getElementTypeBitWidth() / 8), links);
    collective.payloadBytes += price.payloadBytes;
    collective.bytes += price.bytes;
    collective.seconds += price.seconds - price.latency;
    latency = std::max(latency, price.latency);
    for (const layout::SubAxis &axis : dist::stepAxes(step, i))
      if (std::string text = axisText(from.mesh(), axis); seen.insert(text).second)
        collective.axes.push_back(text);
    std::string name = sourceName(step.getBefore()[i]);
    if (name.empty() && i < step->getNumResults())
      name = targetName(arrived(step->getResult(i)));
    if (!name.empty() && collective.value.empty())
      collective.value = name;
    if (i > 0)
      continue;
    llvm::raw_string_ostream(collective.elementType) << before.getElementType();
    collective.shape = shape;
    collective.before = from.str();
    collective.after = to.str();
  }
  collective.seconds += latency;
  if (collective.value.empty())
    collective.value = forwardName(step, first);
  return collective;
}

void collectCollectives(ModuleOp module, const layout::LinkCosts *links, Report &report) {
  for (auto function : module.getOps<func::FuncOp>()) {
    FirstOps first = firstOps(function);
    function.walk<WalkOrder::PreOrder>([&](dist::StepOpInterface step) {
      if (!layout::isLocal(step.getStepKind()))
        report.collectives.push_back(describe(function, step, first, links));
    });
  }
}

} // namespace vescale
