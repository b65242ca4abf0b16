//===- Storage.cpp - what of a function lies in memory, and for how long --===//

#include "passes/memory/Storage.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/StepInterface.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsInterfaces.h"
#include "passes/codegen/IterationSpace.h"
#include "passes/fusion/KernelKind.h"
#include "passes/memory/DeviceClasses.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace vescale {
namespace {

constexpr int64_t alignment = 64;

int64_t largestBytes(Type type, const layout::RankClasses &classes) {
  int64_t bytes = 0;
  for (const layout::RankClasses::Class &one : classes.classes())
    bytes = std::max(bytes, localBytes(type, one.representative));
  return llvm::alignTo(bytes, alignment);
}

} // namespace

FailureOr<SmallVector<CarriedValue>> carriedValues(Operation *op) {
  auto flow = dyn_cast<dist::DataFlowOpInterface>(op);
  if (!flow || op->getNumRegions() != 1)
    return failure();
  SmallVector<CarriedValue> carried;
  for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges()) {
    if (!edge.carried) {
      // A result that is not carried belongs to a region that does not run in a loop.
      if (llvm::any_of(edge.targets, llvm::IsaPred<OpResult>))
        return failure();
      continue;
    }
    CarriedValue value;
    for (OpOperand *source : edge.sources)
      (source->getOwner() == op ? value.initial : value.yielded) = source->get();
    for (Value target : edge.targets)
      (isa<OpResult>(target) ? value.result : value.argument) = target;
    carried.push_back(value);
  }
  return carried;
}

bool runsOnce(Operation *op) {
  auto flow = dyn_cast<dist::DataFlowOpInterface>(op);
  return flow && op->getNumRegions() == 1 && llvm::hasSingleElement(op->getRegion(0)) &&
         llvm::none_of(flow.getDataFlowEdges(), [](const dist::DataFlowEdge &edge) { return edge.carried; }) &&
         flow.getRunCount() == 1;
}

/// Walks the function once, in program order.
class Storages::Finder {
public:
  Finder(Storages &result, const layout::RankClasses &classes) : result(result), classes(classes) {}

  void define(Value value, int64_t position) {
    result.storageOf[value] = result.storages.size();
    Storage &storage = result.storages.emplace_back();
    storage.root = value;
    storage.begin = storage.end = position;
    storage.bytes = largestBytes(value.getType(), classes);
  }

  /// Makes `value` one with the storage of `other`, if that lies in memory.
  void share(Value value, Value other) {
    auto it = result.storageOf.find(other);
    if (it != result.storageOf.end())
      result.storageOf[value] = it->second;
  }

  LogicalResult walk(Block &block) {
    for (Operation &op : block) {
      int64_t position = ++result.numOps;
      for (Value operand : op.getOperands()) {
        use(operand, position);
        // What is being moved must stay as it is until the wait.
        if (auto start = operand.getDefiningOp<dist::StepOpInterface>(); start && isa<dist::FutureType>(operand.getType()))
          use(start.getBefore()[cast<OpResult>(operand).getResultNumber()], position);
      }
      if (failed(visit(op, position)))
        return failure();
    }
    return success();
  }

private:
  void use(Value value, int64_t position) {
    if (Storage *storage = result.find(value)) {
      storage->uses.push_back(position);
      storage->end = std::max(storage->end, position);
    }
  }

  LogicalResult visit(Operation &op, int64_t position) {
    KernelKind kind = kernelKind(&op);
    if (kind == KernelKind::view) {
      share(op.getResult(0), cast<ViewLikeOpInterface>(op).getViewSource());
      return success();
    }
    if (kind == KernelKind::structure && op.getNumRegions() != 0)
      return runsOnce(&op) ? visitOnce(op) : visitLoop(op, position);
    for (OpResult value : op.getResults()) {
      if (!storedType(value.getType()))
        continue;
      if (kind == KernelKind::structure || kind == KernelKind::generated ||
          kind == KernelKind::unsupported)
        return op.emitOpError("is no instruction of a schedule: it must be in a fused group, a library "
                              "call, a collective or a view");
      define(value, position);
    }
    return success();
  }

  /// A region that runs once is part of the program around it: its arguments are the operands, its results what it
  /// yields.
  LogicalResult visitOnce(Operation &op) {
    auto edges = cast<dist::DataFlowOpInterface>(op).getDataFlowEdges();
    for (const dist::DataFlowEdge &edge : edges)
      for (Value target : edge.targets)
        if (isa<BlockArgument>(target))
          share(target, edge.sources[0]->get());
    if (failed(walk(op.getRegion(0).front())))
      return failure();
    for (const dist::DataFlowEdge &edge : edges)
      for (Value target : edge.targets)
        if (isa<OpResult>(target))
          share(target, edge.sources[0]->get());
    return success();
  }

