//===- PassCosts.cpp - What each pass of the compiler takes ------------------------------------===//

#include "bench/compiler/PassCosts.h"

#include "compiler/Registration.h"
#include "compiler/pipelines/Stages.h"
#include "dialects/sched/SchedOps.h"
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

/// Adds up the cost of each pass. Adaptors, which only run other passes, have no name of their own on
/// the command line and are left out.
class PassMeter : public PassInstrumentation {
public:
  PassMeter(std::vector<PassCost> &costs, Meter meter) : costs(costs), meter(meter) {}

  void runBeforePass(Pass *, Operation *) override { started.push_back(meter()); }
  void runAfterPass(Pass *pass, Operation *) override { stop(pass); }
  void runAfterPassFailed(Pass *pass, Operation *) override { stop(pass); }

private:
  void stop(Pass *pass) {
    double cost = meter() - started.back();
    started.pop_back();
    std::string name = pass->getArgument().str();
    if (name.empty())
      return;
    auto known = std::find_if(costs.begin(), costs.end(),
                              [&](const PassCost &other) { return other.pass == name; });
    if (known == costs.end())
      known = costs.insert(costs.end(), {name, 0});
    known->cost += cost;
  }

  std::vector<PassCost> &costs;
  Meter meter;
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

int64_t sizeOfSchedule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto schedule : module.getOps<sched::ScheduleOp>())
    schedule->print(stream, OpPrintingFlags().enableDebugInfo(false));
  return static_cast<int64_t>(text.size());
}

} // namespace

double processSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::optional<Compilation> compileToSchedule(const std::string &model, const std::string &plan, Meter meter) {
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
    manager.addInstrumentation(std::make_unique<PassMeter>(result.passes, meter));
    double begin = meter();
    if (failed(manager.run(*module)))
      return std::nullopt;
    result.cost += meter() - begin;
    if (stage.name == "training")
      result.ops = countOps(*module);
  }
  result.kernels = countKernels(*module);
  result.scheduleSize = sizeOfSchedule(*module);
  return result;
}

} // namespace vescale::bench
