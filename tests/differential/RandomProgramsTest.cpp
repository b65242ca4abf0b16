//===- RandomProgramsTest.cpp - Random programs through all stages --------------------------===//
//
// Programs with the seeds 1 to 2000, in blocks that test shards divide among them. A longer run:
//
//   random_programs_test --programs=20000 --seed=5000 --layouts=8 --brief
//
// prints each failure, reduced, as a lit test; --programs=1 --seed=N repeats one program. With
// --layouts=N, each program is distributed in N ways, over N meshes; with --brief, only what the
// last stage made of it is compared, and each stage where that differs.
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
#include "dialects/vs/VsInterfaces.h"

#include "mlir/IR/Verifier.h"

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include "gtest/gtest.h"

#include <fmt/format.h>

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

int64_t programs = 2000, firstSeed = 1, layouts = 1;
bool brief = false;
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
  return hasRule(name) &&
         !isOneOf(name, {"vs.sort", "vs.top_k", "vs.arg_max", "vs.cumulative_sum", "vs.scatter",
                         "vs.convolution", "vs.max_pool", "vs.grouped_matmul", "vs.muon"});
}

bool isDifferentiable(const std::string &name) {
  auto op = RegisteredOperationName::lookup(name, &testContext());
  return hasRule(name) && op->hasInterface<vs::DifferentiableOpInterface>();
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

/// Prints the program that was compiled when the process crashed.
class CrashedProgram : public llvm::PrettyStackTraceEntry {
public:
  CrashedProgram(uint64_t seed, ModuleOp module) : seed(seed), module(module) {}
  void print(llvm::raw_ostream &stream) const override {
    stream << "--programs=1 --seed=" << seed << "\n" << textOf(module) << "\n";
  }

private:
  uint64_t seed;
  ModuleOp module;
};

/// What was done, over all programs of this process.
struct Counts {
  int64_t combinations = 0, executions = 0;
};

/// One program, in some layouts.
class ProgramCheck {
public:
  ProgramCheck(uint64_t seed, Counts &counts)
      : seed(seed), choice(seed), options{seed}, counts(counts) {}

  /// Whether nothing differs.
  bool run() {
    OwningOpRef<ModuleOp> module = write();
    return module && (!isModel || train(*module, /*compares=*/true)) && distribute(*module);
  }

  /// The program before it is distributed; null where there is none.
  OwningOpRef<ModuleOp> program() {
    OwningOpRef<ModuleOp> module = write();
    if (module && isModel && !train(*module, /*compares=*/false))
      return nullptr;
    return module;
  }

private:
  OwningOpRef<ModuleOp> write() {
    isModel = choice.percent(30);
    // Ops without a kernel stand in every fifth program, whose redistributions are planned.
    interpretedOnly = choice.percent(20);
    // Programs of these seeds are compiled and executed; the schedules of others are interpreted.
    bool executes = !brief && seed % 8 == 0;
    lastStage = interpretedOnly && !executes ? "spmd" : executes ? "codegen" : "schedule";
    interpretedOnly &= !executes;
    text = isModel ? randomModel(choice, static_cast<int>(choice.between(3, 9)), supported())
                   : randomProgram(choice, static_cast<int>(choice.between(3, 14)), supported());
    return parseProgram(text);
  }

  std::function<bool(const std::string &)> supported() const {
    return [this](const std::string &name) {
      return (interpretedOnly ? hasRule(name) : hasKernel(name)) &&
             (!isModel || isDifferentiable(name)) &&
             // Its adjoint is a scatter.
             (!isModel || interpretedOnly || name != "vs.gather");
    };
  }

  bool check(StageChecker &checker, ModuleOp base, const std::vector<Stage> &path) {
    CrashedProgram crashed(seed, base);
    std::optional<StageFailure> failure = checker.check(base, path);
    if (failure)
      report(base, path, options, *failure);
    return !failure;
  }

  /// Makes the model a training step.
  bool train(ModuleOp module, bool compares) {
    StageOptions training;
    training.training.optimizer = choice.percent(70) ? "adamw" : "sgd";
    training.training.momentum = choice.percent(50) ? 0.5 : 0;
    training.training.epsilon = 0.125;
    training.training.maxGradientNorm = choice.percent(70) ? 1 : 0;
    std::vector<Stage> path = stages("training", "training", training);
    if (compares && !isTrainedRightly(module, path))
      return false;
    std::optional<std::string> error = runPipeline(module, path[0].pipeline);
    EXPECT_FALSE(error) << *error;
    // Random layouts would differ between functions, but a parameter is kept between them in one.
    if (auto evaluation = module.lookupSymbol<func::FuncOp>("evaluate"))
      evaluation.erase();
    for (auto function : module.getOps<func::FuncOp>())
      function->setAttr("inexact", UnitAttr::get(module.getContext()));
    return true;
  }

  bool isTrainedRightly(ModuleOp module, const std::vector<Stage> &path) {
    if (std::optional<StageFailure> failure = checkStages(module, path, options)) {
      report(module, path, options, *failure);
      return false;
    }
    if (std::optional<std::string> wrong = checkGradients(module, seed)) {
      ADD_FAILURE() << "--programs=1 --seed=" << seed << ": training: " << *wrong << "\n" << text;
      return false;
    }
    return true;
  }

  /// Random layouts, or wishes from which placement makes layouts; then all stages.
  bool distribute(ModuleOp program) {
    options.eachStage = !brief;
    StageChecker checker(options);
    if (std::optional<StageFailure> failure = checker.setProgram(program)) {
      ADD_FAILURE() << "--programs=1 --seed=" << seed << ": " << failure->text << "\n" << text;
      return false;
    }
    for (int64_t layout = 0; layout < layouts; ++layout) {
      OwningOpRef<ModuleOp> module = program.clone();
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
      if (!check(checker, *module, stages(placed ? "spmd" : "placement", lastStage)))
        return false;
      ++counts.combinations;
    }
    counts.executions += checker.executions();
    return true;
  }

  uint64_t seed;
  Choice choice;
  StageCheckOptions options;
  Counts &counts;
  bool isModel = false, interpretedOnly = false;
  std::string lastStage, text;
};

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, ComputeTheSameAfterEachStage) {
  registerVescalePasses();
  int64_t begin = programs * GetParam() / blocks, end = programs * (GetParam() + 1) / blocks;
  Counts counts;
  int failures = 0;
  for (int64_t number = begin; number < end && failures < 5; ++number)
    failures += !ProgramCheck(static_cast<uint64_t>(firstSeed + number), counts).run();
  RecordProperty("combinations", static_cast<int>(counts.combinations));
  RecordProperty("executions", static_cast<int>(counts.executions));
  if (failures == 0) {
    EXPECT_EQ(counts.combinations, (end - begin) * layouts);
    // Every tenth at least; some that are compiled could round otherwise in single precision.
    if (!brief && layouts == 1 && end - begin >= 100)
      EXPECT_GE(counts.executions * 10, end - begin);
  }
}