  LogicalResult visitLoop(Operation &op, int64_t position) {
    FailureOr<SmallVector<CarriedValue>> carried = carriedValues(&op);
    if (failed(carried))
      return op.emitOpError("is no loop that a schedule has");
    for (const CarriedValue &value : *carried)
      if (storedType(value.result.getType())) {
        define(value.result, position);
        share(value.argument, value.result);
      }
    // What the body only reads is the same in all runs.
    Block &body = op.getRegion(0).front();
    for (const dist::DataFlowEdge &edge : cast<dist::DataFlowOpInterface>(op).getDataFlowEdges())
      if (!edge.carried)
        share(edge.targets[0], edge.sources[0]->get());
    if (failed(walk(body)))
      return failure();
    int64_t last = result.numOps;
    for (Value argument : body.getArguments())
      if (Storage *storage = result.find(argument))
        storage->end = std::max(storage->end, last);
    for (const CarriedValue &value : *carried)
      if (storedType(value.result.getType()))
        result.replaced.push_back({value.yielded, value.argument, last, body.getTerminator()});
    return success();
  }

  Storages &result;
  const layout::RankClasses &classes;
};

FailureOr<Storages> Storages::get(func::FuncOp function, const layout::RankClasses &classes) {
  Storages result;
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("cannot be scheduled: it has several blocks");
  Block &block = function.getBody().front();
  Finder finder(result, classes);
  for (BlockArgument argument : block.getArguments())
    if (storedType(argument.getType()))
      finder.define(argument, 0);
  if (failed(finder.walk(block)))
    return failure();
  // What is returned lives to the end.
  Operation *terminator = block.getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    Storage *storage = result.find(value);
    if (!storage)
      continue;
    storage->end = result.end();
    if (auto alias = function.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName))
      if (alias.getInt() >= 0 && alias.getInt() < function.getNumArguments())
        result.replaced.push_back({value, function.getArgument(alias.getInt()), result.numOps, terminator});
  }
  return result;
}

bool Storages::canReplace(const Storage &value, const Storage &target, const Replacement &replacement) {
  Operation *op = value.root.getDefiningOp();
  if (value.replaces >= 0 || value.bytes > target.bytes || !op || value.begin < target.begin)
    return false;
  // A value of an inner or outer block is not computed each time that the content is replaced.
  if (op->getBlock() != replacement.terminator->getBlock())
    return false;
  auto after = llvm::upper_bound(target.uses, replacement.position);
  int64_t lastUse = after == target.uses.begin() ? target.begin : *std::prev(after);
  if (lastUse < value.begin)
    return true;
  if (lastUse > value.begin)
    return false;
  // Kernels take different operands for different memory.
  auto inTarget = [&](Value operand) { return find(operand) == &target; };
  if (kernelKind(op) != KernelKind::fused || llvm::count_if(op->getOperands(), inTarget) != 1)
    return false;
  auto [known, isNew] = inPlace.try_emplace(patternOfGroup(op).words, false);
  if (isNew)
    known->second = computesInPlace(op);
  return known->second;
}

Storage *Storages::find(Value value) {
  auto it = storageOf.find(value);
  return it == storageOf.end() ? nullptr : &storages[it->second];
}

/// Whether what an op computes depends on where its elements stand: its local form computes positions, and is not
/// elementwise even where the op is.
static bool needsPositions(Operation *op) {
  // Random numbers are a function of global positions.
  if (auto random = dyn_cast<vs::RandomOpInterface>(op); random && random.drawsRandomNumbers())
    return true;
  auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(op);
  return ruled && llvm::any_of(ruled.getIndexingRule().factors, [](const dist::Factor &factor) {
           return factor.pieces != dist::Pieces::any;
         });
}

bool computesInPlace(Operation *op) {
  if (kernelKind(op) != KernelKind::fused)
    return false;
  Block &body = op->getRegion(0).front();
  SmallVector<Operation *> ops;
  for (Operation &inner : body.without_terminator())
    ops.push_back(&inner);
  if (llvm::any_of(ops, needsPositions))
    return false;
  SmallVector<Value> outputs(body.getTerminator()->getOperands());
  std::optional<IterationSpace> space = findIterationSpace(ops, outputs);
  return space && space->form == IterationSpace::Form::flat;
}

FailureOr<int64_t> assignedOffset(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    auto offsets = result.getOwner()->getAttrOfType<DenseI64ArrayAttr>(offsetsAttributeName);
    if (offsets && result.getResultNumber() < offsets.size())
      return offsets[result.getResultNumber()];
    return result.getOwner()->emitOpError() << "has no place in the arena: run sched-assign-buffers";
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    if (auto offset = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), offsetAttributeName))
      return offset.getInt();
  } else if (auto flow = dyn_cast<dist::DataFlowOpInterface>(parent)) {
    // Arguments of a loop's body lie where its result does, or where its operand does.
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges())
      if (llvm::is_contained(edge.targets, value)) {
        for (Value target : edge.targets)
          if (isa<OpResult>(target))
            return assignedOffset(target);
        return assignedOffset(edge.sources[0]->get());
      }
  }
  return emitError(value.getLoc()) << "argument " << argument.getArgNumber()
                                   << " has no place in the arena: run sched-assign-buffers";
}

} // namespace vescale
