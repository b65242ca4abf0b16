//===- InferLayouts.cpp - Layouts inside a decomposed op ---------------------------------------===//
//
// What is known of a value is known dim by dim: a product of two broadcasts learns some dims from one operand, some
// from the other and some from the result. A value gets its layout once all of its dims are known.
//
// Sweeps forward and backward over the ops until nothing is added. A sweep that adds nothing while values are still
// open closes one of them: first one of which nothing but factors of size 1 is unknown, then the first result, with
// the factors that are known; so the number of sweeps is bounded by the number of values.
//
//===----------------------------------------------------------------------===//

#include "dialects/dist/InferLayouts.h"

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/RuleCheck.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace vescale::dist {
namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Layouts of the tensors among `values`; nothing for the open ones.
std::vector<std::optional<layout::Layout>> knownLayouts(ValueRange values) {
  std::vector<std::optional<layout::Layout>> result;
  for (Value value : values) {
    const layout::Layout *layout = getLayout(value);
    result.push_back(layout ? std::optional<layout::Layout>(*layout) : std::nullopt);
  }
  return result;
}

/// What may be assumed to be whole where nothing says it: cuts of a dim of size 1 can follow from other ops as well, so
/// even they are assumed only once nothing else can be known.
enum class Guess { none, unitFactors, anything };

/// Of values without a layout: the cuts of the dims that are known.
using KnownDims = llvm::DenseMap<Value, SmallVector<std::optional<layout::Dim>>>;

class OpInference {
public:
  OpInference(Operation *op, const layout::Mesh &mesh, KnownDims &knownDims)
      : op(op), mesh(mesh), knownDims(knownDims), rule(cast<IndexingRuleOpInterface>(op).getIndexingRule()),
        seen(rule.factors.size(), false) {}

  /// Fills what is known: an open operand once the op that makes it knows all of its own operands, the results once
  /// all operands are known, as far as `guess` says whatever is known of their factors. Returns whether something was
  /// filled.
  FailureOr<bool> fill(Guess guess) {
    mark(op->getOperands(), rule.operands);
    mark(op->getResults(), rule.results);
    auto cuts = cutsOf(rule, mesh, knownLayouts(op->getOperands()), knownLayouts(op->getResults()));
    if (!cuts.ok())
      return op->emitOpError() << "has layouts that contradict each other: " << cuts.status().message();
    useKnownDims(op->getOperands(), rule.operands, *cuts);
    useKnownDims(op->getResults(), rule.results, *cuts);
    if (FailureOr<bool> filled = fillOperands(*cuts, guess); failed(filled) || *filled)
      return filled;
    bool learned = learnDims(op->getOperands(), rule.operands, *cuts);
    learned |= learnDims(op->getResults(), rule.results, *cuts);
    if (learned)
      return true;
    if (llvm::any_of(op->getOperands(), [](Value v) { return isTensor(v) && !getLayout(v); }))
      return false;
    SmallVector<Value> ready;
    collect(op->getResults(), rule.results, guess, ready);
    if (ready.empty())
      return false;
    auto layouts = layoutsOf(rule, mesh, *cuts);
    if (!layouts.ok())
      return op->emitOpError() << "has no legal layouts here: " << layouts.status().message();
    for (Value value : ready)
      value.setType(withLayout(cast<RankedTensorType>(value.getType()),
                               layouts->results[cast<OpResult>(value).getResultNumber()]));
    return true;
  }

private:
  /// Takes the cuts of factors from dims that other ops know.
  void useKnownDims(ValueRange values, ArrayRef<TensorFactors> tensors, OpCuts &cuts) {
    for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
      auto known = knownDims.find(value);
      if (known == knownDims.end() || getLayout(value))
        continue;
      for (auto [dim, factors] : llvm::zip_equal(known->second, tensor.dims))
        if (dim && factors.size() == 1 && !seen[factors[0]]) {
          seen[factors[0]] = true;
          cuts.cuts[factors[0]] = *dim;
        }
    }
  }

  /// Notes the cuts of known factors as dims of open values; returns whether one is new.
  bool learnDims(ValueRange values, ArrayRef<TensorFactors> tensors, const OpCuts &cuts) {
    bool learned = false;
    for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
      if (!isTensor(value) || getLayout(value))
        continue;
      auto &known = knownDims[value];
      known.resize(tensor.dims.size());
      for (auto [dim, factors] : llvm::zip_equal(known, tensor.dims))
        if (!dim && factors.size() == 1 && seen[factors[0]]) {
          dim = cuts.cuts[factors[0]];
          learned = true;
        }
    }
    return learned;
  }

  void mark(ValueRange values, ArrayRef<TensorFactors> tensors) {
    for (auto [value, tensor] : llvm::zip_equal(values, tensors))
      if (getLayout(value))
        for (auto &dim : tensor.dims)
          for (int factor : dim)
            seen[factor] = true;
  }

  void collect(ValueRange values, ArrayRef<TensorFactors> tensors, Guess guess, SmallVector<Value> &ready) {
    for (auto [value, tensor] : llvm::zip_equal(values, tensors)) {
      if (!isTensor(value) || getLayout(value))
        continue;
      bool known = llvm::all_of(tensor.dims, [&](const auto &dim) {
        return llvm::all_of(dim, [&](int factor) {
          return seen[factor] || (guess != Guess::none && rule.factors[factor].size == 1);
        });
      });
      if ((known && anySeen()) || (guess == Guess::anything && ready.empty()))
        ready.push_back(value);
    }
  }

  /// Whether an op has an operand that nothing is known of yet.
  static bool isOpen(Operation *op) {
    return llvm::any_of(op->getOperands(), [](Value v) { return isTensor(v) && !getLayout(v); });
  }

  /// Whether what an open op makes could turn out partial: if something that it is computed from is, or if it reduces.
  static bool mayBePartial(Operation *op) {
    auto ruled = dyn_cast<IndexingRuleOpInterface>(op);
    if (!ruled || llvm::any_of(ruled.getIndexingRule().factors, [](const Factor &f) { return f.reduction.has_value(); }))
      return true;
    return llvm::any_of(op->getOperands(), [](Value operand) {
      if (const layout::Layout *layout = getLayout(operand))
        return layout->partial().has_value();
      return isTensor(operand) && operand.getDefiningOp() && mayBePartial(operand.getDefiningOp());
    });
  }

  /// Dims of an operand may follow from this op (what a broadcast repeats along); whether it is partial follows from
  /// the op that makes it.
  FailureOr<bool> fillOperands(OpCuts cuts, Guess guess) {
    SmallVector<Value> ready;
    collect(op->getOperands(), rule.operands, guess == Guess::anything ? Guess::unitFactors : guess, ready);
    cuts.partials.clear();
    for (Value value : ready) {
      auto producer = value.getDefiningOp<IndexingRuleOpInterface>();
      if (!producer || (isOpen(producer) && mayBePartial(producer)))
        continue;
      auto here = layoutsOf(rule, mesh, cuts);
      if (!here.ok())
        return op->emitOpError() << "has no legal layouts here: " << here.status().message();
      size_t index = std::distance(op->operand_begin(), llvm::find(op->getOperands(), value));
      if (isOpen(producer)) {
        value.setType(withLayout(cast<RankedTensorType>(value.getType()), here->operands[index]));
        return true;
      }
      IndexingRule producerRule = producer.getIndexingRule();
      std::vector<std::optional<layout::Layout>> open(producer->getNumResults());
      auto producerCuts = cutsOf(producerRule, mesh, knownLayouts(producer->getOperands()), open);
      if (!producerCuts.ok())
        return producer->emitOpError() << "has layouts that contradict each other: " << producerCuts.status().message();
      auto made = layoutsOf(producerRule, mesh, *producerCuts);
      if (!made.ok())
        return producer->emitOpError() << "has no legal layouts here: " << made.status().message();
      auto joined = layout::Layout::get(mesh, here->operands[index].dims(),
                                        made->results[cast<OpResult>(value).getResultNumber()].partial(),
                                        here->operands[index].ragged());
      if (!joined.ok())
        return op->emitOpError() << "operand " << index << " has no layout: " << joined.status().message();
      value.setType(withLayout(cast<RankedTensorType>(value.getType()), *joined));
      return true;
    }
    return false;
  }

  /// An op that nothing is known of waits, even if its tensors have no factors at all.
  bool anySeen() const {
    return llvm::any_of(op->getOperands(), [](Value v) { return getLayout(v) != nullptr; }) ||
           llvm::any_of(op->getResults(), [](Value v) { return getLayout(v) != nullptr; });
  }

  Operation *op;
  const layout::Mesh &mesh;
  KnownDims &knownDims;
  IndexingRule rule;
  std::vector<bool> seen;
};

