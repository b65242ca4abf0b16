//===- GradientCheck.cpp - Gradients of a model against differences -------------------------===//

#include "tests/differential/GradientCheck.h"

#include "tests/differential/Choice.h"
#include "tests/differential/StageCheck.h"

#include "analysis/interpreter/InitialValues.h"
#include "analysis/interpreter/Interpreter.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>
#include <fmt/format.h>

using namespace mlir;

namespace vescale::analysis {
namespace {

constexpr double step = 1e-6, tolerance = 1e-5;

bool isParameter(func::FuncOp function, unsigned argument) {
  auto role = function.getArgAttrOfType<StringAttr>(argument, vs::VsDialect::roleAttributeName);
  return role && role.getValue() == vs::parameterRole;
}

std::optional<double> lossOf(func::FuncOp function, const std::vector<Tensor> &arguments) {
  FailureOr<SmallVector<Tensor>> results = Interpreter({}).run(function, arguments);
  if (failed(results))
    return std::nullopt;
  return (*results)[0].real(0);
}

std::vector<Tensor> moved(std::vector<Tensor> arguments, const std::vector<Tensor> &direction,
                          double by) {
  for (size_t a = 0; a < arguments.size(); ++a)
    for (int64_t i = 0; i < direction[a].elements(); ++i)
      arguments[a].setReal(i, arguments[a].real(i) + by * direction[a].real(i));
  return arguments;
}

} // namespace

std::optional<std::string> checkGradients(ModuleOp model, uint64_t seed) {
  OwningOpRef<ModuleOp> module = model.clone();
  if (std::optional<std::string> error = runPipeline(*module, "vs-differentiate"))
    return error;
  auto loss = module->lookupSymbol<func::FuncOp>("loss");
  auto gradients = module->lookupSymbol<func::FuncOp>("loss_and_gradients");
  std::string difference;
  for (uint64_t attempt = 0; attempt < 4; ++attempt) {
    Choice choice(seed * 7919 + attempt);
    std::vector<Tensor> arguments, direction;
    for (unsigned number = 0; number < loss.getNumArguments(); ++number) {
      FailureOr<Tensor> value = initialValue(loss, number, {seed});
      if (failed(value))
        return "an argument has no value";
      Tensor along(ElementType::f64, {0});
      if (isParameter(loss, number)) {
        along = *value;
        for (int64_t i = 0; i < value->elements(); ++i) {
          value->setReal(i, choice.between(-2000003, 2000003) / 1000003.0);
          along.setReal(i, choice.between(-1000, 1000) / 1000.0);
        }
      }
      arguments.push_back(*value);
      direction.push_back(along);
    }
    FailureOr<SmallVector<Tensor>> results = Interpreter({}).run(gradients, arguments);
    std::optional<double> above = lossOf(loss, moved(arguments, direction, step));
    std::optional<double> below = lossOf(loss, moved(arguments, direction, -step));
    if (failed(results) || !above || !below)
      return "the model cannot be evaluated";
    double derivative = 0, scale = 1 + std::abs(*above);
    unsigned next = loss.getNumResults();
    for (unsigned number = 0; number < loss.getNumArguments(); ++number)
      if (isParameter(loss, number)) {
        const Tensor &gradient = (*results)[next++];
        for (int64_t i = 0; i < gradient.elements(); ++i) {
          derivative += gradient.real(i) * direction[number].real(i);
          scale += std::abs(gradient.real(i) * direction[number].real(i));
        }
      }
    double expected = (*above - *below) / (2 * step);
    if (std::abs(derivative - expected) <= tolerance * scale)
      return std::nullopt;
    difference = fmt::format("the derivative is {} by gradients and {} by differences", derivative,
                             expected);
  }
  return difference;
}

} // namespace vescale::analysis
