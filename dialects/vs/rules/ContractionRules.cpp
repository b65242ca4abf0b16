//===- ContractionRules.cpp - Rules of sums of products -------------------------------------===//

#include "dialects/vs/rules/Rules.h"

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/EinsumSpec.h"
#include "layout/Layout.h"

#include <map>

using namespace mlir;

namespace vescale::vs {
namespace {

/// Each letter is a factor: those of the result parallel, the others summed. Linear in each
/// operand alone.
struct EinsumRule : dist::IndexingRuleOpInterface::ExternalModel<EinsumRule, EinsumOp> {
  dist::IndexingRule getIndexingRule(Operation *op) const {
    EinsumSpec spec = cast<EinsumOp>(op).getEinsumSpec();
    std::map<char, int64_t> sizes;
    for (auto [letters, operand] : {std::pair(spec.lhs, 0), std::pair(spec.rhs, 1)})
      for (auto [letter, size] :
           llvm::zip(letters, cast<RankedTensorType>(op->getOperand(operand).getType()).getShape()))
        sizes[letter] = size;
    dist::IndexingRule rule;
    std::map<char, int> factors;
    for (char letter : spec.letters())
      factors[letter] = spec.out.find(letter) != std::string::npos
                            ? rule.addFactor(sizes[letter])
                            : rule.addReduced(sizes[letter], layout::Reduction::sum);
    auto tensor = [&](const std::string &letters) {
      dist::TensorFactors dims;
      for (char letter : letters)
        dims.dims.push_back({factors[letter]});
      return dims;
    };
    rule.operands = {tensor(spec.lhs), tensor(spec.rhs)};
    rule.results = {tensor(spec.out)};
    rule.addLinear({0});
    rule.addLinear({1});
    rule.raggedPrefix = 0;
    return rule;
  }
};

} // namespace

void attachContractionRules(MLIRContext &context) {
  EinsumOp::attachInterface<EinsumRule>(context);
}

} // namespace vescale::vs
