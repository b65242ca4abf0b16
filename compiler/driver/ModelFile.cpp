//===- ModelFile.cpp - a model that was read from a file ------------------===//

#include "compiler/driver/ModelFile.h"

#include "compiler/Registration.h"
#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/LayoutTypes.h"
#include "passes/placement/PlacementAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using vescale::layout::Status;

namespace vescale {

ModelFile::ModelFile() {
  static const bool registered = [] {
    registerVescalePasses();
    return true;
  }();
  (void)registered;
  DialectRegistry registry;
  registerVescaleDialects(registry);
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // A message names the line; the op itself stands in the file.
  context->printOpOnDiagnostic(false);
  diagnostics = std::make_unique<DiagnosticCollector>(context.get(), sources);
}

ModelFile::~ModelFile() = default;

Status ModelFile::failed(const std::string &what) const {
  return Status::error(diagnostics->errors().empty() ? what : diagnostics->errors());
}

Status ModelFile::read(const std::string &file) {
  path = file;
  content = parseSourceFile<ModuleOp>(path, sources, context.get());
  return content ? Status::success() : failed("cannot read the model " + path);
}

layout::StatusOr<std::string> ModelFile::firstStage(const std::string &plan, bool trainingGiven) {
  auto step = module().lookupSymbol<func::FuncOp>("step");
  if (!step)
    return std::string("training");
  if (trainingGiven)
    return Status::error(path + " has its training step already: options of the optimizer cannot change it");
  if (llvm::none_of(step.getArgumentTypes(), [](Type type) { return dist::getLayout(type) != nullptr; }))
    return std::string("placement");
  if (!plan.empty())
    return Status::error(path + " is placed already: --plan " + plan + " cannot change it");
  return std::string("spmd");
}

std::vector<Stage> ModelFile::stagesFrom(const std::string &first, const StageOptions &options) {
  if (first != "spmd" && options.plan.empty() && !module()->hasAttr(meshAttributeName)) {
    auto one = layout::Mesh::get({{"device", 1}});
    module()->setAttr(meshAttributeName, dist::MeshAttr::get(context.get(), *one));
  }
  std::vector<Stage> stages = compilerStages(options);
  stages.erase(stages.begin(), llvm::find_if(stages, [&](const Stage &stage) { return stage.name == first; }));
  return stages;
}

} // namespace vescale
