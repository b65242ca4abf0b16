//===- BuildTrainingStep.cpp - gradients, clipping, optimizer -------------===//

#include "passes/training/MetricNames.h"
#include "passes/training/Passes.h"
#include "passes/training/TrainedFunctions.h"

#include "dialects/vs/StateOps.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsInterfaces.h"
#include "dialects/vs/formulas/Formula.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_BUILDTRAININGSTEPPASS
#include "passes/training/Passes.h.inc"

namespace {

/// A parameter of the step: where it comes from, its gradient, and what the optimizer keeps for it.
struct Trained {
  unsigned modelArgument = 0;
  StringRef name;
  bool decays = false;
  Value parameter, gradient;
  SmallVector<Value, 2> states;
  Value updated;
  SmallVector<Value, 2> updatedStates;
};

struct BuildTrainingStepPass : impl::BuildTrainingStepPassBase<BuildTrainingStepPass> {
  using BuildTrainingStepPassBase::BuildTrainingStepPassBase;

  void runOnOperation() override {
    FailureOr<TrainedFunctions> found = findTrainedFunctions(getOperation(), function);
    if (failed(found))
      return signalPassFailure();
    auto [model, gradients] = *found;
    if (optimizer != "adamw" && optimizer != "sgd") {
      getOperation().emitError() << "unknown optimizer '" << optimizer << "': adamw or sgd";
      return signalPassFailure();
    }
    if (failed(buildStep(model, gradients)))
      return signalPassFailure();
    gradients.erase();
    model.erase();
  }

  /// Names of the states of one parameter.
  SmallVector<StringRef, 2> stateSuffixes() {
    if (optimizer == "adamw")
      return {".m", ".v"};
    if (momentum != 0)
      return {".momentum"};
    return {};
  }

