//===- RuleComponents.cpp - Parts of an op that share no factor -----------------------------===//

#include "dialects/dist/RuleComponents.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace vescale::dist {

static RuleComponent whole(const IndexingRule &rule) {
  RuleComponent component;
  component.rule = rule;
  component.operands.resize(rule.operands.size());
  component.results.resize(rule.results.size());
  component.factors.resize(rule.factors.size());
  for (auto *numbers : {&component.operands, &component.results, &component.factors})
    std::iota(numbers->begin(), numbers->end(), 0);
  return component;
}

std::vector<RuleComponent> componentsOf(const IndexingRule &rule) {
  // Factors that stand in one tensor are joined; a tensor belongs where its first factor does.
  std::vector<int> leader(rule.factors.size());
  std::iota(leader.begin(), leader.end(), 0);
  auto find = [&](int factor) {
    while (leader[factor] != factor)
      factor = leader[factor] = leader[leader[factor]];
    return factor;
  };
  auto firstFactor = [](const TensorFactors &tensor) {
    for (const auto &dim : tensor.dims)
      for (int factor : dim)
        return factor;
    return -1;
  };
  for (llvm::ArrayRef<TensorFactors> tensors :
       {llvm::ArrayRef<TensorFactors>(rule.operands), llvm::ArrayRef<TensorFactors>(rule.results)})
    for (const TensorFactors &tensor : tensors)
      for (const auto &dim : tensor.dims)
        for (int factor : dim)
          leader[find(factor)] = find(firstFactor(tensor));
  std::vector<int> number(rule.factors.size(), -1);
  int count = 0;
  for (size_t factor = 0; factor < rule.factors.size(); ++factor)
    if (int root = find(static_cast<int>(factor)); number[root] < 0)
      number[root] = count++;
  bool joined = !rule.passes.empty() || llvm::any_of(rule.factors, [](const Factor &factor) {
    return factor.reduction.has_value();
  });
  if (count <= 1 || joined)
    return {whole(rule)};

  std::vector<RuleComponent> components(count);
  std::vector<int> local(rule.factors.size());
  for (size_t factor = 0; factor < rule.factors.size(); ++factor) {
    RuleComponent &component = components[number[find(static_cast<int>(factor))]];
    local[factor] = static_cast<int>(component.factors.size());
    component.factors.push_back(static_cast<int>(factor));
    component.rule.factors.push_back(rule.factors[factor]);
    component.rule.raggedPrefix = rule.raggedPrefix;
  }
  auto add = [&](llvm::ArrayRef<TensorFactors> tensors, auto numbers, auto parts) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      int factor = firstFactor(tensors[i]);
      RuleComponent &component = components[factor < 0 ? 0 : number[find(factor)]];
      TensorFactors renumbered = tensors[i];
      for (auto &dim : renumbered.dims)
        for (int &f : dim)
          f = local[f];
      numbers(component).push_back(static_cast<int>(i));
      parts(component.rule).push_back(std::move(renumbered));
    }
  };
  add(
      rule.operands, [](RuleComponent &c) -> auto & { return c.operands; },
      [](IndexingRule &r) -> auto & { return r.operands; });
  add(
      rule.results, [](RuleComponent &c) -> auto & { return c.results; },
      [](IndexingRule &r) -> auto & { return r.results; });
  return components;
}

} // namespace vescale::dist
