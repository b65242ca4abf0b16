//===- RandomProgramsTest.cpp - Random programs through all stages --------------------------===//
//
// Programs with the seeds 1 to 2000, in blocks that test shards divide among them. A longer run:
//
//   random_programs_test --programs=100000 --seed=5000
//
// prints each failure, reduced, as a lit test; --programs=1 --seed=N repeats one program.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/differential/Comparison.h"
#include "tests/differential/GradientCheck.h"
#include "tests/differential/ProgramReduction.h"
#include "tests/differential/RandomPlacement.h"
#include "tests/differential/RandomProgram.h"
#include "tests/differential/StageCheck.h"
#include "tests/unit/analysis/Programs.h"

#include "compiler/Registration.h"
#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/IndexingRuleInterface.h"

#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <fmt/format.h>

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

int64_t programs = 2000, firstSeed = 1;
constexpr int blocks = 20;

bool isOneOf(const std::string &name, std::initializer_list<const char *> names) {
  return llvm::is_contained(names, name);
}

bool hasRule(const std::string &name) {
  auto op = RegisteredOperationName::lookup(name, &testContext());
  return op && (op->hasInterface<dist::IndexingRuleOpInterface>() ||
                isOneOf(name, {"vs.recompute", "vs.repeat"}));
}

/// The others are interpreted only.
bool hasKernel(const std::string &name) {
  return hasRule(name) && !isOneOf(name, {"vs.sort", "vs.top_k", "vs.arg_max", "vs.cumulative_sum",
                                          "vs.scatter"});
}

bool isDifferentiable(const std::string &name) {
  return hasKernel(name) && !isOneOf(name, {"vs.sgd", "vs.adamw", "vs.clip_by_global_norm",
                                            "vs.repeat", "vs.put", "vs.gather"});
}

/// Stages of the compiler from one to another.
std::vector<Stage> stages(const std::string &from, const std::string &to,
                          const StageOptions &options = {}) {
  std::vector<Stage> result;
  bool inside = false;
  for (const Stage &stage : compilerStages(options)) {
    inside |= stage.name == from;
    if (inside)
      result.push_back(stage);
    if (stage.name == to)
      break;
  }
  return result;
}

void report(ModuleOp base, const std::vector<Stage> &path, const StageCheckOptions &options,
            const StageFailure &failure) {
  auto fails = [&](ModuleOp module) {
    std::optional<StageFailure> other = checkStages(module, path, options);
    return other && isSameKind(*other, failure);
  };
  OwningOpRef<ModuleOp> reduced = reduceModule(base, fails);
  std::optional<StageFailure> last = checkStages(*reduced, path, options);
  std::string run =
      failure.pipeline.empty()
          ? fmt::format("vescale interpret %s --seed={} --compare-one-device", options.seed)
          : fmt::format("vescale-opt %s --pass-pipeline='builtin.module({})' | vescale interpret - "
                        "--seed={} --compare %s",
                        failure.pipeline, options.seed);
  ADD_FAILURE() << "--programs=1 --seed=" << options.seed << ": " << failure.stage << ": "
                << (last ? last->text : failure.text) << "\n// RUN: " << run << "\n"
                << textOf(*reduced);
}

bool check(ModuleOp base, const std::vector<Stage> &path, uint64_t seed) {
  StageCheckOptions options;
  options.seed = seed;
  std::optional<StageFailure> failure = checkStages(base, path, options);
  if (failure)
    report(base, path, options, *failure);
  return !failure;
}

/// Random layouts, or wishes from which placement makes layouts; then all stages.
bool checkPlaced(OwningOpRef<ModuleOp> module, Choice &choice, const std::string &last,
                 uint64_t seed) {
  layout::Mesh mesh = randomMesh(choice, 16);
  bool placed = choice.percent(50);
  for (auto function : module->getOps<func::FuncOp>()) {
    if (!placed)
      wishRandomly(function, mesh, choice);
    else
      EXPECT_TRUE(succeeded(placeRandomly(function, mesh, choice)));
  }
  module->getOperation()->setAttr("dist.mesh", dist::MeshAttr::get(module->getContext(), mesh));
  EXPECT_TRUE(succeeded(verify(*module)));
  return check(*module, stages(placed ? "spmd" : "placement", last), seed);
}

/// Every tenth program is compiled and executed; the schedules of the others are interpreted.
std::string lastStage(uint64_t seed) { return seed % 10 == 0 ? "codegen" : "schedule"; }

bool checkModel(Choice &choice, uint64_t seed) {
  std::string text = randomModel(choice, static_cast<int>(choice.between(3, 9)), isDifferentiable);
  OwningOpRef<ModuleOp> module = parseProgram(text);
  if (!module)
    return false;
  StageOptions options;
  options.training.optimizer = choice.percent(70) ? "adamw" : "sgd";
  options.training.momentum = choice.percent(50) ? 0.5 : 0;
  options.training.epsilon = 0.125;
  options.training.maxGradientNorm = choice.percent(70) ? 1 : 0;
  std::vector<Stage> training = stages("training", "training", options);
  if (!check(*module, training, seed))
    return false;
  if (std::optional<std::string> wrong = checkGradients(*module, seed)) {
    ADD_FAILURE() << "--programs=1 --seed=" << seed << ": training: " << *wrong << "\n" << text;
    return false;
  }
  std::optional<std::string> error = runPipeline(*module, training[0].pipeline);
  EXPECT_FALSE(error) << *error;
  // Random layouts would differ between functions, but a parameter is kept between them in one.
  if (auto evaluation = module->lookupSymbol<func::FuncOp>("evaluate"))
    evaluation.erase();
  for (auto function : module->getOps<func::FuncOp>())
    function->setAttr("inexact", UnitAttr::get(module->getContext()));
  return checkPlaced(std::move(module), choice, lastStage(seed), seed);
}

bool check(uint64_t seed) {
  Choice choice(seed);
  if (choice.percent(30))
    return checkModel(choice, seed);
  bool interpretedOnly = choice.percent(20);
  std::string text = randomProgram(choice, static_cast<int>(choice.between(3, 14)),
                                   interpretedOnly ? hasRule : hasKernel);
  OwningOpRef<ModuleOp> module = parseProgram(text);
  return module &&
         checkPlaced(std::move(module), choice, interpretedOnly ? "spmd" : lastStage(seed), seed);
}

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, ComputeTheSameAfterEachStage) {
  registerVescalePasses();
  int64_t begin = programs * GetParam() / blocks, end = programs * (GetParam() + 1) / blocks;
  int failures = 0;
  for (int64_t number = begin; number < end && failures < 5; ++number)
    failures += !check(static_cast<uint64_t>(firstSeed + number));
}

INSTANTIATE_TEST_SUITE_P(Blocks, RandomPrograms, testing::Range(0, blocks));

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
