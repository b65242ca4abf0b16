//===- ScheduleTest.cpp - placed functions compiled, run and compared -----===//
//
// From a function with layouts to machine code and a schedule, run by the executor on all ranks of a
// mesh, and compared with loops in double precision.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/Passes.h"
#include "passes/codegen/ElementInterface.h"
#include "passes/codegen/ScheduleEncoder.h"
#include "passes/fusion/KernelKind.h"
#include "passes/fusion/Passes.h"
#include "passes/memory/Passes.h"
#include "passes/schedule/Passes.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/sched/SchedOps.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/rules/Rules.h"
#include "runtime/executor/Executor.h"
#include "runtime/executor/GlobalTensor.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>

using namespace mlir;
using vescale::runtime::TensorRole;
using Values = std::vector<float>;

namespace {

/// A compiled step and the executor of its ranks.
class CompiledStep {
public:
  explicit CompiledStep(const std::string &source) {
    DialectRegistry registry;
    registry.insert<func::FuncDialect, vescale::dist::DistDialect, vescale::vs::VsDialect>();
    vescale::vs::registerIndexingRules(registry);
    vescale::registerElementInterfaces(registry);
    vescale::registerKernelKinds(registry);
    MLIRContext context(registry);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return;
    PassManager passes = PassManager::on<ModuleOp>(&context);
    passes.addNestedPass<func::FuncOp>(vescale::createFusePass());
    passes.addPass(vescale::createAssignBuffersPass());
    passes.addPass(vescale::createVerifyBuffersPass());
    passes.addPass(vescale::createLowerPass());
    passes.addPass(vescale::createOrderStreamsPass());
    passes.addPass(vescale::createGenerateKernelsPass());
    if (failed(passes.run(*module)))
      return;
    FailureOr<vescale::runtime::Schedule> schedule = vescale::encodeModule(*module);
    if (failed(schedule))
      return;
    numPrograms = schedule->programs.size();
    numKernels = schedule->kernels.size();
    for (auto image : module->getOps<vescale::sched::KernelImageOp>())
      load(image.getObject(), schedule->kernels);
    std::vector<uint8_t> file = vescale::runtime::encodeSchedule(*schedule);
    vescale::runtime::ExecutorOptions options;
    options.workers = 2;
    options.input = [this](const vescale::runtime::HostTransfer &transfer) { return fill(transfer); };
    auto created = vescale::runtime::Executor::create(
        file.data(), file.size(), {kernels.data(), kernels.size(), schedule->kernelsChecksum}, options);
    EXPECT_TRUE(created.ok()) << created.message();
    if (created.ok())
      executor = std::move(*created);
  }

  explicit operator bool() const { return executor != nullptr; }

  void set(TensorRole role, const std::string &name, const Values &values) {
    vescale::layout::Status status =
        writeTensor(*executor, executor->findTensor(role, name),
                    reinterpret_cast<const std::byte *>(values.data()), values.size() * sizeof(float));
    EXPECT_TRUE(status.ok()) << status.message();
  }

  Values get(TensorRole role, const std::string &name) {
    auto bytes = readTensor(*executor, executor->findTensor(role, name));
    EXPECT_TRUE(bytes.ok()) << bytes.message();
    Values values(bytes->size() / sizeof(float));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
  }

  /// What the host fills each rank's part of a batch with, by its tensor: the value that was set before.
  vescale::layout::Status fill(const vescale::runtime::HostTransfer &) { return {}; }

  void run(int64_t step, double learningRate) {
    vescale::layout::Status status = executor->runStep({step, learningRate, 7});
    ASSERT_TRUE(status.ok()) << status.message();
  }

  size_t numPrograms = 0, numKernels = 0;

private:
  void load(StringRef object, const std::vector<std::string> &symbols) {
    static int number = 0;
    std::string stem = std::string(std::getenv("TEST_TMPDIR")) + "/kernels" + std::to_string(number++);
    std::ofstream(stem + ".o", std::ios::binary).write(object.data(), object.size());
    ASSERT_EQ(std::system(("g++ -shared -o " + stem + ".so " + stem + ".o -lm").c_str()), 0);
    void *library = dlopen((stem + ".so").c_str(), RTLD_NOW);
    ASSERT_NE(library, nullptr);
    for (const std::string &symbol : symbols)
      kernels.push_back(reinterpret_cast<vescale_kernel>(dlsym(library, symbol.c_str())));
  }

