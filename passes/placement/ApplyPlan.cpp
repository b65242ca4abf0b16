//===- ApplyPlan.cpp - Writes what a plan file asks into the program as wishes ---------------===//

#include "analysis/plan/PlanMatch.h"
#include "dialects/dist/DistOps.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"
#include "passes/placement/Passes.h"
#include "passes/placement/PlacementAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <map>
#include <set>

using namespace mlir;
using vescale::analysis::NamedTensor;
using vescale::analysis::PlanFile;
using vescale::analysis::TensorRequest;

namespace vescale {

#define GEN_PASS_DEF_APPLYPLAN
#include "passes/placement/Passes.h.inc"

namespace {

/// The order in which kinds of tensors decide, where the plan does not say.
enum DefaultPriority : int64_t { valuePriority = 0, parameterPriority = 1, statePriority = 2 };

/// A tensor of the program that a plan may name: an argument, or the result of a tag.
struct NamedValue {
  /// Without the dim that counts micro-batches, where there is one.
  NamedTensor tensor;
  BlockArgument argument;
  vs::TagOp tag;
};

class ApplyPlanPass : public impl::ApplyPlanBase<ApplyPlanPass> {
public:
  using ApplyPlanBase::ApplyPlanBase;

  void runOnOperation() override;

private:
  using Requests = std::vector<TensorRequest>;

  void collect();
  LogicalResult checkMicroBatches(const PlanFile &plan);
  LogicalResult match(const PlanFile &plan, const char *section,
                      const std::vector<analysis::PlanEntry> &entries,
                      const std::vector<NamedValue> &values, int64_t priority,
                      Requests &requests);
  LogicalResult apply(const PlanFile &plan, const NamedValue &value, const TensorRequest &request);
  LogicalResult applyGradients(const PlanFile &plan, const Requests &parameterRequests);
  void reportUnmatched(const Requests &requests);

  std::vector<NamedValue> parameters, states, values, gradients;
};

/// The first key of the plan that no pass obeys; what is asked for is not dropped silently.
std::string notYetObeyed(const PlanFile &plan) {
  if (!plan.recompute.empty())
    return "recompute";
  if (!plan.precision.empty())
    return "precision \"" + plan.precision + "\"";
  return plan.pipeline ? "pipeline" : "";
}

layout::Shape shapeOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  return layout::Shape(shape.begin(), shape.end());
}

/// Whether an argument's first dim counts micro-batches, which plans do not know.
bool countsMicroBatches(BlockArgument argument) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function.getArgAttr(argument.getArgNumber(), vs::microBatchesAttributeName) != nullptr;
}

/// The wish for all micro-batches of what is asked for one: they lie one after the other on each device.
layout::StatusOr<layout::Wish> ofAllMicroBatches(const layout::Wish &one) {
  std::vector<layout::Dim> dims = one.asked().dims();
  std::vector<layout::DimFreedom> freedoms = one.freedoms();
  dims.insert(dims.begin(), layout::Dim());
  freedoms.insert(freedoms.begin(), layout::DimFreedom());
  if (one.asked().ragged())
    return layout::Status::error("a ragged layout of a batch cannot hold several micro-batches");
  auto asked = layout::Layout::get(one.mesh(), dims, one.asked().partial());
  if (!asked.ok())
    return asked.status();
  return layout::Wish::get(*asked, freedoms, one.replicated());
}

void ApplyPlanPass::collect() {
  getOperation().walk([&](func::FuncOp function) {
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto role =
          function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::roleAttributeName);
      auto name =
          function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
      if (!role || !name || !isa<RankedTensorType>(argument.getType()))
        continue;
      NamedValue value{{name.str(), shapeOf(argument)}, argument, {}};
      if (role == vs::parameterRole)
        parameters.push_back(value);
      else if (role == vs::stateRole)
        states.push_back(value);
      else if (role == vs::batchRole) {
        if (countsMicroBatches(argument))
          value.tensor.shape.erase(value.tensor.shape.begin());
        values.push_back(value);
      }
    }
    function.walk([&](vs::TagOp tag) {
      NamedValue value{{tag.getName().str(), shapeOf(tag.getResult())}, {}, tag};
      values.push_back(value);
      if (tag.getName().ends_with(vs::gradientSuffix)) {
        value.tensor.name = tag.getName().drop_back(vs::gradientSuffix.size()).str();
        gradients.push_back(value);
      }
    });
  });
}

/// The step was built before: it has as many micro-batches as the plan asks for, or else the plan is not obeyed.
LogicalResult ApplyPlanPass::checkMicroBatches(const PlanFile &plan) {
  if (!plan.accumulate)
    return success();
  int64_t found = 1;
  Location location = getOperation().getLoc();
  getOperation().walk([&](func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      if (auto count = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), vs::microBatchesAttributeName)) {
        found = count.getInt();
        location = argument.getLoc();
      }
  });
  if (found == *plan.accumulate)
    return success();
  return emitError(location) << plan.source() << ": \"accumulate\": the plan asks for " << *plan.accumulate
                             << " micro-batches of a step, the program has " << found;
}

LogicalResult ApplyPlanPass::match(const PlanFile &plan, const char *section,
                                   const std::vector<analysis::PlanEntry> &entries,
                                   const std::vector<NamedValue> &named, int64_t priority,
                                   Requests &requests) {
  std::vector<NamedTensor> tensors;
  for (const NamedValue &value : named)
    tensors.push_back(value.tensor);
  std::vector<std::string> warnings;
  layout::StatusOr<Requests> matched =
      analysis::matchEntries(plan, section, entries, tensors, priority, warnings);
  if (!matched.ok())
    return emitError(getOperation().getLoc()) << matched.message();
  // Tensors that several functions have give the same warnings.
  for (const std::string &warning : std::set<std::string>(warnings.begin(), warnings.end()))
    emitWarning(getOperation().getLoc()) << warning;
  requests = std::move(*matched);
  return success();
}

