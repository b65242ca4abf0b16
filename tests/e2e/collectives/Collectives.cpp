//===- Collectives.cpp - The collectives of a model under a plan, counted ----------------------===//

#include "tests/e2e/collectives/Collectives.h"

#include "compiler/Registration.h"
#include "compiler/pipelines/Stages.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/StepInterface.h"
#include "layout/Region.h"
#include "layout/StepLegality.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace mlir;

namespace vescale::tests {

double allReduceBytes(double local, double n) { return 2 * local * (n - 1) / n; }
double scatterBytes(double local, double n) { return local * (n - 1) / n; }

static double localBytes(const layout::Layout &layout, RankedTensorType type) {
  layout::Shape shape(type.getShape().begin(), type.getShape().end());
  layout::Coordinate first(layout.mesh().rank(), 0);
  double bytes = static_cast<double>(type.getElementTypeBitWidth()) / 8;
  for (int64_t size : layout::localShape(layout, shape, first))
    bytes *= static_cast<double>(size);
  return bytes;
}

static void count(dist::StepOpInterface step, Collectives &all) {
  layout::StepKind kind = step.getStepKind();
  if (layout::isLocal(kind))
    return;
  for (auto [before, after] : llvm::zip(step.getBefore(), step.getAfter())) {
    const layout::Layout &from = *dist::getLayout(before), &to = *dist::getLayout(after);
    layout::Shape shape(after.getShape().begin(), after.getShape().end());
    std::string axes;
    double n = 1;
    for (const layout::SubAxis &axis : layout::stepAxes(kind, from, to, shape)) {
      std::string name = layout::str(from.mesh(), axis);
      name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
      axes += (axes.empty() ? "" : ",") + name;
      n *= static_cast<double>(axis.size);
    }
    double in = localBytes(from, after), out = localBytes(to, after), bytes = in;
    switch (kind) {
    case layout::StepKind::allGather:
      bytes = out - in;
      break;
    case layout::StepKind::allReduce:
      bytes = allReduceBytes(in, n);
      break;
    case layout::StepKind::reduceScatter:
    case layout::StepKind::allToAll:
      bytes = scatterBytes(in, n);
      break;
    default:
      break;
    }
    all[{std::string(layout::str(kind)), axes}].add(1, bytes);
  }
}

Collectives collectivesOf(const std::string &model, const std::string &planFile,
                          const std::string &clusterFile) {
  static const bool registered = [] {
    registerVescalePasses();
    return true;
  }();
  (void)registered;
  DialectRegistry registry;
  registerVescaleDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model, &context);
  if (!module)
    return {};
  StageOptions options;
  options.plan = planFile;
  options.cluster = clusterFile;
  std::vector<Stage> stages = compilerStages(options);
  auto last = llvm::find_if(stages, [](const Stage &stage) { return stage.name == "spmd"; });
  stages.erase(last + 1, stages.end());
  if (failed(runStages(*module, stages)))
    return {};
  Collectives all;
  // Those of a training step; the evaluation has a part of them.
  module->lookupSymbol("step")->walk([&](dist::StepOpInterface step) { count(step, all); });
  return all;
}

std::string compareWithMinimum(const std::string &title, const Collectives &found,
                               const Collectives &minimum) {
  std::string worse;
  fmt::print("{}\n  {:<16}{:<12}{:>8}{:>16}{:>10}{:>16}\n", title, "kind", "axes", "count", "bytes",
             "minimum", "bytes");
  std::map<std::pair<std::string, std::string>, std::pair<Amount, Amount>> both;
  for (const auto &[key, amount] : found)
    both[key].first = amount;
  for (const auto &[key, amount] : minimum)
    both[key].second = amount;
  for (const auto &[key, amounts] : both) {
    const auto &[is, least] = amounts;
    bool tooMuch = is.count > least.count || is.bytes > least.bytes * (1 + 1e-9);
    std::string line = fmt::format("  {:<16}{:<12}{:>8}{:>16.0f}{:>10}{:>16.0f}{}\n", key.first,
                                   key.second, is.count, is.bytes, least.count, least.bytes,
                                   tooMuch ? "  more than the minimum" : "");
    fmt::print("{}", line);
    if (tooMuch)
      worse += line;
  }
  return worse;
}

} // namespace vescale::tests
