//===- Fuse.cpp - groups of ops that become one kernel --------------------===//
//
// 1. Cheap ops (constants, broadcasts, slices: element moves) are copied to each of their users, so that no buffer
//    holds what can be read in place.
// 2. In program order each generated op joins the groups of its producers where
//    - nothing between producer and op that stays outside uses the producer's group (the group can move down), and
//    - the union has an iteration space (IterationSpace.h) that keeps the rows of its parts.
// 3. Each group becomes a vs.fused op at the place of its last member.
//
// Invariants: groups never contain library calls, collectives, views with other users, or loops; the order of
// effects does not matter since all ops are pure. Limits: a group has at most `maxOps` members, which keeps step
// 2 linear in the number of ops.
//
//===----------------------------------------------------------------------===//

#include "passes/fusion/Passes.h"

#include "passes/codegen/ElementInterface.h"
#include "passes/codegen/IterationSpace.h"
#include "passes/fusion/KernelKind.h"

#include "dialects/vs/StructureOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_FUSEPASS
#include "passes/fusion/Passes.h.inc"

namespace {

constexpr size_t maxOps = 64;
/// Arguments of a kernel beyond this are not worth a larger kernel.
constexpr size_t maxArguments = 40;

struct Group {
  /// Its place among all groups.
  size_t number = 0;
  /// In program order.
  SmallVector<Operation *> ops;
  std::optional<IterationSpace> space;
};

class BlockFuser {
public:
  explicit BlockFuser(Block &block) : block(block) {}

  /// Fuses the block; returns the number of groups.
  FailureOr<unsigned> run() {
    copyCheapOps();
    for (Operation &op : block) {
      KernelKind kind = kernelKind(&op);
      if (kind == KernelKind::unsupported)
        return op.emitOpError("has no kernel: it must be decomposed before fusion");
      if (kind == KernelKind::generated)
        join(&op);
    }
    unsigned numGroups = 0;
    for (auto &group : groups)
      if (group) {
        build(*group);
        ++numGroups;
      }
    return numGroups;
  }

private:
  static bool isFusible(Operation *op) {
    KernelKind kind = kernelKind(op);
    return (kind == KernelKind::generated || kind == KernelKind::view) && isa<ElementOpInterface>(op);
  }