LogicalResult ApplyPlanPass::apply(const PlanFile &plan, const NamedValue &value,
                                   const TensorRequest &request) {
  MLIRContext *context = &getContext();
  if (!request.alsoCutBy.empty()) {
    SmallVector<StringRef> axes;
    for (int axis : request.alsoCutBy)
      axes.push_back(plan.mesh().axis(axis).name);
    ArrayAttr attribute = Builder(context).getStrArrayAttr(axes);
    if (value.tag)
      value.tag->setAttr(alsoCutByAttributeName, attribute);
    else
      cast<func::FuncOp>(value.argument.getOwner()->getParentOp())
          .setArgAttr(value.argument.getArgNumber(), alsoCutByAttributeName, attribute);
  }
  if (!request.wish)
    return success();
  ++wishes;
  if (!value.tag) {
    layout::StatusOr<layout::Wish> asked = *request.wish;
    if (countsMicroBatches(value.argument))
      asked = ofAllMicroBatches(*request.wish);
    if (!asked.ok())
      return emitError(value.argument.getLoc()) << value.tensor.name << ": " << asked.message();
    cast<func::FuncOp>(value.argument.getOwner()->getParentOp())
        .setArgAttr(value.argument.getArgNumber(), wishAttributeName, dist::WishAttr::get(context, *asked));
    return success();
  }
  auto wish = dist::WishAttr::get(context, *request.wish);
  vs::TagOp tag = value.tag;
  OpBuilder builder(context);
  builder.setInsertionPointAfter(tag);
  auto constrain =
      builder.create<dist::ConstrainOp>(tag.getLoc(), tag.getType(), tag.getResult(), wish);
  tag.getResult().replaceAllUsesExcept(constrain.getResult(), constrain);
  return success();
}

LogicalResult ApplyPlanPass::applyGradients(const PlanFile &plan,
                                            const Requests &parameterRequests) {
  Requests requests;
  if (failed(match(plan, "gradients", plan.gradients.entries, gradients, statePriority, requests)))
    return failure();
  std::map<std::string, const TensorRequest *> byName;
  for (size_t i = 0; i < parameters.size(); ++i)
    byName.emplace(parameters[i].tensor.name, &parameterRequests[i]);
  for (size_t i = 0; i < gradients.size(); ++i) {
    TensorRequest &request = requests[i];
    auto parameter = byName.find(gradients[i].tensor.name);
    if (!request.wish && plan.gradients.like == "parameters" && parameter != byName.end())
      request.wish = parameter->second->wish;
    for (const std::string &axis : plan.gradients.alsoCutBy)
      request.alsoCutBy.push_back(*plan.mesh().axisIndex(axis));
    if (failed(apply(plan, gradients[i], request)))
      return failure();
  }
  return success();
}

void ApplyPlanPass::reportUnmatched(const Requests &requests) {
  std::string names;
  // Functions have parameters in common.
  std::set<std::string> seen;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!requests[i].key.empty() || !seen.insert(parameters[i].tensor.name).second)
      continue;
    ++unmatched;
    if (unmatched <= 3)
      names += (unmatched == 1 ? "" : ", ") + parameters[i].tensor.name;
  }
  if (unmatched == 0)
    return;
  InFlightDiagnostic remark = emitRemark(getOperation().getLoc())
                              << "no key of the plan matches " << names;
  if (unmatched > 3)
    remark << " and " << unmatched - 3 << " more parameters";
  remark << ": propagation decides their layouts";
}

void ApplyPlanPass::runOnOperation() {
  layout::StatusOr<PlanFile> read = PlanFile::read(plan);
  if (!read.ok()) {
    emitError(getOperation().getLoc()) << read.message();
    return signalPassFailure();
  }
  const PlanFile &planFile = *read;
  if (std::string later = notYetObeyed(planFile); !later.empty()) {
    emitError(getOperation().getLoc()) << plan << ": " << later << ": the compiler does not do this yet";
    return signalPassFailure();
  }
  if (failed(checkMicroBatches(planFile)))
    return signalPassFailure();
  collect();
  Requests parameterRequests, stateRequests, valueRequests;
  if (failed(match(planFile, "parameters", planFile.parameters, parameters, parameterPriority,
                   parameterRequests)) ||
      failed(match(planFile, "optimizer_state", planFile.optimizerState.entries, states,
                   statePriority, stateRequests)) ||
      failed(match(planFile, "values", planFile.values, values, valuePriority, valueRequests)) ||
      failed(applyGradients(planFile, parameterRequests)))
    return signalPassFailure();
  for (size_t i = 0; i < parameters.size(); ++i)
    if (failed(apply(planFile, parameters[i], parameterRequests[i])))
      return signalPassFailure();
  for (size_t i = 0; i < states.size(); ++i) {
    for (const std::string &axis : planFile.optimizerState.alsoCutBy)
      stateRequests[i].alsoCutBy.push_back(*planFile.mesh().axisIndex(axis));
    if (failed(apply(planFile, states[i], stateRequests[i])))
      return signalPassFailure();
  }
  for (size_t i = 0; i < values.size(); ++i)
    if (failed(apply(planFile, values[i], valueRequests[i])))
      return signalPassFailure();
  reportUnmatched(parameterRequests);
  getOperation()->setAttr(meshAttributeName, dist::MeshAttr::get(&getContext(), planFile.mesh()));
}

} // namespace
} // namespace vescale
