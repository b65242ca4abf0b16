//===- RandomProgramsTest.cpp - Random programs in random layouts ---------------------------===//
//
// --programs=N and --seed=N make a longer run, or repeat one program.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/differential/Comparison.h"
#include "tests/differential/RandomPlacement.h"
#include "tests/differential/RandomProgram.h"
#include "tests/unit/analysis/Programs.h"

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/InitialValues.h"
#include "compiler/Registration.h"
#include "dialects/dist/IndexingRuleInterface.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

int64_t programs = 300, firstSeed = 1;

bool isSupported(const std::string &name) {
  auto op = RegisteredOperationName::lookup(name, &testContext());
  if (!op)
    return false;
  return op->hasInterface<dist::IndexingRuleOpInterface>() || name == "vs.recompute" ||
         name == "vs.repeat" || name == "vs.fused";
}

std::vector<Tensor> gridArguments(func::FuncOp function, uint64_t seed) {
  std::vector<Tensor> arguments;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    FailureOr<Tensor> value = initialValue(function, number, {seed});
    EXPECT_TRUE(succeeded(value));
    arguments.push_back(*value);
  }
  return arguments;
}

/// The passes after placement, in their order, each on the result of those before; as many as there
/// are.
const std::vector<std::string> &stages() {
  static const std::vector<std::string> registered = [] {
    registerVescalePasses();
    std::vector<std::string> passes;
    for (const char *pass : {"dist-plan-redistributions"}) {
      if (!PassInfo::lookup(pass))
        break;
      passes.push_back(pass);
    }
    return passes;
  }();
  return registered;
}

/// Runs the stages on a placed module and compares after each; false where one fails.
bool checkStages(ModuleOp module, func::FuncOp single, const std::vector<Tensor> &arguments,
                 uint64_t seed) {
  for (const std::string &stage : stages()) {
    std::string before = textOf(module);
    PassManager manager(&testContext());
    bool runs = succeeded(parsePassPipeline("func.func(" + stage + ")", manager)) &&
                succeeded(manager.run(module));
    std::optional<Mismatch> mismatch;
    if (runs)
      mismatch = compareResults(single, functionNamed(module, "f"), arguments, 1e-9);
    if (runs && !mismatch)
      continue;
    ADD_FAILURE() << "--programs=1 --seed=" << seed << ": " << stage << ": "
                  << (runs ? mismatch->text : "the pass fails") << "\n// RUN: vescale-opt %s -"
                  << stage << " | vescale interpret - --compare-one-device\n\n"
                  << before << "\n// It gives:\n"
                  << textOf(module);
    return false;
  }
  return true;
}

/// One program on several meshes; false where it fails.
bool check(uint64_t seed) {
  Choice choice(seed);
  std::string text = randomProgram(choice, static_cast<int>(choice.between(3, 14)), isSupported);
  auto module = parseProgram(text);
  if (!module)
    return false;
  func::FuncOp single = functionNamed(*module, "f");
  std::vector<Tensor> arguments = gridArguments(single, seed);
  for (int placement = 0; placement < 3; ++placement) {
    layout::Mesh mesh = randomMesh(choice, 16);
    IRMapping counterpart;
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->getOperation()->clone(counterpart));
    func::FuncOp distributed = functionNamed(*copy, "f");
    EXPECT_TRUE(succeeded(placeRandomly(distributed, mesh, choice)));
    EXPECT_TRUE(succeeded(verify(*copy)));
    std::optional<Mismatch> mismatch =
        compareAllOps(single, distributed, counterpart, arguments, 1e-9);
    if (!mismatch) {
      if (!checkStages(*copy, single, arguments, seed))
        return false;
      continue;
    }
    ADD_FAILURE() << "--programs=1 --seed=" << seed << ": " << mismatch->text << "\n"
                  << (mismatch->op ? reducedTest(mismatch->op) : textOf(*copy));
    return false;
  }
  return true;
}

TEST(Differential, RandomProgramsInRandomLayouts) {
  int failures = 0;
  for (int64_t seed = firstSeed; seed < firstSeed + programs && failures < 5; ++seed)
    failures += !check(static_cast<uint64_t>(seed));
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument(argv[i]);
    bool read = (argument.consume_front("--programs=") && !argument.getAsInteger(10, programs)) ||
                (argument.consume_front("--seed=") && !argument.getAsInteger(10, firstSeed));
    if (!read) {
      llvm::errs() << "'" << argv[i] << "' is neither --programs=N nor --seed=N\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
