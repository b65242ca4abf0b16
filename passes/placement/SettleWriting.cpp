//===- SettleWriting.cpp - What settling decided becomes types and redistributions -----------===//

#include "passes/placement/SettleWriting.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "passes/placement/LayoutWriting.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace vescale {

namespace {

class SettleWriter {
public:
  explicit SettleWriter(SettleTable &table) : table(table) {
    for (const SettleValue &value : table.values)
      actual.push_back(value.value);
    for (const SettleUnit &unit : table.units)
      unitsOf[unit.op].push_back(&unit);
  }

  int64_t write();

private:
  void writeTypes();
  void writeBlock(Block &block);
  void writeOp(Operation *op);
  /// What edges and the function take of `owner`, once it is reached.
  void writeSources(Operation *owner);
  Value inLayout(int value, int layout, Operation *use);

  SettleTable &table;
  llvm::DenseMap<Operation *, llvm::SmallVector<const SettleUnit *, 1>> unitsOf;
  /// What stands for each value in the program; redistributions that were there are gone.
  std::vector<Value> actual;
  /// By value, layout and block.
  std::map<std::tuple<int, int, Block *>, Value> copies;
  std::map<int, std::vector<ValueMove>> moves;
  struct Source {
    OpOperand *operand;
    int value, layout;
    Type type;
  };
  llvm::DenseMap<Operation *, llvm::SmallVector<Source, 2>> sources;
  llvm::SmallVector<Operation *> replaced;
  int64_t count = 0;
};

/// Where a change of `value` in front of `use` comes from: the use, or where that is a constant that folding made and
/// left without a location, what else the value is for.
static Location knownLocation(Value value, Operation *use) {
  if (!isa<UnknownLoc>(use->getLoc()))
    return use->getLoc();
  for (Operation *user : value.getUsers())
    if (!isa<UnknownLoc>(user->getLoc()))
      return user->getLoc();
  return use->getParentOp()->getLoc();
}

Value SettleWriter::inLayout(int number, int layout, Operation *use) {
  const SettleValue &value = table.values[number];
  if (layout == value.given)
    return actual[number];
  auto place = std::make_tuple(number, layout, use->getBlock());
  if (auto found = copies.find(place); found != copies.end())
    return found->second;
  auto [known, first] = moves.try_emplace(number);
  if (first)
    known->second = table.movesOf(value);
  int from = value.given;
  for (const ValueMove &move : known->second)
    if (move.to == layout)
      from = move.from;
  Value source = inLayout(number, from, use);
  OpBuilder builder(use);
  ++count;
  Value copy = builder.create<dist::RedistributeOp>(
      knownLocation(source, use),
      dist::withLayout(cast<RankedTensorType>(source.getType()), table.prices.layout(layout)),
      source);
  if (!value.isArgument)
    copies.emplace(place, copy);
  return copy;
}

void SettleWriter::writeSources(Operation *owner) {
  auto found = sources.find(owner);
  if (found == sources.end())
    return;
  for (const Source &source : found->second) {
    // A value that only has to be handed on moves as soon as it is there.
    Operation *producer = actual[source.value].getDefiningOp();
    bool isNear = producer && producer->getBlock() == owner->getBlock();
    Value value = inLayout(source.value, source.layout, isNear ? producer->getNextNode() : owner);
    // Signatures may write one layout in two ways.
    OpBuilder builder(owner);
    source.operand->set(redistributed(builder, owner->getLoc(), value, source.type));
  }
}

void SettleWriter::writeOp(Operation *op) {
  auto found = unitsOf.find(op);
  bool isMove = isa<dist::RedistributeOp>(op);
  if (found != unitsOf.end())
    for (const SettleUnit *unit : found->second) {
      if (unit->isEdge)
        continue;
      for (size_t i = 0; i < unit->operands.size(); ++i) {
        if (unit->operands[i] < 0)
          continue;
        Value value = inLayout(unit->operands[i], unit->option->layouts[i], op);
        if (isMove)
          actual[unit->results.front()] = value;
        else
          op->setOperand(static_cast<unsigned>(unit->operandNumbers[i]), value);
      }
    }
  if (isMove)
    replaced.push_back(op);
  writeSources(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      writeBlock(block);
}

void SettleWriter::writeBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    writeOp(&op);
}

void SettleWriter::writeTypes() {
  for (const SettleValue &value : table.values)
    if (value.producer >= 0)
      writeLayout(value.value, table.prices.layout(value.given));
}

int64_t SettleWriter::write() {
  writeTypes();
  table.function.walk([&](dist::DataFlowOpInterface flow) {
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges()) {
      Value target = edge.targets.front();
      if (!isa<RankedTensorType>(target.getType()))
        continue;
      int layout = table.values[table.valueOf(target)].given;
      for (OpOperand *source : edge.sources)
        sources[source->getOwner()].push_back(
            {source, table.valueOf(source->get()), layout, target.getType()});
    }
  });
  Operation *end = table.function.getBody().front().getTerminator();
  for (auto [operand, type] :
       llvm::zip(end->getOpOperands(), table.function.getResultTypes()))
    if (const layout::Layout *layout = dist::getLayout(type)) {
      int value = table.valueOf(operand.get());
      sources[end].push_back(
          {&operand, value, table.prices.layoutNumber(*layout, table.values[value].shape), type});
    }
  writeBlock(table.function.getBody().front());
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  return count;
}

} // namespace

int64_t writeSettled(SettleTable &table) { return SettleWriter(table).write(); }

} // namespace vescale
