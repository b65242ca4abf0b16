//===- PropagationGraph.cpp - Tensors and what connects them --------------------------------===//

#include "passes/placement/PropagationGraph.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/RuleComponents.h"
#include "dialects/vs/StepAttributes.h"

#include "passes/placement/PlacementAttributes.h"

#include <map>
#include <set>

using namespace mlir;

namespace vescale {

int PropagationGraph::tensorOf(Value value) const {
  auto found = indices.find(value);
  return found == indices.end() ? -1 : found->second;
}

int PropagationGraph::addTensor(Type type, Value value) {
  auto tensor = cast<RankedTensorType>(type);
  TensorState state;
  state.dims.resize(tensor.getRank());
  state.closed.resize(tensor.getRank());
  state.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  state.elements = tensor.getNumElements();
  if (const layout::Layout *layout = dist::getLayout(type)) {
    state.dims = layout->dims();
    state.closed.set();
    if (layout->partial())
      state.unusable = layout->partial()->axes;
  }
  tensors.push_back(std::move(state));
  values.push_back(value);
  nodesOf.emplace_back();
  return static_cast<int>(tensors.size()) - 1;
}

int PropagationGraph::tensorFor(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return -1;
  auto [found, added] = indices.try_emplace(value, 0);
  if (added)
    found->second = addTensor(value.getType(), value);
  return found->second;
}

void PropagationGraph::addNode(GraphNode node) {
  std::set<int> connected(node.tensors.begin(), node.tensors.end());
  for (int tensor : connected)
    if (tensor >= 0)
      nodesOf[tensor].push_back(static_cast<int>(nodes.size()));
  nodes.push_back(std::move(node));
}

/// The factors of size above 1 that a tensor has.
static std::set<int> factorsOf(const dist::IndexingRule &rule, const dist::TensorFactors &tensor) {
  std::set<int> factors;
  for (const auto &dim : tensor.dims)
    for (int factor : dim)
      if (rule.factors[factor].size != 1)
        factors.insert(factor);
  return factors;
}

/// Classifies the node by its rule alone.
static void classify(GraphNode &node) {
  const dist::IndexingRule &rule = node.rule;
  std::set<int> all, ofOperands;
  bool parallel = true;
  for (size_t factor = 0; factor < rule.factors.size(); ++factor) {
    if (rule.factors[factor].size == 1)
      continue;
    all.insert(static_cast<int>(factor));
    parallel &= rule.factors[factor].kind == dist::FactorKind::parallel;
  }
  bool everywhere = parallel, sameDims = true;
  const dist::TensorFactors *first = nullptr;
  for (size_t position = 0; position < node.tensors.size(); ++position) {
    const dist::TensorFactors &tensor = node.factorsOf(static_cast<int>(position));
    std::set<int> factors = factorsOf(rule, tensor);
    if (static_cast<int>(position) < node.numOperands)
      ofOperands.insert(factors.begin(), factors.end());
    // Scalars take no part: the step and the learning rate of an optimizer.
    if (node.tensors[position] < 0 || tensor.dims.empty())
      continue;
    everywhere &= factors == all;
    if (!first)
      first = &tensor;
    sameDims &= first->dims == tensor.dims;
  }
  node.passThrough = everywhere && node.numOperands > 0;
  node.elementwise = node.passThrough && sameDims;
  node.broadcasts = node.numOperands > 0 && ofOperands != all && parallel;
}

void PropagationGraph::addEdge(int from, int to, Type type, bool singleUse) {
  GraphNode node;
  node.rule = dist::IndexingRule::elementwise(cast<RankedTensorType>(type).getShape(), 1);
  node.tensors = {from, to};
  node.numOperands = 1;
  node.passThrough = node.elementwise = true;
  node.singleUse = singleUse;
  addNode(std::move(node));
}

LogicalResult PropagationGraph::addOp(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (auto flow = dyn_cast<dist::DataFlowOpInterface>(op)) {
    for (const dist::DataFlowEdge &edge : flow.getDataFlowEdges()) {
      if (!isTensor(edge.targets.front().getType()))
        continue;
      // One of the targets may be a result of the function.
      int target = -1;
      for (Value other : edge.targets)
        target = std::max(target, tensorOf(other));
      if (target < 0)
        target = tensorFor(edge.targets.front());
      for (Value other : edge.targets)
        indices[other] = target;
      for (OpOperand *source : edge.sources)
        addEdge(tensorFor(source->get()), target, source->get().getType(),
                source->get().hasOneUse());
    }
    return success();
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  // A redistribution ends what its operand has to do with its result.
  if (isa<dist::RedistributeOp>(op))
    return success();
  auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(op);
  if (!ruled) {
    if (llvm::any_of(op->getOperandTypes(), isTensor) ||
        llvm::any_of(op->getResultTypes(), isTensor))
      return op->emitOpError("states no indexing rule, so it cannot be distributed");
    return success();
  }
  for (dist::RuleComponent &component : dist::componentsOf(ruled.getIndexingRule())) {
    GraphNode node;
    node.op = op;
    node.rule = std::move(component.rule);
    node.numOperands = static_cast<int>(component.operands.size());
    node.singleUse = true;
    for (int operand : component.operands) {
      node.tensors.push_back(tensorFor(op->getOperand(operand)));
      node.singleUse &= op->getOperand(operand).hasOneUse();
    }
    for (int result : component.results)
      node.tensors.push_back(tensorFor(op->getResult(result)));
    classify(node);
    if (auto barrier = dyn_cast<dist::BarrierOp>(op)) {
      node.forward = barrier.getDirection() == dist::Direction::backward;
      node.backward = barrier.getDirection() == dist::Direction::forward;
    }
    addNode(std::move(node));
  }
  return success();
}

void PropagationGraph::joinResults(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  for (auto [position, operand] : llvm::enumerate(end->getOperands())) {
    if (!isa<RankedTensorType>(operand.getType())) {
      results.push_back(-1);
      continue;
    }
    auto number = static_cast<unsigned>(position);
    auto alias = function.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName);
    bool returnedFirst = isa<OpResult>(operand) && tensorOf(operand) < 0;
    if (alias) {
      results.push_back(tensorFor(function.getArgument(static_cast<unsigned>(alias.getInt()))));
      if (returnedFirst)
        indices[operand] = results.back();
    } else {
      results.push_back(returnedFirst ? tensorFor(operand)
                                      : addTensor(function.getResultTypes()[number], Value()));
    }
  }
}

void PropagationGraph::addResultEdges(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  for (auto [operand, result] : llvm::zip(end->getOperands(), results))
    if (result >= 0 && tensorFor(operand) != result)
      addEdge(tensorFor(operand), result, operand.getType(), operand.hasOneUse());
}

FailureOr<PropagationGraph> PropagationGraph::ofFunction(func::FuncOp function) {
  PropagationGraph graph;
  for (Value argument : function.getArguments())
    graph.tensorFor(argument);
  graph.joinResults(function);
  // Members of one group, which no op connects.
  std::map<int64_t, int> groups;
  WalkResult walked = function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(graph.addOp(op)))
      return WalkResult::interrupt();
    if (auto group = dyn_cast<dist::GroupOp>(op)) {
      int tensor = graph.tensorFor(group.getInput());
      auto [first, added] = groups.try_emplace(static_cast<int64_t>(group.getId()), tensor);
      if (!added)
        graph.addEdge(first->second, tensor, group.getType(), false);
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  graph.addResultEdges(function);
  return graph;
}

FailureOr<PropagationGraph> PropagationGraph::ofOps(ArrayRef<Operation *> ops) {
  PropagationGraph graph;
  for (Operation *op : ops)
    if (failed(graph.addOp(op)))
      return failure();
  return graph;
}

} // namespace vescale