  std::vector<vescale_kernel> kernels;
  std::unique_ptr<vescale::runtime::Executor> executor;
};

Values sequence(size_t count, double scale, double phase) {
  Values values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(scale * std::sin(1.7 * static_cast<double>(i) + phase));
  return values;
}

void expectNear(const Values &actual, const Values &expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
}

std::string replace(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// t = tanh(x w^T); loss = sum(t); gradient of a kind: g = t^T x; m += g; w -= learning rate * m.
const char *const stepSource = R"(
#mesh = #dist.mesh<["dp" = DP, "tp" = TP]>
!x = tensor<ROWSx6xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!w = tensor<4x6xf32, #dist.layout<#mesh, [{"tp"}, {}]>>
!wp = tensor<4x6xf32, #dist.layout<#mesh, [{"tp"}, {}], partial = [sum: "dp"]>>
!t = tensor<ROWSx4xf32, #dist.layout<#mesh, [{"dp"}, {"tp"}]>>
!s = tensor<f32, #dist.layout<#mesh, []>>
!sp = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "dp", sum: "tp"]>>
func.func @step(%w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.normal<0.1>},
                %m: !w {vs.role = "state", vs.name = "w.m"},
                %x: !x {vs.role = "batch", vs.name = "x"},
                %lr: !s {vs.role = "scalar", vs.name = "learning_rate"})
    -> (!w {vs.aliases = 0 : i64}, !w {vs.aliases = 1 : i64}, !s {vs.name = "loss"}) {
  %h = vs.einsum "bi,oi->bo" %x, %w : (!x, !w) -> !t
  %t = vs.tanh %h : !t
  %lp = vs.reduce sum %t dims = [0, 1] : !t -> !sp
  %l = dist.all_reduce %lp {id = 0} : !sp -> !s
  %gp = vs.einsum "bo,bi->oi" %t, %x : (!t, !x) -> !wp
  %g = dist.all_reduce %gp {id = 1} : !wp -> !w
  %m1 = vs.add %m, %g : !w
  %r = vs.broadcast %lr {dims = []} : !s -> !w
  %u = vs.mul %r, %m1 : !w
  %w1 = vs.sub %w, %u : !w
  return %w1, %m1, %l : !w, !w, !s
}
)";

struct Direct {
  int64_t rows;
  Values w, m, x;
  double loss = 0;

  void step(double learningRate) {
    Values t(rows * 4), g(24);
    loss = 0;
    for (int64_t b = 0; b < rows; ++b)
      for (int o = 0; o < 4; ++o) {
        double sum = 0;
        for (int i = 0; i < 6; ++i)
          sum += x[b * 6 + i] * w[o * 6 + i];
        t[b * 4 + o] = std::tanh(sum);
        loss += t[b * 4 + o];
      }
    for (int o = 0; o < 4; ++o)
      for (int i = 0; i < 6; ++i) {
        double sum = 0;
        for (int64_t b = 0; b < rows; ++b)
          sum += t[b * 4 + o] * x[b * 6 + i];
        m[o * 6 + i] += sum;
        w[o * 6 + i] -= learningRate * m[o * 6 + i];
      }
  }
};

struct Case {
  int dp, tp, rows;
  size_t classes;
};

class Schedule : public testing::TestWithParam<Case> {};

TEST_P(Schedule, GivesTheDirectResultOnEveryMesh) {
  auto [dp, tp, rows, classes] = GetParam();
  std::string source = replace(replace(replace(stepSource, "DP", std::to_string(dp)), "TP", std::to_string(tp)),
                               "ROWS", std::to_string(rows));
  CompiledStep step(source);
  ASSERT_TRUE(step);
  EXPECT_EQ(step.numPrograms, classes);
  Direct direct{rows, sequence(24, 0.3, 0), sequence(24, 0.1, 1), sequence(rows * 6, 1, 2), 0};
  step.set(TensorRole::Parameter, "w", direct.w);
  step.set(TensorRole::State, "w.m", direct.m);
  step.set(TensorRole::Batch, "x", direct.x);
  for (int i = 0; i < 3; ++i) {
    double learningRate = 0.02 * (i + 1);
    step.run(i, learningRate);
    direct.step(learningRate);
    EXPECT_NEAR(step.get(TensorRole::Metric, "loss")[0], direct.loss, 1e-4);
    expectNear(step.get(TensorRole::State, "w.m"), direct.m, 1e-4);
    expectNear(step.get(TensorRole::Parameter, "w"), direct.w, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Schedule,
                         testing::Values(Case{1, 1, 8, 1}, Case{2, 1, 8, 1}, Case{1, 2, 8, 1},
                                         Case{2, 2, 8, 1}, Case{4, 1, 7, 2}));

} // namespace
