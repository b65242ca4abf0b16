//===- CompiledWaitsTest.cpp - Each wait of a compiled schedule is needed -----------------===//
//
// Small GPTs are compiled. Each wait of their schedules is deleted in turn: the verifier must name the
// race, and running ready instructions in random orders, with the verifier bypassed, must give other
// numbers than the whole schedule does in every order.
//
//===----------------------------------------------------------------------------------------===//

#include "compiler/Registration.h"
#include "compiler/models/Gpt.h"
#include "compiler/pipelines/Stages.h"
#include "dialects/sched/SchedOps.h"
#include "passes/codegen/ScheduleEncoder.h"
#include "runtime/executor/Executor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <mutex>

using namespace mlir;
using namespace vescale::runtime;
using vescale::layout::Status;

namespace {

/// Orders that the whole schedule is run in, and those in which a wrong number is looked for.
constexpr int ordersOfWhole = 20, ordersOfBroken = 100;

struct CompiledModel {
  Schedule schedule;
  std::vector<vescale_kernel> kernels;
};

/// Kernels of an object, by dlopen.
void load(StringRef object, CompiledModel &model) {
  static int number = 0;
  std::string stem = std::string(std::getenv("TEST_TMPDIR")) + "/kernels" + std::to_string(number++);
  std::ofstream(stem + ".o", std::ios::binary).write(object.data(), static_cast<std::streamsize>(object.size()));
  ASSERT_EQ(std::system(("g++ -shared -o " + stem + ".so " + stem + ".o -lm").c_str()), 0);
  void *library = dlopen((stem + ".so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  for (const std::string &symbol : model.schedule.kernels)
    model.kernels.push_back(reinterpret_cast<vescale_kernel>(dlsym(library, symbol.c_str())));
}

void compile(const vescale::GptOptions &gpt, const std::string &plan, CompiledModel &model) {
  static const bool registered = [] {
    vescale::registerVescalePasses();
    return true;
  }();
  (void)registered;
  DialectRegistry registry;
  vescale::registerVescaleDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(vescale::buildGpt(gpt), &context);
  ASSERT_TRUE(module);
  vescale::StageOptions options;
  options.plan = "examples/gpt/plans/" + plan + ".json";
  ASSERT_TRUE(succeeded(runStages(*module, compilerStages(options))));
  FailureOr<Schedule> schedule = vescale::encodeModule(*module);
  ASSERT_TRUE(succeeded(schedule));
  model.schedule = std::move(*schedule);
  for (auto image : module->getOps<vescale::sched::KernelImageOp>())
    load(image.getObject(), model);
}

/// One executor, whose steps all begin with the same numbers in a cleared arena.
class Runs {
public:
  Runs(const Schedule &schedule, const CompiledModel &model) {
    ExecutorOptions options;
    options.workers = 1;
    options.acceptRaces = options.randomOrder = true;
    options.randomSeed = 7;
    options.input = [this](const HostTransfer &transfer) { return fill(transfer); };
    options.output = [this](const HostTransfer &transfer) { return note(transfer); };
    std::vector<uint8_t> file = encodeSchedule(schedule);
    auto created = Executor::create(file.data(), file.size(),
                                    {model.kernels.data(), model.kernels.size(), schedule.kernelsChecksum}, options);
    EXPECT_TRUE(created.ok()) << created.message();
    if (created.ok())
      executor = std::move(*created);
  }

  /// All parameters, states and metrics of all ranks after a step, in an order that differs from run to run.
  std::map<std::string, std::string> run() {
    for (int64_t rank = 0; rank < executor->ranks(); ++rank)
      std::memset(executor->arena(rank), 0, executor->arenaBytes(rank));
    forTensors([&](const std::string &name, int64_t rank, char *data, uint64_t bytes) {
      bool isState = name.size() > 2 && name[name.size() - 2] == '.';
      // Not 0 and not alike on two elements; states as large as squares of gradients.
      for (uint64_t i = 0; i < bytes / sizeof(float); ++i)
        reinterpret_cast<float *>(data)[i] =
            isState ? 1e-4f : 0.2f * std::sin(1.7f * static_cast<float>(i) + static_cast<float>(name.size()));
    });
    results.clear();
    Status status = executor->runStep({/*step=*/1, /*learningRate=*/1e-2, /*seed=*/3});
    EXPECT_TRUE(status.ok()) << status.message();
    forTensors([&](const std::string &name, int64_t rank, char *data, uint64_t bytes) {
      results[name + " of rank " + std::to_string(rank)] = std::string(data, bytes);
    });
    return results;
  }

private:
  template <typename Visit> void forTensors(Visit visit) {
    const Schedule &schedule = executor->schedule();
    for (uint32_t t = 0; t < schedule.tensors.size(); ++t) {
      const Tensor &tensor = schedule.tensors[t];
      if (tensor.role != TensorRole::Parameter && tensor.role != TensorRole::State)
        continue;
      for (int64_t rank = 0; rank < executor->ranks(); ++rank) {
        uint32_t number = classOf(schedule, executor->resolvedLayouts(), rank);
        uint32_t buffer = tensor.buffers[number];
        if (buffer != none)
          visit(tensor.name, rank, reinterpret_cast<char *>(executor->tensorData(t, rank)),
                schedule.programs[number].buffers[buffer].bytes);
      }
    }
  }

  Status fill(const HostTransfer &transfer) {
    for (uint64_t i = 0; i < transfer.bytes / sizeof(int32_t); ++i)
      reinterpret_cast<int32_t *>(transfer.data)[i] = static_cast<int32_t>((i * 7 + transfer.tensor) % 29);
    return Status();
  }

  Status note(const HostTransfer &transfer) {
    std::lock_guard<std::mutex> lock(mutex);
    results["output " + std::to_string(transfer.tensor) + " of rank " + std::to_string(transfer.rank)] =
        std::string(reinterpret_cast<const char *>(transfer.data), transfer.bytes);
    return Status();
  }

  std::unique_ptr<Executor> executor;
  std::map<std::string, std::string> results;
  std::mutex mutex;
};

void deleteEachWait(const std::string &plan) {
  vescale::GptOptions gpt;
  gpt.layers = 1;
  gpt.hidden = 16;
  gpt.heads = 2;
  gpt.sequence = 8;
  gpt.batch = 4;
  gpt.vocabulary = 32;
  CompiledModel model;
  compile(gpt, plan, model);
  ASSERT_FALSE(model.kernels.empty());
  Status whole = verifySchedule(model.schedule);
  ASSERT_TRUE(whole.ok()) << whole.message();

  Runs wholeRuns(model.schedule, model);
  auto right = wholeRuns.run();
  ASSERT_GT(right.size(), 10u);
  for (int order = 0; order < ordersOfWhole; ++order)
    ASSERT_EQ(wholeRuns.run() == right, true) << "order " << order << " of the whole schedule gives other numbers";

  std::vector<size_t> waits;
  const auto &instructions = model.schedule.programs[0].instructions;
  for (size_t i = 0; i < instructions.size(); ++i)
    if (std::holds_alternative<WaitEvent>(instructions[i].operation))
      waits.push_back(i);
  EXPECT_GT(waits.size(), 10u);
  int unseen = 0;
  for (size_t wait : waits) {
    SCOPED_TRACE("without the wait of instruction " + std::to_string(wait));
    Schedule broken = model.schedule;
    // The programs of the training step come first.
    for (size_t c = 0; c < broken.numClasses(); ++c) {
      Program &program = broken.programs[c];
      program.instructions.erase(program.instructions.begin() + static_cast<ptrdiff_t>(wait));
    }
    Status status = verifySchedule(broken);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.message().substr(0, 5), "race:") << status.message();
    Runs runs(broken, model);
    bool wrong = false;
    for (int order = 0; order < ordersOfBroken && !wrong; ++order)
      wrong = runs.run() != right;
    if (!wrong) {
      ++unseen;
      std::printf("no order shows that %s\n", status.message().c_str());
    }
  }
  std::printf("%s: %zu waits, %d of which no order needs\n", plan.c_str(), waits.size(), unseen);
  EXPECT_EQ(unseen, 0);
}

TEST(CompiledWaits, AreNeededWithDataAndTensorsCut) { deleteEachWait("data_tensor_2x2"); }

TEST(CompiledWaits, AreNeededWithAllWeightsCut) { deleteEachWait("fully_sharded_4"); }

} // namespace
