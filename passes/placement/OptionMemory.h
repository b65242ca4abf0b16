//===- OptionMemory.h - The ways to lay out a unit, found once for all units alike -------------===//
//
// Finding options asks the rule of the op many questions. Layers repeat, so units with an equal
// rule whose tensors stand in equal layouts are answered from memory.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_OPTIONMEMORY_H
#define VESCALE_PASSES_PLACEMENT_OPTIONMEMORY_H

#include "passes/placement/CutChoice.h"

#include <deque>
#include <memory>

namespace vescale {

/// One way to lay out the tensors of a unit: numbers of layouts, of the operands, then the results;
/// -1 for what is not a tensor.
struct SettleOption {
  llvm::SmallVector<int, 4> layouts;
  /// Seconds of computing.
  double computing = 0;
  /// Results that are partial.
  int partials = 0;
  /// A decomposable factor is cut.
  bool decomposes = false;
};

/// A rule that units share.
struct SettleRule {
  dist::IndexingRule rule;
  int number = 0;
  bool canDecompose = false;
  bool isWholeOp = true;
};

/// An operand or result of a unit, in numbers of layouts: what ChoiceTensor says.
struct OptionTensor {
  int shape = -1;
  int64_t elementBytes = 4;
  llvm::SmallVector<int, 2> available;
  int wanted = -1;
  llvm::SmallVector<int, 4> suggested;
  int uses = 1;
  bool isParameter = false;
};

class OptionMemory {
public:
  OptionMemory(layout::Mesh mesh, analysis::CostModel costs)
      : prices(std::move(costs)), mesh(std::move(mesh)) {}

  std::shared_ptr<const SettleRule> shared(dist::IndexingRule rule, bool canDecompose,
                                           bool isWholeOp);
  /// What is cheapest for the unit alone.
  const SettleOption *cheapest(const SettleRule &rule, llvm::ArrayRef<OptionTensor> operands,
                               llvm::ArrayRef<OptionTensor> results);
  /// All options that the tensors suggest, none of which decomposes the op.
  const std::vector<const SettleOption *> &list(const SettleRule &rule,
                                                llvm::ArrayRef<OptionTensor> operands,
                                                llvm::ArrayRef<OptionTensor> results);
  /// The option in which every tensor has the layout.
  const SettleOption *joined(int layout, size_t tensors);

  MovePrices prices;
  ChoiceStatistics statistics;

private:
  using Key = std::vector<int64_t>;
  struct KeyHash {
    size_t operator()(const Key &key) const;
  };
  Key keyOf(const SettleRule &rule, llvm::ArrayRef<OptionTensor> operands,
            llvm::ArrayRef<OptionTensor> results) const;
  std::vector<ChoiceTensor> tensorsOf(llvm::ArrayRef<OptionTensor> tensors, bool areResults) const;
  const SettleOption *remember(const CutChoice &choice, llvm::ArrayRef<OptionTensor> operands,
                               llvm::ArrayRef<OptionTensor> results);

  layout::Mesh mesh;
  std::unordered_map<Key, std::shared_ptr<const SettleRule>, KeyHash> rules;
  std::unordered_map<Key, const SettleOption *, KeyHash> cheapestOptions;
  std::unordered_map<Key, std::vector<const SettleOption *>, KeyHash> lists;
  std::map<std::pair<int, size_t>, const SettleOption *> joinedOptions;
  /// Options keep their places, and equal ones are one.
  std::deque<SettleOption> options;
  std::unordered_map<Key, const SettleOption *, KeyHash> equalOptions;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_OPTIONMEMORY_H
