//===- TensorTable.cpp - the named tensors of a schedule ------------------===//

#include "passes/schedule/TensorTable.h"

#include "passes/memory/DeviceClasses.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/sched/TensorNames.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale {
namespace {

class TableBuilder {
public:
  TableBuilder(func::FuncOp function, OpBuilder &builder) : function(function), builder(builder) {}

  FailureOr<HostTensor> argument(unsigned number) {
    auto role = function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::roleAttributeName);
    auto name = function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[number]);
    HostTensor result;
    if (!type)
      return result;
    Location location = function.getArgument(number).getLoc();
    if (role && !name)
      return emitError(location) << "argument " << number << " with the role " << role << " has no vs.name";
    if (role && role.getValue() == vs::scalarRole)
      return scalar(name, type, location);
    if (!role) {
      result.tensor = tensor(location, sched::Role::value, (sched::argumentPrefix + Twine(number)).str(), type);
      result.tensor.setDraw(number);
      return result;
    }
    if (role.getValue() == vs::parameterRole)
      return parameter(number, name, type);
    if (role.getValue() == vs::stateRole) {
      result.tensor = tensor(location, sched::Role::state, name.getValue(), type);
      result.tensor.setInitializerAttr(vs::ZerosAttr::get(function.getContext()));
      return result;
    }
    result.tensor = tensor(location, sched::Role::batch, name.getValue(), type);
    result.tensor.setDraw(number);
    if (auto offset = function.getArgAttrOfType<IntegerAttr>(number, "vs.token_offset"))
      result.tensor.setTokenOffset(offset.getInt());
    if (auto vocabulary = function.getArgAttrOfType<IntegerAttr>(number, vs::vocabularyAttributeName))
      result.tensor.setVocabulary(vocabulary.getInt());
    return result;
  }

  FailureOr<HostTensor> result(unsigned number) {
    HostTensor result;
    auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[number]);
    if (!type || function.getResultAttr(number, "vs.aliases"))
      return result;
    auto name = function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
    auto role = function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::roleAttributeName);
    bool gradient = role && role.getValue() == "gradient";
    const layout::Layout *layout = dist::getLayout(type);
    if (name && !gradient && layout && layout->partial())
      return function.emitError() << "metric " << name << " is partial: " << type;
    Location location = function.getBody().front().getTerminator()->getOperand(number).getLoc();
    result.tensor = name ? tensor(location, gradient ? sched::Role::gradient : sched::Role::metric,
                                  name.getValue(), type)
                         : tensor(location, sched::Role::value, (sched::resultPrefix + Twine(number)).str(), type);
    return result;
  }

private:
  sched::TensorOp tensor(Location location, sched::Role role, StringRef name, RankedTensorType type) {
    std::string symbol = (sched::stringifyRole(role) + "." + name).str();
    auto op = builder.create<sched::TensorOp>(location, symbol, role, name, withAnyLayout(type),
                                              Attribute(), 0, false, 0, 0);
    return op;
  }

  FailureOr<HostTensor> parameter(unsigned number, StringAttr name, RankedTensorType type) {
    Attribute init = function.getArgAttr(number, vs::VsDialect::initAttributeName);
    if (!init)
      return emitError(function.getArgument(number).getLoc())
             << "parameter " << name << " has no vs.init: nothing says how it starts";
    HostTensor result;
    result.tensor = tensor(function.getArgument(number).getLoc(), sched::Role::parameter, name.getValue(),
                           type);
    result.tensor.setInitializerAttr(init);
    // Numbers of parameters do not depend on the mesh, so neither do initial values.
    result.tensor.setDraw(numParameters++);
    auto decay = function.getArgAttrOfType<BoolAttr>(number, vs::VsDialect::decayAttributeName);
    result.tensor.setWeightDecay(decay && decay.getValue());
    return result;
  }

  FailureOr<HostTensor> scalar(StringAttr name, RankedTensorType type, Location location) {
    HostTensor result;
    // The host writes the number on each device.
    if (const layout::Layout *layout = dist::getLayout(type); layout && layout->partial())
      return emitError(location) << "scalar " << name << " is partial: " << type;
    if (name.getValue() == "learning_rate")
      result.quantity = sched::Quantity::learning_rate;
    else if (name.getValue() == "step")
      result.quantity = sched::Quantity::step_count;
    else
      return emitError(location) << "the host knows no scalar " << name
                                 << ", only \"learning_rate\" and \"step\"";
    return result;
  }

  func::FuncOp function;
  OpBuilder &builder;
  int64_t numParameters = 0;
};

} // namespace

FailureOr<TensorTable> buildTensorTable(func::FuncOp function, OpBuilder &opBuilder) {
  TableBuilder builder(function, opBuilder);
  TensorTable table;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    FailureOr<HostTensor> tensor = builder.argument(number);
    if (failed(tensor))
      return failure();
    table.arguments.push_back(*tensor);
  }
  for (unsigned number = 0; number < function.getNumResults(); ++number) {
    FailureOr<HostTensor> tensor = builder.result(number);
    if (failed(tensor))
      return failure();
    table.results.push_back(*tensor);
  }
  return table;
}

} // namespace vescale
