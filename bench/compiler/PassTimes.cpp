//===- PassTimes.cpp - How long each pass of the compiler takes --------------------------------===//

#include "bench/compiler/PassTimes.h"

#include "compiler/Registration.h"
#include "compiler/pipelines/Stages.h"
#include "layout/Redistribution.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <ctime>

using namespace mlir;

namespace vescale::bench {

namespace {

/// Time of this process on its one thread, so that other processes of the machine do not count.
double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Adds up the time of each pass. Adaptors, which only run other passes, have no name of their own on
/// the command line and are left out.
class Stopwatch : public PassInstrumentation {
public:
  explicit Stopwatch(std::vector<PassTime> &times) : times(times) {}

  void runBeforePass(Pass *, Operation *) override { started.push_back(now()); }
  void runAfterPass(Pass *pass, Operation *) override { stop(pass); }
  void runAfterPassFailed(Pass *pass, Operation *) override { stop(pass); }

private:
  void stop(Pass *pass) {
    double seconds = now() - started.back();
    started.pop_back();
    std::string name = pass->getArgument().str();
    if (name.empty())
      return;
    auto known = std::find_if(times.begin(), times.end(),
                              [&](const PassTime &time) { return time.pass == name; });
    if (known == times.end())
      known = times.insert(times.end(), {name, 0});
    known->seconds += seconds;
  }

  std::vector<PassTime> &times;
  std::vector<double> started;
};

int64_t countOps(ModuleOp module) {
  int64_t count = 0;
  if (auto step = module.lookupSymbol<func::FuncOp>("step"))
    step.walk([&](Operation *) { ++count; });
  return count;
}

int64_t countKernels(ModuleOp module) {
  int64_t count = 0;
  for (auto inner : module.getOps<ModuleOp>())
    for (Operation &op : *inner.getBody())
      count += op.getNumRegions() > 0 && !op.getRegion(0).empty();
  return count;
}

} // namespace

std::optional<Compilation> compileToSchedule(const std::string &model, const std::string &plan) {
  static const bool registered = [] {
    registerVescalePasses();
    return true;
  }();
  (void)registered;
  layout::forgetRedistributionPlans();
  DialectRegistry registry;
  registerVescaleDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      llvm::errs() << diagnostic << "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model, &context);
  if (!module)
    return std::nullopt;
  StageOptions options;
  options.plan = plan;
  Compilation result;
  for (const Stage &stage : compilerStages(options)) {
    if (stage.name == "codegen")
      break;
    PassManager manager = PassManager::on<ModuleOp>(&context);
    manager.enableVerifier(false);
    if (failed(parsePassPipeline(stage.pipeline, manager)))
      return std::nullopt;
    manager.addInstrumentation(std::make_unique<Stopwatch>(result.passes));
    double begin = now();
    if (failed(manager.run(*module)))
      return std::nullopt;
    result.seconds += now() - begin;
    if (stage.name == "training")
      result.ops = countOps(*module);
  }
  result.kernels = countKernels(*module);
  return result;
}

} // namespace vescale::bench
