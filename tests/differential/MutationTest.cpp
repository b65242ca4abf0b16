//===- MutationTest.cpp - A fault of a pass is found and reduced ----------------------------===//
//
// Passes with a fault stand between the stages; random programs must find each, and leave a few
// ops of the program that still show it.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/differential/Comparison.h"
#include "tests/differential/ProgramReduction.h"
#include "tests/differential/RandomPlacement.h"
#include "tests/differential/RandomProgram.h"
#include "tests/differential/StageCheck.h"
#include "tests/unit/analysis/Programs.h"

#include "compiler/Registration.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/CreationOps.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

/// Calls partial values whole, so that their contributions are never added.
struct ForgetReductions : PassWrapper<ForgetReductions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForgetReductions)
  StringRef getArgument() const final { return "test-forget-reductions"; }

  void runOnOperation() override {
    SmallVector<dist::AllReduceOp> reductions;
    getOperation()->walk([&](dist::AllReduceOp op) { reductions.push_back(op); });
    for (dist::AllReduceOp op : reductions) {
      Value partial = op->getOperand(0);
      if (!partial.getDefiningOp() || !partial.hasOneUse())
        continue;
      partial.setType(op->getResult(0).getType());
      op->getResult(0).replaceAllUsesWith(partial);
      op->erase();
    }
  }
};

/// Finds zeros where devices should have exchanged their shards.
struct LoseExchanges : PassWrapper<LoseExchanges, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoseExchanges)
  StringRef getArgument() const final { return "test-lose-exchanges"; }

  void runOnOperation() override {
    SmallVector<dist::AllToAllOp> exchanges;
    getOperation()->walk([&](dist::AllToAllOp op) { exchanges.push_back(op); });
    for (dist::AllToAllOp op : exchanges) {
      OpBuilder builder(op);
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      auto zeros = builder.create<vs::ConstantOp>(op->getLoc(), dist::globalType(type), 0.0);
      zeros->getResult(0).setType(type);
      op->getResult(0).replaceAllUsesWith(zeros->getResult(0));
      op->erase();
    }
  }
};

bool hasRule(const std::string &name) {
  auto op = RegisteredOperationName::lookup(name, &testContext());
  return op && op->hasInterface<dist::IndexingRuleOpInterface>();
}

size_t opsOf(ModuleOp module) {
  size_t count = 0;
  for (auto function : module.getOps<func::FuncOp>())
    count += function.getBody().front().getOperations().size() - 1;
  return count;
}

/// Runs random programs until the fault behind the stage spmd shows; then at most `most` ops are
/// left of the program, and their text still shows it.
void expectFound(const std::string &fault, size_t most) {
  registerVescalePasses();
  std::vector<Stage> path;
  for (const Stage &stage : compilerStages({}))
    if (stage.name == "spmd")
      path.push_back(stage);
  path.push_back({"fault", fault});
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Choice choice(seed);
    OwningOpRef<ModuleOp> module = parseProgram(randomProgram(choice, 8, hasRule));
    ASSERT_TRUE(module);
    layout::Mesh mesh = randomMesh(choice, 8);
    ASSERT_TRUE(succeeded(placeRandomly(functionNamed(*module, "f"), mesh, choice)));
    module->getOperation()->setAttr("dist.mesh", dist::MeshAttr::get(&testContext(), mesh));
    StageCheckOptions options;
    options.seed = seed;
    std::optional<StageFailure> failure = checkStages(*module, path, options);
    if (!failure)
      continue;
    EXPECT_EQ(failure->stage, "fault") << failure->text;
    OwningOpRef<ModuleOp> reduced = reduceModule(*module, [&](ModuleOp candidate) {
      std::optional<StageFailure> other = checkStages(candidate, path, options);
      return other && isSameKind(*other, *failure);
    });
    EXPECT_LE(opsOf(*reduced), most) << failure->text << "\n" << textOf(*reduced);
    OwningOpRef<ModuleOp> printed = parseProgram(textOf(*reduced));
    ASSERT_TRUE(printed);
    std::optional<StageFailure> again = checkStages(*printed, path, options);
    EXPECT_TRUE(again && isSameKind(*again, *failure)) << textOf(*reduced);
    return;
  }
  FAIL() << "no program shows the fault of " << fault;
}

TEST(Mutation, ForgottenReductionsAreFound) {
  PassRegistration<ForgetReductions>();
  expectFound("test-forget-reductions", 3);
}

TEST(Mutation, LostExchangesAreFound) {
  PassRegistration<LoseExchanges>();
  expectFound("test-lose-exchanges", 3);
}

} // namespace
