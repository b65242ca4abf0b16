//===- OpsTest.cpp - Every op alone, in random layouts --------------------------------------===//

#include "tests/differential/Comparison.h"
#include "tests/differential/RandomPlacement.h"
#include "tests/unit/analysis/OpCases.h"
#include "tests/unit/analysis/Programs.h"

#include "dialects/dist/IndexingRuleInterface.h"

#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

/// Multiples of 1/8 inside of the case's range.
std::vector<Tensor> gridArguments(func::FuncOp function, const OpCase &one, uint32_t seed) {
  std::vector<Tensor> arguments =
      randomArguments(function, one.low, one.high, one.integersBelow, seed);
  for (Tensor &argument : arguments)
    for (int64_t i = 0; argument.isReal() && i < argument.elements(); ++i)
      argument.setReal(i, std::ceil(argument.real(i) * 8) / 8);
  return arguments;
}

TEST(Differential, EveryOpInRandomLayouts) {
  constexpr int layoutsPerOp = 40;
  std::string without;
  for (const OpCase &one : opCases()) {
    auto module = parseProgram(one.module());
    func::FuncOp single = functionNamed(*module, "f");
    Operation &op = single.getBody().front().front();
    if (!isa<dist::IndexingRuleOpInterface>(op) && op.getNumRegions() == 0) {
      without += " " + one.name;
      continue;
    }
    for (uint64_t seed = 0; seed < layoutsPerOp; ++seed) {
      Choice choice(seed * 1000003 + 7);
      layout::Mesh mesh = randomMesh(choice, 16);
      IRMapping counterpart;
      OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->getOperation()->clone(counterpart));
      func::FuncOp distributed = functionNamed(*copy, "f");
      ASSERT_TRUE(succeeded(placeRandomly(distributed, mesh, choice))) << one.name;
      ASSERT_TRUE(succeeded(verify(*copy))) << textOf(*copy);
      // Devices sum in another order than one device.
      distributed.walk(
          [&](Operation *inner) { inner->setAttr("inexact", UnitAttr::get(&testContext())); });
      std::optional<Mismatch> mismatch =
          compareAllOps(single, distributed, counterpart,
                        gridArguments(single, one, static_cast<uint32_t>(seed)), 1e-12);
      if (mismatch) {
        ADD_FAILURE() << one.name << ", seed " << seed << ": " << mismatch->text << "\n"
                      << textOf(*copy);
        break;
      }
    }
  }
  if (!without.empty())
    llvm::errs() << "ops without an indexing rule:" << without << "\n";
}

} // namespace
