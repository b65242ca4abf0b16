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

FailureOr<Tensor> initialValue(func::FuncOp function, unsigned argument,
                               const InitialValueOptions &options) {
  Type type = function.getArgumentTypes()[argument];
  if (!elementTypeOf(type))
    return function.emitOpError() << "takes an argument of type " << type, failure();
  if (isa<vs::RngType>(type))
    return Tensor::generator(options.seed, options.step);
  auto text = [&](unsigned number, StringRef name) {
    auto attribute = function.getArgAttrOfType<StringAttr>(number, name);
    return attribute ? attribute.getValue() : StringRef();
  };
  StringRef role = text(argument, vs::VsDialect::roleAttributeName);
  Tensor tensor = zerosOf(type);
  Attribute init = function.getArgAttr(argument, vs::VsDialect::initAttributeName);
  if (role == vs::stateRole)
    return tensor;
  if (role == vs::scalarRole) {
    bool counts = text(argument, vs::VsDialect::nameAttributeName) == "step";
    tensor.fill(counts ? options.step : 0x1p-10);
    return tensor;
  }
  if (role == vs::parameterRole && init && !options.gridParameters) {
    uint32_t parameter = 0;
    for (unsigned before = 0; before < argument; ++before)
      parameter += text(before, vs::VsDialect::roleAttributeName) == vs::parameterRole;
    Draw draw{options.seed, 0, parameter};
    if (isa<vs::ZerosAttr>(init))
      return tensor;
    if (isa<vs::OnesAttr>(init)) {
      tensor.fill(1);
      return tensor;
    }
    if (auto normal = dyn_cast<vs::NormalAttr>(init)) {
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.setReal(i, normalNumber(draw, i) * normal.getStddev().getValueAsDouble());
      return tensor;
    }
    if (auto uniform = dyn_cast<vs::UniformAttr>(init)) {
      double low = uniform.getLow().getValueAsDouble(), high = uniform.getHigh().getValueAsDouble();
      for (int64_t i = 0; i < tensor.elements(); ++i)
        tensor.setReal(i, uniformNumber(draw, i) * (high - low) + low);
      return tensor;
    }
    return function.emitOpError() << "takes parameter '"
                                  << text(argument, vs::VsDialect::nameAttributeName)
                                  << "' with the initial value " << init
                                  << "; give its elements as an input",
           failure();
  }
  // Far from the ids of parameters and of draws in programs.
  return gridTensor(tensor.type(), tensor.shape(), {options.seed, 0, 1u << 30 | argument},
                    options.integersBelow);
}

} // namespace vescale::analysis
