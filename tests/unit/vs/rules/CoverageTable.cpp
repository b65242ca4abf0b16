//===- CoverageTable.cpp - Prints what is covered of each op and layout ---------------------===//
//
// A row for each factor of each sample's rule, a column for each kind of layout, as Markdown. A
// cell is filled by the rule itself, so none can be missing; which ops have samples is a test's
// business.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/unit/vs/rules/LayoutCells.h"

#include "dialects/dist/IndexingRuleInterface.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>

using namespace mlir;
using namespace vescale;
using namespace vescale::rulecoverage;

namespace {

/// Where a factor stands: `x0.1` is dim 1 of operand 0, `y0.1` of result 0.
std::string places(const dist::IndexingRule &rule, int factor) {
  std::string text;
  auto add = [&](ArrayRef<dist::TensorFactors> tensors, char letter) {
    for (auto [number, tensor] : llvm::enumerate(tensors))
      for (auto [dim, factors] : llvm::enumerate(tensor.dims))
        if (llvm::is_contained(factors, factor))
          text += fmt::format("{}{}{}.{}", text.empty() ? "" : " ", letter, number, dim);
  };
  add(rule.operands, 'x');
  add(rule.results, 'y');
  return text;
}

const char *kindName(const dist::Factor &factor) {
  switch (factor.kind) {
  case dist::FactorKind::parallel:
    return factor.reduction ? "parallel, reduced elsewhere" : "parallel";
  case dist::FactorKind::reduced:
    return "reduced";
  case dist::FactorKind::replicated:
    return "replicated";
  case dist::FactorKind::permuted:
    return "permuted";
  case dist::FactorKind::decomposable:
    return "decomposable";
  }
  return "";
}

/// Numbers refusals in the order in which they first occur.
class Notes {
public:
  std::string reference(const std::string &refusal) {
    size_t but = refusal.find(" but ");
    std::string reason = but == std::string::npos ? refusal : refusal.substr(but + 5);
    auto found = llvm::find(reasons, reason);
    size_t number = found - reasons.begin() + 1;
    if (found == reasons.end())
      reasons.push_back(reason);
    return fmt::format("[{}]", number);
  }
  std::vector<std::string> reasons;
};

} // namespace

int main() {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> samples = readSamples(context);
  if (!samples)
    return 1;
  fmt::print(
      "<!-- Generated from the indexing rules by docs/generate. -->\n\n"
      "# Which layouts of which ops are covered\n\n"
      "One row for each factor of each op's indexing rule: the sample of "
      "`tests/unit/vs/rules/samples.mlir`, the dims that the factor stands in (`x0.1`: dim 1 "
      "of operand 0, `y0.1`: of result 0), its size and kind. One column for each kind of "
      "layout that may cut it.\n\n"
      "- `ok`: `rule_forms_test` builds and verifies what each device computes under this "
      "layout, and `rule_numbers_test` compares its numbers with those of one device.\n"
      "- `[n]`: the rule refuses it, for the reason under this number below; the same tests see "
      "the refusal.\n\n"
      "Partial: operands are partial, in each way that the rule lets pass, while the factor is "
      "cut.\n\n");
  fmt::print("| sample | factor | size | kind |");
  for (int kind = 0; kind < numLayoutKinds; ++kind)
    fmt::print(" {} |", name(static_cast<LayoutKind>(kind)));
  fmt::print("\n| --- | --- | --- | --- |");
  for (int kind = 0; kind < numLayoutKinds; ++kind)
    fmt::print(" --- |");
  fmt::print("\n");
  Notes notes;
  for (auto sample : samples->getOps<func::FuncOp>()) {
    Operation *op = sampledOp(sample);
    dist::IndexingRule rule = cast<dist::IndexingRuleOpInterface>(op).getIndexingRule();
    for (const Cell &cell : cellsOf(op)) {
      if (cell.kind == LayoutKind::whole)
        fmt::print("| {} | {} | {} | {} |", sample.getName().str(), places(rule, cell.factor),
                   rule.factors[cell.factor].size, kindName(rule.factors[cell.factor]));
      fmt::print(" {} |", cell.accepted.empty() ? notes.reference(cell.refusal) : "ok");
      if (static_cast<int>(cell.kind) == numLayoutKinds - 1)
        fmt::print("\n");
    }
  }
  fmt::print("\n");
  for (auto [number, reason] : llvm::enumerate(notes.reasons))
    fmt::print("[{}] {}\n\n", number + 1, reason);
  return 0;
}
