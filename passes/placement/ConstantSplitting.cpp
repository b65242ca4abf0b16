//===- ConstantSplitting.cpp - One constant for each use -------------------------------------===//

#include "passes/placement/ConstantSplitting.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace vescale {

/// The ops of a block, in order, whose values depend on no argument and no effect.
static std::vector<Operation *> constantOps(Block &block) {
  std::vector<Operation *> ops;
  llvm::DenseSet<Operation *> constant;
  for (Operation &op : block) {
    bool isConstant = isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
                      op.getNumResults() > 0 && llvm::all_of(op.getOperands(), [&](Value operand) {
                        return operand.getDefiningOp() && constant.contains(operand.getDefiningOp());
                      });
    if (!isConstant)
      continue;
    constant.insert(&op);
    ops.push_back(&op);
  }
  return ops;
}

static bool isScalar(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || tensor.getRank() == 0;
  });
}

void splitConstants(func::FuncOp function) {
  std::vector<Block *> blocks;
  function.walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks) {
    // Users first, so that copies of users have their own copies of what they use.
    std::vector<Operation *> ops = constantOps(*block);
    for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
      if (isScalar(*op))
        continue;
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : (*op)->getUses())
        uses.push_back(&use);
      OpBuilder builder((*op)->getContext());
      builder.setInsertionPointAfter(*op);
      for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1)) {
        auto number = cast<OpResult>(use->get()).getResultNumber();
        use->set(builder.clone(**op)->getResult(number));
      }
    }
  }
}

namespace {

struct SameOp : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return static_cast<unsigned>(OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations));
  }
  static bool isEqual(const Operation *left, const Operation *right) {
    if (left == right || left == getEmptyKey() || left == getTombstoneKey() ||
        right == getEmptyKey() || right == getTombstoneKey())
      return left == right;
    return OperationEquivalence::isEquivalentTo(const_cast<Operation *>(left),
                                                const_cast<Operation *>(right),
                                                OperationEquivalence::IgnoreLocations);
  }
};

} // namespace

void mergeConstants(func::FuncOp function) {
  std::vector<Block *> blocks;
  function.walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks) {
    llvm::DenseSet<Operation *, SameOp> known;
    for (Operation *op : constantOps(*block)) {
      if (op->use_empty()) {
        op->erase();
        continue;
      }
      auto [first, added] = known.insert(op);
      if (added)
        continue;
      op->replaceAllUsesWith(*first);
      op->erase();
    }
  }
}

} // namespace vescale
