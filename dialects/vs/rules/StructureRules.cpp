//===- StructureRules.cpp - Rules of names, and the edges of regions ------------------------===//

#include "dialects/vs/rules/Rules.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/vs/StructureOps.h"
#include "layout/Layout.h"

using namespace mlir;
using vescale::dist::DataFlowEdge;
using vescale::dist::IndexingRule;

namespace vescale::vs {
namespace {

struct TagRule : dist::IndexingRuleOpInterface::ExternalModel<TagRule, TagOp> {
  IndexingRule getIndexingRule(Operation *op) const {
    IndexingRule rule = IndexingRule::elementwise(
        cast<RankedTensorType>(op->getOperand(0).getType()).getShape(), 1);
    rule.addMoves({0});
    return rule;
  }
};

/// A region that runs once: each argument of its body is an operand, each result what it yields.
template <class Op>
struct SingleRunDataFlow
    : dist::DataFlowOpInterface::ExternalModel<SingleRunDataFlow<Op>, Op> {
  SmallVector<DataFlowEdge> getDataFlowEdges(Operation *op) const {
    Block &body = op->getRegion(0).front();
    SmallVector<DataFlowEdge> edges;
    for (auto [operand, argument] : llvm::zip(op->getOpOperands(), body.getArguments()))
      edges.push_back({{&operand}, {argument}, false});
    for (auto [yielded, result] :
         llvm::zip(body.getTerminator()->getOpOperands(), op->getResults()))
      edges.push_back({{&yielded}, {result}, false});
    return edges;
  }
};

/// A carried value is one value for the initial one, the argument, what is yielded and the result.
struct RepeatDataFlow : dist::DataFlowOpInterface::ExternalModel<RepeatDataFlow, RepeatOp> {
  int64_t getRunCount(Operation *op) const { return cast<RepeatOp>(op).getCount(); }

  SmallVector<DataFlowEdge> getDataFlowEdges(Operation *op) const {
    auto repeat = cast<RepeatOp>(op);
    Block &body = op->getRegion(0).front();
    size_t carried = repeat.getInitial().size();
    SmallVector<DataFlowEdge> edges;
    for (auto [position, argument] : llvm::enumerate(body.getArguments())) {
      OpOperand &operand = op->getOpOperand(static_cast<unsigned>(position));
      if (position < carried)
        edges.push_back({{&operand, &body.getTerminator()->getOpOperand(static_cast<unsigned>(position))},
                         {argument, op->getResult(static_cast<unsigned>(position))},
                         true});
      else
        edges.push_back({{&operand}, {argument}, false});
    }
    return edges;
  }
};

} // namespace

void attachStructureRules(MLIRContext &context) {
  TagOp::attachInterface<TagRule>(context);
  RecomputeOp::attachInterface<SingleRunDataFlow<RecomputeOp>>(context);
  FusedOp::attachInterface<SingleRunDataFlow<FusedOp>>(context);
  RepeatOp::attachInterface<RepeatDataFlow>(context);
}

} // namespace vescale::vs
