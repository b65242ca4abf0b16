//===- Settler.cpp - Ops of a function get layouts that their rules accept -------------------===//

#include "passes/placement/Settler.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/VsInterfaces.h"
#include "passes/placement/LayoutWriting.h"
#include "passes/placement/Propagation.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using vescale::layout::Layout;

namespace vescale {

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Bytes of one element in memory; packed types count as one byte.
static int64_t elementBytes(Value value) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  return element.isIntOrFloat() ? std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8) : 8;
}

ChoiceTensor Settler::operandOf(Value value) {
  ChoiceTensor tensor;
  const Layout *layout = isTensor(value) ? dist::getLayout(value) : nullptr;
  if (!layout)
    return tensor;
  tensor.shape.assign(shapeOf(value).begin(), shapeOf(value).end());
  tensor.elementBytes = elementBytes(value);
  tensor.available.push_back(*layout);
  if (auto found = copies.find(value); found != copies.end())
    for (Value copy : found->second)
      tensor.available.push_back(*dist::getLayout(copy));
  if (auto found = wantedReduced.find(value); found != wantedReduced.end())
    tensor.wanted = found->second;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner()->getParentOp() == function) {
    auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      vs::VsDialect::roleAttributeName);
    tensor.isParameter = role && role == vs::parameterRole;
  }
  // Only a reduction is shared, and counting the uses of what every op uses would be quadratic.
  if (layout->partial()) {
    llvm::SmallPtrSet<Operation *, 4> users;
    for (Operation *user : value.getUsers())
      if (!isa<dist::RedistributeOp>(user))
        users.insert(user);
    tensor.uses = std::max<int>(1, static_cast<int>(users.size()));
  }
  return tensor;
}

Value Settler::inLayout(Value value, const Layout &layout, Operation *use) {
  if (sameLayout(*dist::getLayout(value), layout, shapeOf(value)))
    return value;
  llvm::SmallVector<Value, 2> &known = copies[value];
  for (Value copy : known)
    if (sameLayout(*dist::getLayout(copy), layout, shapeOf(value)) &&
        copy.getParentBlock() == use->getBlock())
      return copy;
  OpBuilder builder(use);
  ++statistics.redistributions;
  Value copy = builder.create<dist::RedistributeOp>(
      use->getLoc(), dist::withLayout(cast<RankedTensorType>(value.getType()), layout), value);
  // What arrives from outside, a parameter above all, is gathered anew by each use: to keep the
  // gathered copy is a matter of memory, which is not decided here.
  if (!isa<BlockArgument>(value))
    copies[value].push_back(copy);
  return copy;
}

void Settler::place(OpResult result, const Layout &natural, const std::optional<Layout> &wanted) {
  writeLayout(result, natural);
  if (natural.partial()) {
    wantedReduced.insert({result, wanted ? *wanted
                                         : Layout::fromChecked(mesh, natural.dims(), std::nullopt,
                                                               natural.ragged())});
    return;
  }
  if (!wanted || sameLayout(natural, *wanted, shapeOf(result)))
    return;
  OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  ++statistics.redistributions;
  auto moved = builder.create<dist::RedistributeOp>(
      result.getLoc(), dist::withLayout(cast<RankedTensorType>(result.getType()), *wanted), result);
  result.replaceAllUsesExcept(moved.getResult(), moved);
}

void Settler::settleSources(ArrayRef<std::pair<OpOperand *, Type>> sources) {
  for (auto [source, type] : sources)
    if (const Layout *layout = dist::getLayout(type)) {
      Value value = inLayout(source->get(), *layout, source->getOwner());
      // Edges join types, which may write one layout in two ways.
      OpBuilder builder(source->getOwner());
      source->set(redistributed(builder, source->getOwner()->getLoc(), value, type));
    }
}

LogicalResult Settler::decompose(Operation *op,
                                 const std::vector<std::optional<Layout>> &wanted) {
  ++statistics.decomposed;
  Operation *before = op->getPrevNode();
  OpBuilder builder(op);
  FailureOr<SmallVector<Value>> values = cast<vs::DecomposableOpInterface>(op).decompose(builder);
  if (failed(values))
    return op->emitOpError("cannot be decomposed, which its layouts need");
  SmallVector<Operation *> inner;
  for (Operation *next = before ? before->getNextNode() : &op->getBlock()->front(); next != op;
       next = next->getNextNode())
    inner.push_back(next);
  // The layouts of inner values follow from those at the border.
  FailureOr<PropagationGraph> graph = PropagationGraph::ofOps(inner);
  if (failed(graph))
    return failure();
  for (auto [value, layout] : llvm::zip(*values, wanted)) {
    int tensor = isTensor(value) ? graph->tensorOf(value) : -1;
    if (tensor < 0 || !layout)
      continue;
    graph->tensors[tensor].dims = layout->dims();
    graph->tensors[tensor].closed.set();
  }
  Propagation propagation(*graph, mesh);
  propagation.run();
  for (Operation *next : inner)
    for (Value result : next->getResults())
      if (int tensor = graph->tensorOf(result); tensor >= 0)
        writeLayout(result, propagation.layoutOf(tensor));
  for (auto [result, value] : llvm::zip(op->getResults(), *values))
    result.replaceAllUsesWith(value);
  op->erase();
  for (Operation *next : inner)
    if (failed(settle(next)))
      return failure();
  return success();
}

