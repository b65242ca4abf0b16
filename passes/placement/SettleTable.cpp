//===- SettleTable.cpp - Who needs which value where, and what that costs ----------------------===//

#include "passes/placement/SettleTable.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/RuleComponents.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/VsInterfaces.h"

#include <limits>

using namespace mlir;

namespace vescale {

/// What a redistribution, and a result that stays partial, weigh where prices are equal. No price
/// differs from another one by so little.
static constexpr double grainOfChange = 1e-12, grainOfPartial = 1e-13;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

int SettleTable::valueOf(Value value) const {
  auto found = numbers.find(value);
  return found == numbers.end() ? -1 : found->second;
}

int SettleTable::addValue(Value value) {
  if (!isTensor(value))
    return -1;
  auto [found, added] = numbers.try_emplace(value, static_cast<int>(values.size()));
  if (!added)
    return found->second;
  auto type = cast<RankedTensorType>(value.getType());
  SettleValue entry;
  entry.value = value;
  entry.shape = prices.shapeNumber(layout::Shape(type.getShape().begin(), type.getShape().end()));
  Type element = type.getElementType();
  entry.elementBytes =
      element.isIntOrFloat() ? std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8) : 8;
  if (const layout::Layout *layout = dist::getLayout(value))
    entry.given = entry.wanted = prices.layoutNumber(*layout, entry.shape);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner()->getParentOp() == function) {
    entry.isArgument = true;
    auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      vs::VsDialect::roleAttributeName);
    entry.isParameter = role && role == vs::parameterRole;
  }
  values.push_back(std::move(entry));
  return found->second;
}

void SettleTable::addUnit(SettleUnit unit) {
  int number = static_cast<int>(units.size());
  for (size_t position = 0; position < unit.size(); ++position) {
    int value = unit.value(position);
    if (value < 0)
      continue;
    if (values[value].units.empty() || values[value].units.back() != number)
      values[value].units.push_back(number);
    if (position >= unit.operands.size())
      values[value].producer = number;
  }
  units.push_back(std::move(unit));
}