/// Ops that stand in no program: what the compiler alone makes, and what is rounded to 8 bits.
bool isLeftOut(StringRef name) {
  return isOneOf(name.str(), {"vs.from_index", "vs.random_at", "vs.fused", "vs.yield",
                              "vs.adamw8bit"});
}

TEST(RandomProgramsOfTheTest, HaveEveryOp) {
  registerVescalePasses();
  if (programs < 2000)
    return;
  llvm::StringMap<int64_t> found;
  Counts counts;
  for (uint64_t seed = 1; seed <= 2000; ++seed)
    if (OwningOpRef<ModuleOp> module = ProgramCheck(seed, counts).program())
      module->walk([&](Operation *op) { ++found[op->getName().getStringRef()]; });
  for (RegisteredOperationName op : testContext().getRegisteredOperations())
    if (op.getDialectNamespace() == "vs" && !isLeftOut(op.getStringRef())) {
      EXPECT_GE(found.lookup(op.getStringRef()), 10) << op.getStringRef().str();
    }
}

INSTANTIATE_TEST_SUITE_P(Blocks, RandomPrograms, testing::Range(0, blocks));

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::EnablePrettyStackTrace();
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument(argv[i]);
    brief |= argument == "--brief";
    bool read = argument == "--brief" ||
                (argument.consume_front("--programs=") && !argument.getAsInteger(10, programs)) ||
                (argument.consume_front("--seed=") && !argument.getAsInteger(10, firstSeed)) ||
                (argument.consume_front("--layouts=") && !argument.getAsInteger(10, layouts));
    if (!read) {
      llvm::errs() << "'" << argv[i]
                   << "' is none of --programs=N, --seed=N, --layouts=N, --brief\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