bool hasOpenTensor(Operation *op) {
  auto open = [](Value value) { return isTensor(value) && !getLayout(value); };
  return llvm::any_of(op->getOperands(), open) || llvm::any_of(op->getResults(), open);
}

} // namespace

LogicalResult inferLayouts(ArrayRef<Operation *> ops, const layout::Mesh &mesh) {
  SmallVector<Operation *> open;
  for (Operation *op : ops) {
    if (!hasOpenTensor(op))
      continue;
    if (!isa<IndexingRuleOpInterface>(op))
      return op->emitOpError("states no indexing rule, so its layouts cannot be inferred");
    open.push_back(op);
  }
  KnownDims knownDims;
  Guess guess = Guess::none;
  for (bool forward = true; !open.empty(); forward = !forward) {
    bool added = false;
    SmallVector<Operation *> order(open);
    if (!forward)
      std::reverse(order.begin(), order.end());
    for (Operation *op : order) {
      FailureOr<bool> filled = OpInference(op, mesh, knownDims).fill(guess);
      if (failed(filled))
        return failure();
      added |= *filled;
      if (*filled && guess != Guess::none)
        break; // One guess, then what follows from it.
    }
    llvm::erase_if(open, [](Operation *op) { return !hasOpenTensor(op); });
    // Both directions must have found nothing before more is guessed.
    if (added)
      guess = Guess::none;
    else if (!forward)
      guess = guess == Guess::none ? Guess::unitFactors : Guess::anything;
  }
  for (Operation *op : ops)
    if (auto ruled = dyn_cast<IndexingRuleOpInterface>(op)) {
      layout::Status status = checkRule(ruled.getIndexingRule(), knownLayouts(op->getOperands()),
                                        knownLayouts(op->getResults()));
      if (!status.ok())
        return op->emitOpError() << "was given layouts that its rule refuses: " << status.message();
    }
  return success();
}

} // namespace vescale::dist
