//===- CompiledStep.cpp - a placed function as code that runs -------------===//

#include "tests/unit/passes/CompiledStep.h"

#include "passes/codegen/ElementInterface.h"
#include "passes/codegen/Passes.h"
#include "passes/codegen/ScheduleEncoder.h"
#include "passes/fusion/KernelKind.h"
#include "passes/fusion/Passes.h"
#include "passes/memory/Passes.h"
#include "passes/schedule/Passes.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/sched/SchedOps.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/rules/Rules.h"
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

namespace vescale {

CompiledStep::CompiledStep(const std::string &source) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, dist::DistDialect, vs::VsDialect>();
  vs::registerIndexingRules(registry);
  registerElementInterfaces(registry);
  registerKernelKinds(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return;
  PassManager passes = PassManager::on<ModuleOp>(&context);
  passes.addNestedPass<func::FuncOp>(createFusePass());
  passes.addPass(createAssignBuffersPass());
  passes.addPass(createVerifyBuffersPass());
  passes.addPass(createLowerPass());
  passes.addPass(createOrderStreamsPass());
  passes.addPass(createGenerateKernelsPass());
  if (failed(passes.run(*module)))
    return;
  FailureOr<runtime::Schedule> schedule = encodeModule(*module);
  if (failed(schedule))
    return;
  numPrograms = schedule->programs.size();
  numKernels = schedule->kernels.size();
  int depth = 0;
  for (const runtime::Instruction &instruction : schedule->programs[0].instructions) {
    depth += std::holds_alternative<runtime::LoopBegin>(instruction.operation);
    depth -= std::holds_alternative<runtime::LoopEnd>(instruction.operation);
    collectivesInLoops += depth > 0 && std::holds_alternative<runtime::Collective>(instruction.operation);
  }
  for (auto image : module->getOps<sched::KernelImageOp>())
    load(image.getObject().str(), schedule->kernels);
  std::vector<uint8_t> file = runtime::encodeSchedule(*schedule);
  runtime::ExecutorOptions options;
  options.workers = 2;
  // A batch stays what it was set to.
  options.input = [](const runtime::HostTransfer &) { return layout::Status(); };
  auto created = runtime::Executor::create(file.data(), file.size(),
                                           {kernels.data(), kernels.size(), schedule->kernelsChecksum}, options);
  EXPECT_TRUE(created.ok()) << created.message();
  if (created.ok())
    executor = std::move(*created);
}

void CompiledStep::set(runtime::TensorRole role, const std::string &name, const Values &values) {
  layout::Status status =
      writeTensor(*executor, executor->findTensor(role, name), reinterpret_cast<const std::byte *>(values.data()),
                  values.size() * sizeof(float));
  EXPECT_TRUE(status.ok()) << status.message();
}

Values CompiledStep::get(runtime::TensorRole role, const std::string &name) {
  auto bytes = readTensor(*executor, executor->findTensor(role, name));
  EXPECT_TRUE(bytes.ok()) << bytes.message();
  Values values(bytes->size() / sizeof(float));
  std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

void CompiledStep::run(int64_t step, double learningRate) {
  layout::Status status = executor->runStep({step, learningRate, 7});
  ASSERT_TRUE(status.ok()) << status.message();
}

void CompiledStep::load(const std::string &object, const std::vector<std::string> &symbols) {
  static int number = 0;
  std::string stem = std::string(std::getenv("TEST_TMPDIR")) + "/kernels" + std::to_string(number++);
  std::ofstream(stem + ".o", std::ios::binary).write(object.data(), object.size());
  ASSERT_EQ(std::system(("g++ -shared -o " + stem + ".so " + stem + ".o -lm").c_str()), 0);
  void *library = dlopen((stem + ".so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr);
  for (const std::string &symbol : symbols)
    kernels.push_back(reinterpret_cast<vescale_kernel>(dlsym(library, symbol.c_str())));
}

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

} // namespace vescale
