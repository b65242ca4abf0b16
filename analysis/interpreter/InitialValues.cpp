//===- InitialValues.cpp - What a function is run on ----------------------------------------===//

#include "analysis/interpreter/InitialValues.h"

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale::analysis {

Tensor gridTensor(ElementType type, const Shape &shape, const Draw &draw, int64_t integersBelow) {
  Tensor tensor(type, shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    double uniform = uniformNumber(draw, i);
    if (tensor.isReal())
      tensor.setReal(i, (static_cast<int64_t>(uniform * 33) - 16) / 8.0);
    else
      tensor.setInteger(
          i, static_cast<int64_t>(uniform * (type == ElementType::i1 ? 2 : double(integersBelow))));
  }
  return tensor;
}

Tensor countingTensor(ElementType type, const Shape &shape, int64_t integersBelow) {
  Tensor tensor(type, shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    if (tensor.isReal())
      tensor.setReal(i, i / 8.0);
    else
      tensor.setInteger(i, i % integersBelow);
  }
  return tensor;
}

InitialValueSubject initialValueSubject(func::FuncOp function, unsigned argument) {
  auto text = [&](unsigned number, StringRef name) {
    auto attribute = function.getArgAttrOfType<StringAttr>(number, name);
    return attribute ? attribute.getValue() : StringRef();
  };
  InitialValueSubject subject;
  subject.type = function.getArgumentTypes()[argument];
  subject.role = text(argument, vs::VsDialect::roleAttributeName);
  subject.name = text(argument, vs::VsDialect::nameAttributeName);
  subject.init = function.getArgAttr(argument, vs::VsDialect::initAttributeName);
  subject.argument = argument;
  for (unsigned before = 0; before < argument; ++before)
    subject.parameter += text(before, vs::VsDialect::roleAttributeName) == vs::parameterRole;
  return subject;
}

FailureOr<Tensor> initialValue(func::FuncOp function, unsigned argument,
                               const InitialValueOptions &options) {
  return initialValue(initialValueSubject(function, argument), function, options);
}

FailureOr<Tensor> initialValue(const InitialValueSubject &subject, Operation *place,
                               const InitialValueOptions &options) {
  if (!elementTypeOf(subject.type))
    return place->emitOpError() << "takes an argument of type " << subject.type, failure();
  if (isa<vs::RngType>(subject.type))
    return Tensor::generator(options.seed, options.step);
  Tensor tensor = zerosOf(subject.type);
  if (subject.role == vs::stateRole)
    return tensor;
  if (subject.role == vs::scalarRole) {
    tensor.fill(subject.name == "step" ? options.step + 1 : 0x1p-10);
    return tensor;
  }
  if (subject.role == vs::parameterRole && subject.init && !options.gridParameters) {
    Draw draw{options.seed, 0, subject.parameter};
    if (isa<vs::ZerosAttr>(subject.init))
      return tensor;
    if (isa<vs::OnesAttr>(subject.init)) {
      tensor.fill(1);
      return tensor;
    }
    if (auto normal = dyn_cast<vs::NormalAttr>(subject.init)) {
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.setReal(i, normalNumber(draw, i) * normal.getStddev().getValueAsDouble());
      return tensor;
    }
    if (auto uniform = dyn_cast<vs::UniformAttr>(subject.init)) {
      double low = uniform.getLow().getValueAsDouble(), high = uniform.getHigh().getValueAsDouble();
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.setReal(i, uniformNumber(draw, i) * (high - low) + low);
      return tensor;
    }
    return place->emitOpError() << "takes parameter '" << subject.name
                                << "' with the initial value " << subject.init
                                << "; give its elements as an input",
           failure();
  }
  // Far from the ids of parameters and of draws in programs.
  return gridTensor(tensor.type(), tensor.shape(), {options.seed, 0, 1u << 30 | subject.argument},
                    options.integersBelow);
}

} // namespace vescale::analysis
