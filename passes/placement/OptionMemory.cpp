//===- OptionMemory.cpp - The ways to lay out a unit, found once for all units alike -----------===//

#include "passes/placement/OptionMemory.h"

#include "layout/Hash.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace vescale {

size_t OptionMemory::KeyHash::operator()(const Key &key) const {
  size_t hash = key.size();
  for (int64_t word : key)
    hash = layout::combineHash(hash, static_cast<size_t>(word));
  return hash;
}

std::shared_ptr<const SettleRule> OptionMemory::shared(dist::IndexingRule rule, bool canDecompose,
                                                        bool isWholeOp) {
  Key key = {canDecompose, isWholeOp, rule.raggedPrefix.value_or(-1)};
  auto addTensors = [&](llvm::ArrayRef<dist::TensorFactors> tensors) {
    key.push_back(-1);
    for (const dist::TensorFactors &tensor : tensors) {
      key.push_back(-2);
      for (const auto &dim : tensor.dims) {
        key.push_back(-3);
        key.insert(key.end(), dim.begin(), dim.end());
      }
    }
  };
  auto numberOf = [](layout::Reduction reduction) { return static_cast<int64_t>(reduction) + 1; };
  for (const dist::Factor &factor : rule.factors) {
    key.push_back(factor.size);
    key.push_back(static_cast<int64_t>(factor.kind) * 256 +
                  static_cast<int64_t>(factor.pieces) * 16 +
                  (factor.reduction ? numberOf(*factor.reduction) : 0));
  }
  addTensors(rule.operands);
  addTensors(rule.results);
  for (const dist::PartialPass &pass : rule.passes) {
    key.push_back(-4);
    key.push_back(numberOf(pass.operandReduction) * 16 + numberOf(pass.resultReduction));
    key.insert(key.end(), pass.operands.begin(), pass.operands.end());
  }
  auto number = static_cast<int>(rules.size());
  std::shared_ptr<const SettleRule> &known = rules[std::move(key)];
  if (!known)
    known = std::make_shared<const SettleRule>(
        SettleRule{std::move(rule), number, canDecompose, isWholeOp});
  return known;
}

OptionMemory::Key OptionMemory::keyOf(const SettleRule &rule,
                                        llvm::ArrayRef<OptionTensor> operands,
                                        llvm::ArrayRef<OptionTensor> results) const {
  Key key = {rule.number};
  for (llvm::ArrayRef<OptionTensor> tensors : {operands, results})
    for (const OptionTensor &tensor : tensors) {
      key.push_back(tensor.shape * 64 + tensor.elementBytes);
      key.push_back((static_cast<int64_t>(tensor.wanted) << 32) + tensor.uses * 2 +
                    tensor.isParameter);
      key.push_back(static_cast<int64_t>(tensor.available.size() << 16 | tensor.suggested.size()));
      key.insert(key.end(), tensor.available.begin(), tensor.available.end());
      key.insert(key.end(), tensor.suggested.begin(), tensor.suggested.end());
    }
  return key;
}

std::vector<ChoiceTensor> OptionMemory::tensorsOf(llvm::ArrayRef<OptionTensor> tensors,
                                                   bool areResults) const {
  std::vector<ChoiceTensor> all;
  for (const OptionTensor &tensor : tensors) {
    ChoiceTensor &choice = all.emplace_back();
    if (tensor.shape < 0)
      continue;
    choice.shape = prices.shape(tensor.shape);
    choice.elementBytes = tensor.elementBytes;
    choice.isResultTensor = areResults;
    choice.uses = tensor.uses;
    choice.isParameter = tensor.isParameter;
    for (int layout : tensor.available)
      choice.available.push_back(prices.layout(layout));
    for (int layout : tensor.suggested)
      choice.suggested.push_back(prices.layout(layout));
    if (tensor.wanted >= 0)
      choice.wanted = prices.layout(tensor.wanted);
  }
  return all;
}

const SettleOption *OptionMemory::remember(const CutChoice &choice,
                                            llvm::ArrayRef<OptionTensor> operands,
                                            llvm::ArrayRef<OptionTensor> results) {
  SettleOption option;
  option.computing = choice.computing;
  option.decomposes = choice.decomposes;
  auto add = [&](llvm::ArrayRef<OptionTensor> tensors, llvm::ArrayRef<layout::Layout> layouts) {
    for (auto [tensor, layout] : llvm::zip(tensors, layouts))
      option.layouts.push_back(tensor.shape < 0 ? -1 : prices.layoutNumber(layout, tensor.shape));
  };
  add(operands, choice.layouts.operands);
  size_t numOperands = option.layouts.size();
  add(results, choice.layouts.results);
  for (int layout : llvm::ArrayRef(option.layouts).drop_front(numOperands))
    option.partials += layout >= 0 && prices.isPartial(layout);
  Key key(option.layouts.begin(), option.layouts.end());
  key.push_back(option.decomposes);
  key.push_back(option.partials);
  int64_t bits;
  std::memcpy(&bits, &option.computing, sizeof(bits));
  key.push_back(bits);
  auto [found, added] = equalOptions.try_emplace(std::move(key), nullptr);
  if (added) {
    options.push_back(std::move(option));
    found->second = &options.back();
  }
  return found->second;
}

const SettleOption *OptionMemory::cheapest(const SettleRule &rule,
                                            llvm::ArrayRef<OptionTensor> operands,
                                            llvm::ArrayRef<OptionTensor> results) {
  auto [found, added] = cheapestOptions.try_emplace(keyOf(rule, operands, results), nullptr);
  if (!added)
    return found->second;
  std::vector<ChoiceTensor> ofOperands = tensorsOf(operands, false);
  std::vector<ChoiceTensor> ofResults = tensorsOf(results, true);
  CutChoice choice = chooseCuts(
      {rule.rule, mesh, ofOperands, ofResults, rule.canDecompose, rule.isWholeOp}, prices,
      statistics);
  return found->second = remember(choice, operands, results);
}

const std::vector<const SettleOption *> &
OptionMemory::list(const SettleRule &rule, llvm::ArrayRef<OptionTensor> operands,
                    llvm::ArrayRef<OptionTensor> results) {
  auto [found, added] = lists.try_emplace(keyOf(rule, operands, results));
  if (!added)
    return found->second;
  std::vector<ChoiceTensor> ofOperands = tensorsOf(operands, false);
  std::vector<ChoiceTensor> ofResults = tensorsOf(results, true);
  for (const CutChoice &choice :
       listCuts({rule.rule, mesh, ofOperands, ofResults, false, rule.isWholeOp}, prices,
                statistics)) {
    const SettleOption *option = remember(choice, operands, results);
    if (!llvm::is_contained(found->second, option))
      found->second.push_back(option);
  }
  return found->second;
}

const SettleOption *OptionMemory::joined(int layout, size_t tensors) {
  const SettleOption *&known = joinedOptions[{layout, tensors}];
  if (!known) {
    SettleOption option;
    option.layouts.assign(tensors, layout);
    option.partials = layout >= 0 && prices.isPartial(layout);
    options.push_back(std::move(option));
    known = &options.back();
  }
  return known;
}

} // namespace vescale
