//===- Settler.cpp - Ops of a function get layouts that their rules accept -------------------===//

#include "passes/placement/Settler.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsInterfaces.h"
#include "passes/placement/JointSettling.h"
#include "passes/placement/LayoutWriting.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/SettleWriting.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using vescale::layout::Layout;

namespace vescale {

void Settler::dropMovesToEnds() {
  llvm::SmallVector<dist::RedistributeOp> moves;
  function.walk([&](dist::RedistributeOp move) {
    auto ends = [](OpOperand &use) {
      return use.getOwner()->hasTrait<OpTrait::IsTerminator>() ||
             isa<dist::DataFlowOpInterface>(use.getOwner());
    };
    if (!move->use_empty() && llvm::all_of(move->getUses(), ends))
      moves.push_back(move);
  });
  for (dist::RedistributeOp move : moves) {
    move.getResult().replaceAllUsesWith(move.getInput());
    move.erase();
  }
}

LogicalResult Settler::decompose(Operation *op, const OpLayoutNumbers &layouts) {
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
  auto fix = [&](Value value, int number) {
    int tensor = number < 0 ? -1 : graph->tensorOf(value);
    if (tensor < 0)
      return;
    graph->tensors[tensor].dims = options.prices.layout(number).dims();
    graph->tensors[tensor].closed.set();
  };
  for (auto [operand, number] : llvm::zip(op->getOperands(), layouts.operands))
    fix(operand, number);
  for (auto [value, number] : llvm::zip(*values, layouts.results))
    fix(value, number);
  Propagation propagation(*graph, mesh);
  propagation.run();
  for (Operation *next : inner)
    for (Value result : next->getResults())
      if (int tensor = graph->tensorOf(result); tensor >= 0)
        writeLayout(result, propagation.layoutOf(tensor));
  for (auto [result, value] : llvm::zip(op->getResults(), *values))
    result.replaceAllUsesWith(value);
  op->erase();
  return success();
}

FailureOr<bool> Settler::decomposeCutOps(SettleTable &table) {
  llvm::MapVector<Operation *, OpLayoutNumbers> cut;
  for (const SettleUnit &unit : table.units) {
    if (!unit.rule || !unit.rule->canDecompose)
      continue;
    OpLayoutNumbers &layouts = cut[unit.op];
    layouts.operands.resize(unit.op->getNumOperands(), -1);
    layouts.results.resize(unit.op->getNumResults(), -1);
    layouts.decomposes |= unit.option->decomposes;
    for (size_t i = 0; i < unit.operands.size(); ++i)
      layouts.operands[unit.operandNumbers[i]] = unit.option->layouts[i];
    // Where a result is wanted matters inside, not where the op as a whole would give it.
    for (size_t i = 0; i < unit.results.size(); ++i)
      if (unit.results[i] >= 0)
        layouts.results[unit.resultNumbers[i]] = table.values[unit.results[i]].wanted;
  }
  bool any = false;
  for (const auto &[op, layouts] : cut) {
    if (!layouts.decomposes)
      continue;
    any = true;
    if (failed(decompose(op, layouts)))
      return failure();
  }
  return any;
}

LogicalResult Settler::run() {
  dropMovesToEnds();
  while (true) {
    SettleTable table(function, options);
    if (failed(table.build()))
      return failure();
    JointSettling joint(table);
    joint.chooseAlone();
    FailureOr<bool> decomposed = decomposeCutOps(table);
    if (failed(decomposed))
      return failure();
    if (*decomposed)
      continue;
    joint.improve();
    statistics.improvements += joint.improvements;
    statistics.redistributions += writeSettled(table);
    return success();
  }
}

} // namespace vescale
