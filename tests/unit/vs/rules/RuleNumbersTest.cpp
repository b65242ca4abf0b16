//===- RuleNumbersTest.cpp - Local data alone gives the right numbers -----------------------===//
//
// For each cell of the coverage table that a rule accepts: the operands are cut by their layouts,
// each device evaluates the local form of the op on its parts alone, and the results, joined by
// their layouts, are those of one device on the whole operands.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/unit/vs/rules/LayoutCells.h"

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/Interpreter.h"
#include "dialects/dist/LayoutTypes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace vescale;
using namespace vescale::rulecoverage;
using analysis::ElementType;
using analysis::Sharded;
using analysis::Tensor;

namespace {

/// A random operand. Reals are multiples of 1/8 in (0, 2], so that logarithms and roots exist;
/// 64-bit integers reach below and beyond all dims of the samples, 32-bit ones count tokens or
/// divide.
Tensor operandOf(Type type, std::mt19937 &random) {
  auto pick = [&](int64_t count) { return static_cast<int64_t>(random() % count); };
  if (type.isIndex())
    return Tensor::index(3);
  Tensor tensor = analysis::zerosOf(type);
  if (tensor.type() == ElementType::rng)
    return Tensor::generator(7, 2);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    if (tensor.isReal())
      tensor.setReal(i, (1 + pick(16)) / 8.0);
    else if (tensor.type() == ElementType::i64)
      tensor.setInteger(i, pick(12) - 2);
    else
      tensor.setInteger(i, tensor.type() == ElementType::i32 ? 1 + pick(2) : pick(2));
  }
  // A scalar counts steps or starts a part.
  if (tensor.type() == ElementType::i64 && tensor.rank() == 0)
    tensor.setInteger(0, 1 + pick(3));
  return tensor;
}

/// Contributions of all devices instead of those of one, on the meshes of cells, whose second axis
/// of two devices is the partial one: others' sums cancel, maxima and minima have smaller and
/// larger company.
void spreadContributions(Sharded &sharded) {
  if (!sharded.layout || !sharded.layout->partial())
    return;
  const layout::Mesh &mesh = sharded.layout->mesh();
  layout::Reduction reduction = sharded.layout->partial()->reduction;
  for (int64_t device = 0; device < mesh.numDevices(); device += 2) {
    Tensor &first = sharded.shards[device], &second = sharded.shards[device + 1];
    for (int64_t i = 0; first.isReal() && i < first.elements(); ++i) {
      double value = first.real(i), other = ((device / 2 + i) % 5 - 2) / 4.0;
      if (reduction == layout::Reduction::sum) {
        first.setReal(i, value - other);
        second.setReal(i, other);
      } else if (reduction == layout::Reduction::max) {
        second.setReal(i, value);
        first.setReal(i, value - 1);
      } else if (reduction == layout::Reduction::min) {
        second.setReal(i, value);
        first.setReal(i, value + 1);
      }
    }
  }
}

class RuleNumbers : public testing::Test {
protected:
  RuleNumbers() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    samples = readSamples(context);
  }
  void SetUp() override { ASSERT_TRUE(samples); }

  /// Nothing where the numbers are right, else what is wrong.
  std::string check(Operation *op, const layout::Mesh &mesh, const dist::OpLayouts &layouts,
                    bool spread) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str() + "\n";
      return success();
    });
    std::mt19937 random(5);
    SmallVector<Tensor> operands;
    OwningOpRef<ModuleOp> module = placed(op, layouts);
    auto main = cast<func::FuncOp>(module->lookupSymbol("main"));
    SmallVector<Sharded> parts;
    for (Type type : main.getArgumentTypes()) {
      operands.push_back(operandOf(type, random));
      parts.push_back(analysis::cut(operands.back(), dist::getLayout(type)));
      if (spread)
        spreadContributions(parts.back());
    }
    analysis::Interpreter interpreter({});
    auto expected = interpreter.run(op->getParentOfType<func::FuncOp>(), operands);
    if (failed(expected))
      return "on one device: " + message;
    Block &body = main.getBody().front();
    auto results = interpreter.runBlock(body, parts, body.getTerminator()->getOperands(),
                                        /*device=*/nullptr);
    if (failed(results))
      return "on all devices: " + message;
    for (auto [number, result] : llvm::enumerate(*results)) {
      const Tensor &wanted = (*expected)[number];
      layout::StatusOr<Tensor> joined = analysis::rebuild(result, wanted.shape());
      if (!joined.ok())
        return "result " + std::to_string(number) + ": " + joined.message();
      analysis::Difference difference = analysis::largestDifference(*joined, wanted);
      if (difference.size > 1e-9)
        return "result " + std::to_string(number) + " element " +
               std::to_string(difference.element) + " is " + joined->text(difference.element) +
               ", on one device " + wanted.text(difference.element);
    }
    return "";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> samples;
};

TEST_F(RuleNumbers, OfEveryAcceptedCellAreThoseOfOneDevice) {
  int checked = 0;
  for (auto sample : samples->getOps<func::FuncOp>())
    for (const Cell &cell : cellsOf(sampledOp(sample)))
      for (const dist::OpLayouts &layouts : cell.accepted) {
        EXPECT_EQ(check(sampledOp(sample), cell.mesh, layouts, /*spread=*/true), "")
            << sample.getName().str() << ", factor " << cell.factor << ", " << name(cell.kind)
            << (layouts.results.empty() ? "" : " -> " + layouts.results[0].str());
        ++checked;
      }
  EXPECT_GT(checked, 1000);
}

TEST_F(RuleNumbers, OfRandomLayoutsAreThoseOfOneDevice) {
  std::mt19937 random(3);
  int checked = 0;
  for (auto sample : samples->getOps<func::FuncOp>())
    for (const RandomLayouts &drawn : randomLayouts(sampledOp(sample), random, 12)) {
      EXPECT_EQ(check(sampledOp(sample), drawn.mesh, drawn.layouts, /*spread=*/false), "")
          << sample.getName().str() << " on " << drawn.mesh.str()
          << (drawn.layouts.results.empty() ? "" : " -> " + drawn.layouts.results[0].str());
      ++checked;
    }
  EXPECT_GT(checked, 1000);
}

} // namespace