  LogicalResult buildStep(func::FuncOp model, func::FuncOp gradients) {
    using vs::VsDialect;
    MLIRContext *context = &getContext();
    OpBuilder builder(context);
    auto role = [&](unsigned argument) {
      auto attribute = gradients.getArgAttrOfType<StringAttr>(argument, VsDialect::roleAttributeName);
      return attribute ? attribute.getValue() : StringRef();
    };

    SmallVector<Trained> trained;
    SmallVector<unsigned> others; // batch, rng, scalars of the model
    for (unsigned argument = 0; argument < gradients.getNumArguments(); ++argument) {
      if (role(argument) == vs::stateRole)
        return gradients.emitError()
               << "argument #" << argument << " is a state of the model; only the optimizer's states are known";
      if (role(argument) != vs::parameterRole) {
        others.push_back(argument);
        continue;
      }
      Trained parameter;
      parameter.modelArgument = argument;
      parameter.name =
          gradients.getArgAttrOfType<StringAttr>(argument, VsDialect::nameAttributeName).getValue();
      auto decay = gradients.getArgAttrOfType<BoolAttr>(argument, VsDialect::decayAttributeName);
      parameter.decays = decay && decay.getValue();
      trained.push_back(parameter);
    }
    numParameters += trained.size();

    // Arguments: parameters, states, the others, learning rate and step.
    SmallVector<Type> types;
    SmallVector<DictionaryAttr> attributes;
    SmallVector<Location> locations;
    auto addArgument = [&](Type type, DictionaryAttr dictionary, Location location) {
      types.push_back(type);
      attributes.push_back(dictionary);
      locations.push_back(location);
    };
    auto named = [&](StringRef roleName, const Twine &name, Attribute init) {
      NamedAttrList list;
      list.set(VsDialect::roleAttributeName, builder.getStringAttr(roleName));
      list.set(VsDialect::nameAttributeName, builder.getStringAttr(name));
      if (init)
        list.set(VsDialect::initAttributeName, init);
      return list.getDictionary(context);
    };
    for (Trained &parameter : trained)
      addArgument(gradients.getArgumentTypes()[parameter.modelArgument],
                  gradients.getArgAttrDict(parameter.modelArgument),
                  gradients.getArgument(parameter.modelArgument).getLoc());
    for (Trained &parameter : trained)
      for (StringRef suffix : stateSuffixes()) {
        auto type = cast<RankedTensorType>(gradients.getArgumentTypes()[parameter.modelArgument]);
        addArgument(type.clone(vs::statisticsType(type.getElementType())),
                    named(vs::stateRole, parameter.name + suffix, nullptr),
                    gradients.getArgument(parameter.modelArgument).getLoc());
      }
    for (unsigned argument : others)
      addArgument(gradients.getArgumentTypes()[argument], gradients.getArgAttrDict(argument),
                  gradients.getArgument(argument).getLoc());
    Type lossType = gradients.getResultTypes().front();
    auto scalarType =
        RankedTensorType::get({}, vs::statisticsType(cast<RankedTensorType>(lossType).getElementType()));
    for (StringRef name : {"learning_rate", "step"})
      addArgument(scalarType, named(vs::scalarRole, name, nullptr), gradients.getLoc());

    builder.setInsertionPointAfter(gradients);
    auto step = builder.create<func::FuncOp>(gradients.getLoc(), stepFunctionName,
                                             builder.getFunctionType(types, {}));
    step.setAllArgAttrs(attributes);
    Block *body = builder.createBlock(&step.getBody(), {}, types, locations);
    builder.setInsertionPointToEnd(body);

    unsigned next = 0;
    IRMapping mapping;
    for (Trained &parameter : trained) {
      parameter.parameter = body->getArgument(next++);
      mapping.map(gradients.getArgument(parameter.modelArgument), parameter.parameter);
    }
    for (Trained &parameter : trained)
      for (size_t state = 0; state < stateSuffixes().size(); ++state)
        parameter.states.push_back(body->getArgument(next++));
    for (unsigned argument : others)
      mapping.map(gradients.getArgument(argument), body->getArgument(next++));
    Value learningRate = body->getArgument(next), stepNumber = body->getArgument(next + 1);

    Block &source = gradients.front();
    for (Operation &op : source.without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> metrics;
    Operation *sourceReturn = source.getTerminator();
    unsigned numMetrics = model.getNumResults();
    for (unsigned result = 0; result < numMetrics; ++result)
      metrics.push_back(mapping.lookup(sourceReturn->getOperand(result)));
    for (auto [index, parameter] : llvm::enumerate(trained))
      parameter.gradient = mapping.lookup(sourceReturn->getOperand(numMetrics + index));
    Value norm = clip(builder, step.getLoc(), trained);
    for (Trained &parameter : trained)
      update(builder, parameter, learningRate, stepNumber);
    finish(builder, step, trained, metrics, norm, model);
    return success();
  }

  /// Clips the gradients in place and returns their norm; null if nothing is clipped.
  Value clip(OpBuilder &builder, Location location, MutableArrayRef<Trained> trained) {
    if (maxGradientNorm <= 0 || trained.empty())
      return Value();
    SmallVector<Value> gradients;
    for (Trained &parameter : trained)
      gradients.push_back(parameter.gradient);
    auto clipped = builder.create<vs::ClipByGlobalNormOp>(location, gradients, maxGradientNorm);
    for (auto [parameter, gradient] : llvm::zip_equal(trained, clipped.getClipped()))
      parameter.gradient = gradient;
    return clipped.getNorm();
  }

  void update(OpBuilder &builder, Trained &trained, Value learningRate, Value stepNumber) {
    Location location = trained.parameter.getLoc();
    double decay = trained.decays ? double(weightDecay) : 0.0;
    SmallVector<Type> types{trained.parameter.getType()};
    for (Value state : trained.states)
      types.push_back(state.getType());
    auto number = [&](double value) { return builder.getF64FloatAttr(value); };
    Operation *op;
    if (optimizer == "adamw")
      op = builder.create<vs::AdamwOp>(location, types[0], types[1], types[2], trained.parameter,
                                       trained.gradient, trained.states[0], trained.states[1], learningRate,
                                       stepNumber, number(beta1), number(beta2), number(epsilon),
                                       number(decay));
    else
      op = builder.create<vs::SgdOp>(location, types[0], types.size() > 1 ? types[1] : Type(),
                                     trained.parameter, trained.gradient,
                                     trained.states.empty() ? Value() : trained.states[0], learningRate,
                                     number(momentum), number(decay), UnitAttr());
    trained.updated = op->getResult(0);
    llvm::append_range(trained.updatedStates, op->getResults().drop_front());
  }

  void finish(OpBuilder &builder, func::FuncOp step, ArrayRef<Trained> trained, ArrayRef<Value> metrics, Value norm,
              func::FuncOp model) {
    SmallVector<Value> results;
    SmallVector<DictionaryAttr> attributes;
    auto add = [&](Value value, StringRef name, Attribute attribute) {
      NamedAttrList list;
      list.set(name, attribute);
      results.push_back(value);
      attributes.push_back(list.getDictionary(builder.getContext()));
    };
    auto addAlias = [&](Value value, Value argument) {
      add(value, vs::aliasesAttributeName, builder.getI64IntegerAttr(cast<BlockArgument>(argument).getArgNumber()));
    };
    auto addNamed = [&](Value value, const Twine &name) {
      add(value, vs::VsDialect::nameAttributeName, builder.getStringAttr(name));
    };
    for (const Trained &parameter : trained)
      addAlias(parameter.updated, parameter.parameter);
    for (const Trained &parameter : trained)
      for (auto [value, state] : llvm::zip_equal(parameter.updatedStates, parameter.states))
        addAlias(value, state);
    for (auto [number, metric] : llvm::enumerate(metrics))
      addNamed(metric, metricName(model, number));
    if (norm)
      addNamed(norm, "gradient_norm");
    builder.create<func::ReturnOp>(step.getLoc(), results);
    SmallVector<Type> types(ValueRange(results).getTypes());
    step.setType(builder.getFunctionType(step.getArgumentTypes(), types));
    step.setAllResultAttrs(attributes);
  }
};

} // namespace
} // namespace vescale
