//===- Programs.cpp - Parsing and running small modules -------------------------------------===//

#include "tests/unit/analysis/Programs.h"

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/Interpreter.h"
#include "analysis/interpreter/Random.h"
#include "compiler/Registration.h"
#include "dialects/vs/adjoints/Adjoints.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace vescale::analysis {

MLIRContext &testContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerVescaleDialects(registry);
    vs::registerAdjoints(registry);
    vs::registerDecompositions(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->loadAllAvailableDialects();
    return made;
  }();
  return *context;
}

OwningOpRef<ModuleOp> parseProgram(const std::string &text) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&testContext()), "test");
  EXPECT_TRUE(module) << text;
  return module;
}

func::FuncOp functionNamed(ModuleOp module, StringRef name) {
  return module.lookupSymbol<func::FuncOp>(name);
}

std::vector<Tensor> runProgram(func::FuncOp function, const std::vector<Tensor> &arguments,
                               bool declaredTypes) {
  Interpreter interpreter({declaredTypes});
  FailureOr<SmallVector<Tensor>> results = interpreter.run(function, arguments);
  EXPECT_TRUE(succeeded(results));
  if (failed(results))
    return {};
  return std::vector<Tensor>(results->begin(), results->end());
}

std::string errorOf(const std::string &text, const std::vector<Tensor> &arguments) {
  OwningOpRef<ModuleOp> module = parseProgram(text);
  if (!module)
    return "";
  std::string message;
  ScopedDiagnosticHandler handler(&testContext(), [&](Diagnostic &diagnostic) {
    message += diagnostic.str() + "\n";
    return success();
  });
  Interpreter interpreter({});
  EXPECT_TRUE(failed(interpreter.run(functionNamed(*module, "f"), arguments)));
  return message;
}

Tensor tensorOf(ElementType type, const Shape &shape, const std::vector<double> &numbers) {
  Tensor tensor(type, shape);
  EXPECT_EQ(tensor.elements(), static_cast<int64_t>(numbers.size()));
  for (int64_t i = 0; i < tensor.elements(); ++i)
    tensor.setNumber(i, numbers[i]);
  return tensor;
}

std::vector<Tensor> randomArguments(func::FuncOp function, double low, double high,
                                    int64_t integersBelow, uint32_t seed) {
  std::vector<Tensor> arguments;
  for (Type type : function.getArgumentTypes()) {
    uint32_t number = static_cast<uint32_t>(arguments.size());
    if (*elementTypeOf(type) == ElementType::rng) {
      arguments.push_back(Tensor::generator(seed, 1));
      continue;
    }
    Tensor tensor = zerosOf(type);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      double uniform = uniformNumber({seed, 0, number}, i);
      if (tensor.isReal())
        tensor.setReal(i, low + uniform * (high - low));
      else
        tensor.setInteger(i, static_cast<int64_t>(
                                 uniform * (tensor.type() == ElementType::i1 ? 2 : integersBelow)));
    }
    arguments.push_back(std::move(tensor));
  }
  return arguments;
}

} // namespace vescale::analysis