void Settler::keepAccumulatorPartial(Operation *op, const dist::IndexingRule &rule) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto found = carried.find(operand.get());
    if (found == carried.end() || !operand.get().hasOneUse() || op->getNumResults() != 1 ||
        !op->getResult(0).hasOneUse() ||
        &*op->getResult(0).use_begin() != found->second.yielded ||
        dist::getLayout(operand.get())->partial())
      continue;
    for (OpOperand &other : op->getOpOperands()) {
      const Layout *layout = isTensor(other.get()) ? dist::getLayout(other.get()) : nullptr;
      if (&other == &operand || !layout || !layout->partial())
        continue;
      SmallVector<int, 2> both = {static_cast<int>(operand.getOperandNumber()),
                                  static_cast<int>(other.getOperandNumber())};
      llvm::sort(both);
      if (rule.pass(both, layout->partial()->reduction) != layout->partial()->reduction ||
          rule.operands[both[0]].dims != rule.operands[both[1]].dims)
        continue;
      Layout partial = *layout, wanted = *dist::getLayout(operand.get());
      for (Value target : found->second.targets) {
        writeLayout(target, partial);
        wantedReduced.insert({target, wanted});
      }
      found->second.initial->set(
          inLayout(found->second.initial->get(), partial, found->second.initial->getOwner()));
      writeLayout(op->getResult(0), wanted);
      return;
    }
  }
}

LogicalResult Settler::settleRuled(Operation *op) {
  auto ruled = cast<dist::IndexingRuleOpInterface>(op);
  dist::IndexingRule rule = ruled.getIndexingRule();
  if (!carried.empty())
    keepAccumulatorPartial(op, rule);
  std::vector<ChoiceTensor> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(operandOf(operand));
  std::vector<std::optional<Layout>> wanted;
  for (Value result : op->getResults()) {
    ChoiceTensor tensor;
    wanted.emplace_back();
    if (isTensor(result)) {
      tensor.shape.assign(shapeOf(result).begin(), shapeOf(result).end());
      tensor.elementBytes = elementBytes(result);
      tensor.isResultTensor = true;
      if (const Layout *layout = dist::getLayout(result))
        tensor.wanted = wanted.back() = *layout;
    }
    results.push_back(std::move(tensor));
  }
  CutChoice choice = chooseCuts(rule, mesh, operands, results,
                                isa<vs::DecomposableOpInterface>(op), statistics);
  for (auto [i, operand] : llvm::enumerate(op->getOpOperands()))
    if (isTensor(operand.get()))
      operand.set(inLayout(operand.get(), choice.layouts.operands[i], op));
  if (choice.decomposes)
    return decompose(op, wanted);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isTensor(result))
      place(result, choice.layouts.results[i], wanted[i]);
  return success();
}

LogicalResult Settler::settle(Operation *op) {
  if (auto move = dyn_cast<dist::RedistributeOp>(op)) {
    Value value = inLayout(move.getInput(), *dist::getLayout(move.getResult()), move);
    // inLayout may have put the same change in front of this op.
    move.getResult().replaceAllUsesWith(value);
    move.erase();
    return success();
  }
  if (auto flow = dyn_cast<dist::DataFlowOpInterface>(op)) {
    SmallVector<std::pair<OpOperand *, Type>> sources;
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges()) {
      Value target = edge.targets.front();
      for (OpOperand *source : edge.sources)
        if (source->getOwner() == op)
          sources.push_back({source, target.getType()});
      if (edge.carried && edge.sources.size() == 2 && isTensor(target)) {
        bool first = edge.sources[0]->getOwner() == op;
        carried[target] = {edge.targets, edge.sources[first ? 0 : 1], edge.sources[first ? 1 : 0]};
      }
    }
    settleSources(sources);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(settleBlock(block)))
          return failure();
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges()) {
      sources.clear();
      for (OpOperand *source : edge.sources)
        if (source->getOwner() != op)
          sources.push_back({source, edge.targets.front().getType()});
      settleSources(sources);
    }
    return success();
  }
  if (isa<dist::IndexingRuleOpInterface>(op))
    return settleRuled(op);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (llvm::any_of(op->getOperands(), isTensor) || llvm::any_of(op->getResults(), isTensor))
    return op->emitOpError("states no indexing rule, so it cannot be distributed");
  return success();
}

LogicalResult Settler::settleBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(settle(&op)))
      return failure();
  return success();
}

LogicalResult Settler::run() {
  Block &body = function.getBody().front();
  if (failed(settleBlock(body)))
    return failure();
  SmallVector<std::pair<OpOperand *, Type>> sources;
  for (auto [operand, type] :
       llvm::zip(body.getTerminator()->getOpOperands(), function.getResultTypes()))
    sources.push_back({&operand, type});
  settleSources(sources);
  return success();
}

} // namespace vescale