  /// Gives each generated user of a cheap op a copy of its own, right before it.
  void copyCheapOps() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (!isFusible(&op) || op.getNumResults() != 1)
        continue;
      // Only this op's own elements are asked about: its operands are copied in their turn.
      if (!isCheap(op.getResult(0), [&](Operation *other) { return other == &op; }))
        continue;
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : op.getResult(0).getUses())
        if (isFusible(use.getOwner()) || kernelKind(use.getOwner()) == KernelKind::generated)
          uses.push_back(&use);
      if (uses.size() == static_cast<size_t>(llvm::range_size(op.getResult(0).getUses())) && uses.size() == 1)
        continue;
      for (OpOperand *use : uses) {
        OpBuilder builder(use->getOwner());
        use->set(builder.clone(op)->getResult(0));
      }
      if (op.use_empty())
        op.erase();
    }
    // Copied views are generated code: they belong to their user's group.
  }

  void join(Operation *op) {
    auto group = std::make_unique<Group>();
    group->ops = {op};
    group->space = findSpace(group->ops);
    if (group->space) {
      SmallVector<Group *> producers;
      auto collect = [&](Operation *consumer) {
        for (Value operand : consumer->getOperands())
          if (Operation *producer = operand.getDefiningOp())
            if (Group *candidate = groupOf.lookup(producer))
              if (!llvm::is_contained(producers, candidate))
                producers.push_back(candidate);
      };
      collect(op);
      llvm::sort(producers, [&](Group *a, Group *b) {
        return b->ops.back()->isBeforeInBlock(a->ops.back());
      });
      for (Group *producer : producers)
        tryMerge(*producer, *group);
    }
    for (Operation *member : group->ops)
      groupOf[member] = group.get();
    group->number = groups.size();
    groups.push_back(std::move(group));
  }

  /// Moves the members of `producer` into `group`, if the union can be one kernel; `producer` is deleted then.
  void tryMerge(Group &producer, Group &group) {
    if (!producer.space || producer.ops.size() + group.ops.size() > maxOps)
      return;
    Operation *last = group.ops.back();
    SmallVector<Operation *> ops;
    std::merge(producer.ops.begin(), producer.ops.end(), group.ops.begin(), group.ops.end(),
               std::back_inserter(ops),
               [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    llvm::DenseSet<Operation *> inside(ops.begin(), ops.end());
    for (Operation *member : producer.ops)
      for (Operation *user : member->getUsers()) {
        Operation *inBlock = block.findAncestorOpInBlock(*user);
        if (!inside.contains(inBlock) && inBlock->isBeforeInBlock(last))
          return;
      }
    std::optional<IterationSpace> space = findSpace(ops);
    if (!space || !keepsRows(*space, *producer.space, *group.space) || numArguments(ops) > maxArguments)
      return;
    group.ops = std::move(ops);
    group.space = std::move(space);
    groups[producer.number].reset();
  }

  /// Whether the union's rows are as many as those of its parts: fusion must not cost parallelism, nor turn
  /// contiguous inner loops into strided ones.
  static bool keepsRows(const IterationSpace &merged, const IterationSpace &a, const IterationSpace &b) {
    using Form = IterationSpace::Form;
    if (merged.form == Form::flat)
      return true;
    bool anyColumns = a.form == Form::columns || b.form == Form::columns;
    if (merged.form == Form::columns)
      return anyColumns && a.form != Form::rows && b.form != Form::rows;
    if (anyColumns)
      return false;
    for (const IterationSpace *part : {&a, &b})
      if (part->form == Form::rows && part->rows.size() > merged.rows.size())
        return false;
    // A group of two flat parts of different shapes has rows, but only if some were found.
    return !merged.rows.empty() || (a.form == Form::rows && b.form == Form::rows);
  }

  SmallVector<Value> outputs(ArrayRef<Operation *> ops) {
    llvm::DenseSet<Operation *> inside(ops.begin(), ops.end());
    SmallVector<Value> result;
    for (Operation *op : ops)
      for (Value value : op->getResults())
        if (llvm::any_of(value.getUsers(), [&](Operation *user) {
              return !inside.contains(block.findAncestorOpInBlock(*user));
            }))
          result.push_back(value);
    return result;
  }

  std::optional<IterationSpace> findSpace(ArrayRef<Operation *> ops) {
    return findIterationSpace(ops, outputs(ops), facts);
  }

  static llvm::SetVector<Value> arguments(ArrayRef<Operation *> ops) {
    llvm::DenseSet<Operation *> inside(ops.begin(), ops.end());
    llvm::SetVector<Value> result;
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (!operand.getDefiningOp() || !inside.contains(operand.getDefiningOp()))
          result.insert(operand);
    return result;
  }

  static size_t numArguments(ArrayRef<Operation *> ops) { return arguments(ops).size(); }

  void build(const Group &group) {
    llvm::SetVector<Value> inputs = arguments(group.ops);
    SmallVector<Value> results = outputs(group.ops);
    SmallVector<Location> locations;
    for (Operation *op : group.ops)
      locations.push_back(op->getLoc());
    OpBuilder builder(group.ops.back());
    Location location = builder.getFusedLoc(locations);
    SmallVector<Type> types;
    for (Value value : results)
      types.push_back(value.getType());
    auto fused = builder.create<vs::FusedOp>(location, types, inputs.getArrayRef());
    Block *body = fused.getBody().empty() ? &fused.getBody().emplaceBlock() : &fused.getBody().front();
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
    builder.setInsertionPointToEnd(body);
    for (Operation *op : group.ops)
      builder.clone(*op, mapping);
    SmallVector<Value> yields;
    for (Value value : results)
      yields.push_back(mapping.lookup(value));
    builder.create<vs::YieldOp>(location, yields);
    for (auto [value, result] : llvm::zip_equal(results, fused.getResults()))
      value.replaceAllUsesExcept(result, fused);
    for (Operation *op : llvm::reverse(group.ops))
      op->erase();
  }

  Block &block;
  /// The block does not change between the copies of cheap ops and the first group that is built.
  OpFacts facts;
  std::vector<std::unique_ptr<Group>> groups;
  llvm::DenseMap<Operation *, Group *> groupOf;
};

struct FusePass : impl::FusePassBase<FusePass> {
  using FusePassBase::FusePassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<vs::FusedOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      FailureOr<unsigned> groups = BlockFuser(*block).run();
      if (failed(groups))
        return signalPassFailure();
      numGroups += *groups;
    }
  }
};

} // namespace
} // namespace vescale
