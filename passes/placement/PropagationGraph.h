//===- PropagationGraph.h - Tensors and what connects them ----------------------------------===//
//
// Propagation works on a graph beside the IR: one tensor per value (values that a loop carries
// round are one tensor, as are an argument and the result that aliases it), one node per op with
// an indexing rule and per edge of data flow. States of tensors are the side table in which
// layouts grow; types are written when all is decided.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_PROPAGATIONGRAPH_H
#define VESCALE_PASSES_PLACEMENT_PROPAGATIONGRAPH_H

#include "passes/placement/FactorPropagation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

namespace vescale {

/// A node with what the schedule of op priorities asks.
struct GraphNode : PropagationNode {
  /// The op, or null for an edge of data flow.
  mlir::Operation *op = nullptr;
  /// Every tensor has every factor: cuts pass without a choice.
  bool passThrough = false;
  /// The same, in the same dims.
  bool elementwise = false;
  /// Results have factors that no operand has.
  bool broadcasts = false;
  /// No operand has another use.
  bool singleUse = false;
};

class PropagationGraph {
public:
  /// The graph of a function: its body, regions included, its arguments and results. Fails, with
  /// an error at the op, where an op with tensors states no rule.
  static mlir::FailureOr<PropagationGraph> ofFunction(mlir::func::FuncOp function);

  /// The graph of some ops of one block alone. Values whose types have layouts keep them.
  static mlir::FailureOr<PropagationGraph> ofOps(llvm::ArrayRef<mlir::Operation *> ops);

  std::vector<TensorState> tensors;
  std::vector<GraphNode> nodes;
  /// For each tensor the nodes that have it.
  std::vector<llvm::SmallVector<int, 4>> nodesOf;
  /// For each tensor a value that it stands for; null for a result of the function alone.
  std::vector<mlir::Value> values;
  /// The tensors of the function's results, -1 for what is not a tensor.
  llvm::SmallVector<int> results;

  /// The tensor of a value, or -1.
  int tensorOf(mlir::Value value) const;

private:
  int addTensor(mlir::Type type, mlir::Value value);
  int tensorFor(mlir::Value value);
  mlir::LogicalResult addOp(mlir::Operation *op);
  /// An edge: what is known of `from` holds for `to`, and the other way round.
  void addEdge(int from, int to, mlir::Type type, bool singleUse);
  void addNode(GraphNode node);
  /// Joins what the function returns with its results, and those with the arguments that they
  /// alias: before ops are added where an op's result is returned once, by an edge otherwise.
  void joinResults(mlir::func::FuncOp function);
  void addResultEdges(mlir::func::FuncOp function);

  llvm::DenseMap<mlir::Value, int> indices;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_PROPAGATIONGRAPH_H