LogicalResult SettleTable::addOp(Operation *op, double runs) {
  if (auto flow = dyn_cast<dist::DataFlowOpInterface>(op)) {
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges()) {
      if (!isTensor(edge.targets.front()))
        continue;
      SettleUnit unit;
      unit.op = op;
      unit.isEdge = true;
      unit.runs = runs;
      for (OpOperand *source : edge.sources)
        unit.operands.push_back(addValue(source->get()));
      for (Value target : edge.targets)
        unit.results.push_back(addValue(target));
      addUnit(std::move(unit));
    }
    double inside = runs * static_cast<double>(std::max<int64_t>(1, flow.getRunCount()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(addBlock(block, inside)))
          return failure();
    return success();
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (isa<dist::RedistributeOp>(op)) {
    SettleUnit unit;
    unit.op = op;
    unit.runs = runs;
    unit.operands = {addValue(op->getOperand(0))};
    unit.results = {addValue(op->getResult(0))};
    unit.operandNumbers = unit.resultNumbers = {0};
    addUnit(std::move(unit));
    return success();
  }
  auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(op);
  if (!ruled) {
    if (llvm::any_of(op->getOperands(), isTensor) || llvm::any_of(op->getResults(), isTensor))
      return op->emitOpError("states no indexing rule, so it cannot be distributed");
    return success();
  }
  std::vector<dist::RuleComponent> components = dist::componentsOf(ruled.getIndexingRule());
  for (dist::RuleComponent &component : components) {
    SettleUnit unit;
    unit.op = op;
    unit.runs = runs;
    for (int operand : component.operands) {
      unit.operandNumbers.push_back(operand);
      unit.operands.push_back(addValue(op->getOperand(operand)));
    }
    for (int result : component.results) {
      unit.resultNumbers.push_back(result);
      unit.results.push_back(addValue(op->getResult(result)));
    }
    unit.rule = options.shared(std::move(component.rule), isa<vs::DecomposableOpInterface>(op),
                               components.size() == 1);
    addUnit(std::move(unit));
  }
  return success();
}

LogicalResult SettleTable::addBlock(Block &block, double runs) {
  for (Operation &op : block)
    if (failed(addOp(&op, runs)))
      return failure();
  return success();
}

void SettleTable::addFixedUse(Value value, Type type) {
  int number = addValue(value);
  const layout::Layout *layout = dist::getLayout(type);
  if (number < 0 || !layout)
    return;
  int taken = prices.layoutNumber(*layout, values[number].shape);
  for (SettleValue::Taken &use : values[number].taken)
    if (use.layout == taken) {
      ++use.count;
      return;
    }
  values[number].taken.push_back({taken, 1, 1});
}

LogicalResult SettleTable::build() {
  for (Value argument : function.getArguments())
    addValue(argument);
  Block &body = function.getBody().front();
  if (failed(addBlock(body, 1)))
    return failure();
  for (auto [operand, type] :
       llvm::zip(body.getTerminator()->getOperands(), function.getResultTypes()))
    addFixedUse(operand, type);
  return success();
}

double SettleTable::priceOf(const SettleValue &value, std::vector<ValueMove> *moves) const {
  double sum = 0;
  auto seconds = [&](int from, int to, double runs) {
    double price = prices.seconds(from, to, value.shape, value.elementBytes);
    // A parameter's gather can run ahead; to cut it costs nothing anyway.
    if (value.isParameter && !prices.isPartial(from))
      price *= prices.model().exposedShareOfParameters();
    return (price + grainOfChange) * runs;
  };
  llvm::SmallVector<SettleValue::Taken, 4> open;
  for (const SettleValue::Taken &use : value.taken)
    if (use.layout != value.given)
      open.push_back(use);
  llvm::SmallVector<int, 4> known = {value.given};
  while (!open.empty()) {
    size_t next = 0;
    int from = value.given;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < open.size(); ++i)
      for (int layout : known)
        if (double price = seconds(layout, open[i].layout, open[i].runs); price < least) {
          least = price;
          next = i;
          from = layout;
        }
    sum += least;
    if (moves)
      moves->push_back({from, open[next].layout});
    if (!value.isArgument)
      known.push_back(open[next].layout);
    open.erase(open.begin() + next);
  }
  return sum;
}

std::vector<ValueMove> SettleTable::movesOf(const SettleValue &value) const {
  std::vector<ValueMove> moves;
  priceOf(value, &moves);
  return moves;
}

double SettleTable::assign(int number, const SettleOption *option) {
  SettleUnit &unit = units[number];
  double change = (option->computing + option->partials * grainOfPartial) * unit.runs;
  if (unit.option)
    change -= (unit.option->computing + unit.option->partials * grainOfPartial) * unit.runs;
  llvm::SmallVector<int, 4> touched;
  for (size_t position = 0; position < unit.size(); ++position) {
    int index = unit.value(position);
    if (index < 0)
      continue;
    SettleValue &value = values[index];
    int before = unit.option ? unit.option->layouts[position] : -1;
    int after = option->layouts[position];
    if (before == after)
      continue;
    touched.push_back(index);
    if (position >= unit.operands.size()) {
      value.given = after;
      continue;
    }
    auto *old = llvm::find_if(value.taken, [&](auto &use) { return use.layout == before; });
    if (before >= 0 && --old->count == 0)
      value.taken.erase(old);
    auto *use = llvm::find_if(value.taken, [&](auto &use) { return use.layout == after; });
    if (use == value.taken.end()) {
      value.taken.push_back({after, 1, unit.runs});
    } else {
      ++use->count;
      use->runs = std::max(use->runs, unit.runs);
    }
  }
  llvm::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (int index : touched) {
    SettleValue &value = values[index];
    double price = priceOf(value, nullptr);
    change += price - value.price;
    value.price = price;
  }
  unit.option = option;
  return change;
}

double SettleTable::total() const {
  double sum = 0;
  for (const SettleValue &value : values)
    sum += value.price;
  for (const SettleUnit &unit : units)
    if (unit.option)
      sum += unit.option->computing * unit.runs;
  return sum;
}

} // namespace vescale
