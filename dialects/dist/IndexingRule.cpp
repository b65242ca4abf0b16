//===- IndexingRule.cpp - What an op says about its dims ------------------------------------===//

#include "dialects/dist/IndexingRule.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace vescale::dist {

bool TensorFactors::has(int factor) const {
  return llvm::any_of(dims, [&](const auto &dim) { return llvm::is_contained(dim, factor); });
}

int IndexingRule::addFactor(int64_t size, FactorKind kind) {
  factors.push_back({size, kind, std::nullopt, Pieces::any});
  return static_cast<int>(factors.size()) - 1;
}

int IndexingRule::addReduced(int64_t size, layout::Reduction reduction) {
  factors.push_back({size, FactorKind::reduced, reduction, Pieces::any});
  return static_cast<int>(factors.size()) - 1;
}

int IndexingRule::addKeptOrReduced(int64_t size, layout::Reduction reduction) {
  factors.push_back({size, FactorKind::parallel, reduction, Pieces::any});
  return static_cast<int>(factors.size()) - 1;
}

std::optional<layout::Reduction> IndexingRule::contribution(int factor, int result) const {
  if (results[result].has(factor))
    return std::nullopt;
  return factors[factor].reduction;
}

void IndexingRule::require(llvm::ArrayRef<int> dimFactors, Pieces pieces) {
  for (int factor : dimFactors)
    factors[factor].pieces = std::max(factors[factor].pieces, pieces);
}

void IndexingRule::addLinear(llvm::ArrayRef<int> operands) {
  llvm::SmallVector<int, 2> set(operands);
  passes.push_back({set, layout::Reduction::sum, layout::Reduction::sum});
}

void IndexingRule::addMonotone(llvm::ArrayRef<int> operands) {
  llvm::SmallVector<int, 2> set(operands);
  for (layout::Reduction reduction : {layout::Reduction::max, layout::Reduction::min})
    passes.push_back({set, reduction, reduction});
}

void IndexingRule::addMoves(llvm::ArrayRef<int> operands) {
  using layout::Reduction;
  llvm::SmallVector<int, 2> set(operands);
  for (Reduction reduction : {Reduction::sum, Reduction::max, Reduction::min, Reduction::prod,
                              Reduction::bitAnd, Reduction::bitOr})
    passes.push_back({set, reduction, reduction});
}

std::optional<layout::Reduction> IndexingRule::pass(llvm::ArrayRef<int> operands,
                                                    layout::Reduction reduction) const {
  for (const PartialPass &pass : passes)
    if (pass.operandReduction == reduction && llvm::ArrayRef<int>(pass.operands) == operands)
      return pass.resultReduction;
  return std::nullopt;
}

/// The factors of the first `dims` dims of `tensor`, major to minor.
static llvm::SmallVector<int, 4> flatten(const TensorFactors &tensor, int dims) {
  llvm::SmallVector<int, 4> flat;
  for (int dim = 0; dim < dims; ++dim)
    llvm::append_range(flat, tensor.dims[dim]);
  return flat;
}

/// Whether some number of leading dims of `tensor` flattens to exactly `flat`, and no other dim
/// has one of these factors. Factors that do not matter may stand between.
static bool leadsWith(const TensorFactors &tensor, llvm::ArrayRef<int> flat,
                      llvm::function_ref<bool(int)> matters) {
  llvm::SmallVector<int, 4> wanted, have;
  llvm::copy_if(flat, std::back_inserter(wanted), matters);
  size_t dim = 0;
  for (; dim < tensor.dims.size() && have.size() < wanted.size(); ++dim)
    llvm::copy_if(tensor.dims[dim], std::back_inserter(have), matters);
  if (have != wanted)
    return false;
  for (; dim < tensor.dims.size(); ++dim)
    for (int factor : tensor.dims[dim])
      if (llvm::is_contained(wanted, factor))
        return false;
  return true;
}

std::optional<llvm::SmallVector<int, 4>>
IndexingRule::raggedFactors(const TensorFactors &tensor, int dims) const {
  if (dims > static_cast<int>(tensor.dims.size()) || (raggedPrefix && dims > *raggedPrefix))
    return std::nullopt;
  llvm::SmallVector<int, 4> flat = flatten(tensor, dims);
  // A factor of size 1 says nothing beside others; but a single element is still one that only
  // some devices hold.
  bool isSingle = llvm::all_of(flat, [&](int factor) { return factors[factor].size == 1; });
  auto matters = [&](int factor) { return isSingle || factors[factor].size != 1; };
  // A ragged cut is of elements that every result has: it leaves nothing partial.
  for (int factor : flat)
    if (matters(factor) &&
        (factors[factor].kind != FactorKind::parallel ||
         !llvm::all_of(results, [&](const TensorFactors &result) { return result.has(factor); })))
      return std::nullopt;
  auto hasOne = [&](const TensorFactors &other) {
    return llvm::any_of(other.dims, [&](const auto &dim) {
      return llvm::any_of(
          dim, [&](int factor) { return matters(factor) && llvm::is_contained(flat, factor); });
    });
  };
  auto fits = [&](const TensorFactors &other) {
    return !hasOne(other) || leadsWith(other, flat, matters);
  };
  if (!llvm::all_of(operands, fits) || !llvm::all_of(results, fits))
    return std::nullopt;
  return flat;
}

IndexingRule IndexingRule::elementwise(llvm::ArrayRef<int64_t> shape, int numOperands,
                                       int numResults) {
  IndexingRule rule;
  TensorFactors tensor;
  for (int64_t size : shape)
    tensor.dims.push_back({rule.addFactor(size)});
  rule.operands.assign(numOperands, tensor);
  rule.results.assign(numResults, tensor);
  return rule;
}

} // namespace vescale::dist
