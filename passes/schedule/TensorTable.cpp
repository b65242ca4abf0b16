//===- TensorTable.cpp - the named tensors of a schedule ------------------===//

#include "passes/schedule/TensorTable.h"

#include "passes/memory/DeviceClasses.h"

#include "dialects/dist/LayoutTypes.h"
#include "dialects/sched/TensorNames.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale {

FailureOr<HostTensor> TensorTableBuilder::argument(unsigned number) {
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
  if (role && role.getValue() == vs::parameterRole)
    return parameter(number, name, type);
  bool isState = role && role.getValue() == vs::stateRole;
  FailureOr<sched::TensorOp> op =
      role ? tensor(location, isState ? sched::Role::state : sched::Role::batch, name.getValue(), type)
           : tensor(location, sched::Role::value, (sched::argumentPrefix + Twine(number)).str(), type);
  if (failed(op))
    return failure();
  result.tensor = *op;
  if (isState)
    op->setInitializerAttr(vs::ZerosAttr::get(function.getContext()));
  else
    op->setDraw(number);
  if (auto offset = function.getArgAttrOfType<IntegerAttr>(number, "vs.token_offset"); offset && role)
    op->setTokenOffset(offset.getInt());
  if (auto vocabulary = function.getArgAttrOfType<IntegerAttr>(number, vs::vocabularyAttributeName); vocabulary && role)
    op->setVocabulary(vocabulary.getInt());
  return result;
}

FailureOr<HostTensor> TensorTableBuilder::result(unsigned number) {
  HostTensor result;
  auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[number]);
  if (!type || function.getResultAttr(number, vs::aliasesAttributeName))
    return result;
  auto name = function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
  auto role = function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::roleAttributeName);
  bool gradient = role && role.getValue() == "gradient";
  const layout::Layout *layout = dist::getLayout(type);
  if (name && !gradient && layout && layout->partial())
    return function.emitError() << "metric " << name << " is partial: " << type;
  Location location = function.getBody().front().getTerminator()->getOperand(number).getLoc();
  FailureOr<sched::TensorOp> op =
      name ? tensor(location, gradient ? sched::Role::gradient : sched::Role::metric, name.getValue(), type)
           : tensor(location, sched::Role::value, (sched::resultPrefix + Twine(number)).str(), type);
  if (failed(op))
    return failure();
  result.tensor = *op;
  return result;
}

FailureOr<sched::TensorOp> TensorTableBuilder::tensor(Location location, sched::Role role, StringRef name,
                                                      RankedTensorType given) {
  RankedTensorType type = withAnyLayout(given);
  SmallVector<sched::TensorOp, 1> &candidates = known[{role, name.str()}];
  for (sched::TensorOp op : candidates)
    if (op.getType() == type && own.insert(op).second)
      return op;
  bool isKept = role == sched::Role::parameter || role == sched::Role::state;
  if (isKept && !candidates.empty() && !own.contains(candidates.front()))
    return emitError(location) << "\"" << name << "\" is kept between functions, but is " << type << " in @"
                               << function.getSymName() << " and " << candidates.front().getType()
                               << " elsewhere";
  // A tensor of another type in another function has the function's name before its own.
  bool isOther = !candidates.empty() && !own.contains(candidates.front());
  std::string symbol = (sched::stringifyRole(role) + "." + name).str();
  auto op = builder.create<sched::TensorOp>(location,
                                            isOther ? (function.getSymName() + "." + symbol).str() : symbol, role,
                                            name, type, Attribute(), 0, false, 0, 0);
  own.insert(op);
  candidates.push_back(op);
  return op;
}

FailureOr<HostTensor> TensorTableBuilder::parameter(unsigned number, StringAttr name, RankedTensorType type) {
  Attribute init = function.getArgAttr(number, vs::VsDialect::initAttributeName);
  if (!init)
    return emitError(function.getArgument(number).getLoc())
           << "parameter " << name << " has no vs.init: nothing says how it starts";
  FailureOr<sched::TensorOp> op =
      tensor(function.getArgument(number).getLoc(), sched::Role::parameter, name.getValue(), type);
  if (failed(op))
    return failure();
  HostTensor result;
  result.tensor = *op;
  if (op->getInitializer())
    return result;
  op->setInitializerAttr(init);
  // Numbers of parameters do not depend on the mesh, so neither do initial values.
  op->setDraw(numParameters++);
  auto decay = function.getArgAttrOfType<BoolAttr>(number, vs::VsDialect::decayAttributeName);
  op->setWeightDecay(decay && decay.getValue());
  return result;
}

FailureOr<HostTensor> TensorTableBuilder::scalar(StringAttr name, RankedTensorType type, Location location) {
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

FailureOr<TensorTable> TensorTableBuilder::build(func::FuncOp given) {
  function = given;
  own.clear();
  TensorTable table;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    FailureOr<HostTensor> tensor = argument(number);
    if (failed(tensor))
      return failure();
    table.arguments.push_back(*tensor);
  }
  for (unsigned number = 0; number < function.getNumResults(); ++number) {
    FailureOr<HostTensor> tensor = result(number);
    if (failed(tensor))
      return failure();
    table.results.push_back(*tensor);
  }
  return table;
}

} // namespace vescale
