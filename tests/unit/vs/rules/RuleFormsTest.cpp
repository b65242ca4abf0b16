//===- RuleFormsTest.cpp - Every layout that a rule accepts has a local form ----------------===//

#include "tests/unit/vs/rules/LayoutCells.h"

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/LocalFunction.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace mlir;
using namespace vescale;
using namespace vescale::rulecoverage;

namespace {

class RuleForms : public testing::Test {
protected:
  RuleForms() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    samples = readSamples(context);
  }
  void SetUp() override { ASSERT_TRUE(samples); }

  /// Builds the local forms of all devices and compares their types; nothing where all is right.
  std::string checkForms(Operation *op, const layout::Mesh &mesh, const dist::OpLayouts &layouts) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str() + "\n";
      return success();
    });
    OwningOpRef<ModuleOp> module = placed(op, layouts);
    if (failed(verify(*module)))
      return "placed: " + message;
    auto main = cast<func::FuncOp>(module->lookupSymbol("main"));
    for (int64_t device = 0; device < mesh.numDevices(); ++device) {
      layout::Coordinate coordinate = mesh.coordinate(device);
      FailureOr<func::FuncOp> local =
          dist::buildLocalFunction(*module, "local", main.getBody().front(), coordinate);
      if (failed(local))
        return "no local form: " + message;
      if (failed(verify(*local)))
        return "local form: " + message;
      Operation *results = local->getBody().front().getTerminator();
      for (auto [value, global] : llvm::zip(results->getOperandTypes(), main.getResultTypes()))
        if (auto tensor = dyn_cast<RankedTensorType>(global);
            tensor && value != dist::localType(tensor, coordinate))
          return "a local result has another type than its layout says";
      local->erase();
    }
    return "";
  }

  template <class Visit> void forEachSample(Visit visit) {
    for (auto sample : samples->getOps<func::FuncOp>())
      visit(sample.getName().str(), sampledOp(sample));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> samples;
};

TEST_F(RuleForms, EveryOpHasASample) {
  std::set<std::string> sampled;
  forEachSample([&](const std::string &, Operation *op) {
    sampled.insert(op->getName().getStringRef().str());
    EXPECT_TRUE(isa<dist::IndexingRuleOpInterface>(op)) << op->getName().getStringRef().str();
  });
  // Ops with regions and their terminator are seen through, not distributed.
  std::set<std::string> structure = {"vs.recompute", "vs.repeat", "vs.fused", "vs.yield"};
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    std::string text = name.getStringRef().str();
    if (name.getDialectNamespace() != "vs")
      continue;
    EXPECT_NE(sampled.count(text), structure.count(text)) << text;
  }
}

TEST_F(RuleForms, RulesFitTheirOps) {
  forEachSample([&](const std::string &name, Operation *op) {
    EXPECT_TRUE(succeeded(dist::verifyIndexingRule(op))) << name;
  });
}

TEST_F(RuleForms, EveryOpMayBeWhole) {
  forEachSample([&](const std::string &name, Operation *op) {
    for (const Cell &cell : cellsOf(op))
      if (cell.kind == LayoutKind::whole) {
        EXPECT_EQ(cell.accepted.size(), 1u) << name << ": " << cell.refusal;
      }
  });
}

TEST_F(RuleForms, EveryAcceptedCellHasALocalForm) {
  int checked = 0;
  forEachSample([&](const std::string &sample, Operation *op) {
    for (const Cell &cell : cellsOf(op))
      for (const dist::OpLayouts &layouts : cell.accepted) {
        EXPECT_EQ(checkForms(op, cell.mesh, layouts), "")
            << sample << ", factor " << cell.factor << ", " << name(cell.kind);
        ++checked;
      }
  });
  EXPECT_GT(checked, 1000);
}

TEST_F(RuleForms, RandomLayoutsHaveLocalForms) {
  std::mt19937 random(11);
  int accepted = 0;
  forEachSample([&](const std::string &name, Operation *op) {
    dist::IndexingRule rule = cast<dist::IndexingRuleOpInterface>(op).getIndexingRule();
    for (const RandomLayouts &drawn : randomLayouts(op, random, 6)) {
      ++accepted;
      auto optional = [](TypeRange types, const std::vector<layout::Layout> &given) {
        std::vector<std::optional<layout::Layout>> result;
        for (auto [type, layout] : llvm::zip(types, given))
          result.push_back(isa<RankedTensorType>(type) ? std::optional(layout) : std::nullopt);
        return result;
      };
      layout::Status again =
          dist::checkRule(rule, optional(op->getOperandTypes(), drawn.layouts.operands),
                          optional(op->getResultTypes(), drawn.layouts.results));
      EXPECT_TRUE(again.ok()) << name << ": " << again.message();
      EXPECT_EQ(checkForms(op, drawn.mesh, drawn.layouts), "")
          << name << " on " << drawn.mesh.str();
    }
  });
  EXPECT_GT(accepted, 400);
}

} // namespace
