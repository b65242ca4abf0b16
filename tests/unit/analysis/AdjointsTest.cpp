//===- AdjointsTest.cpp - Gradients against finite differences ------------------------------===//

#include "tests/unit/analysis/OpCases.h"
#include "tests/unit/analysis/Programs.h"

#include "analysis/interpreter/Evaluation.h"
#include "dialects/vs/VsInterfaces.h"
#include "dialects/vs/adjoints/Backpropagation.h"
#include "dialects/vs/formulas/Formula.h"

#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

bool isReal(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

/// Turns @f(x...) -> y... into @f(x..., dy) -> dx...: the gradients of sum(y * dy) for the first
/// result y, with respect to all real arguments. Zeros where no gradient flows.
void differentiate(func::FuncOp function) {
  Block &body = function.getBody().front();
  Operation *end = body.getTerminator();
  std::vector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  SmallVector<Value> arguments(body.getArguments());
  Value y = end->getOperand(0);
  Value dy = body.addArgument(y.getType(), end->getLoc());
  OpBuilder builder(end);
  vs::Backpropagation backpropagation(builder);
  backpropagation.accumulate(y, dy, end->getLoc());
  ASSERT_TRUE(succeeded(backpropagation.run(ops)));
  SmallVector<Value> gradients;
  for (Value argument : arguments)
    if (isReal(argument.getType())) {
      Value gradient = backpropagation.gradient(argument);
      gradients.push_back(gradient ? gradient
                                   : vs::Formula(builder, end->getLoc()).zeros(argument));
    }
  end->setOperands(gradients);
  function.setType(builder.getFunctionType(body.getArgumentTypes(), ValueRange(gradients)));
  ASSERT_TRUE(succeeded(verify(function)));
}

double weightedSum(const Tensor &y, const Tensor &weights) {
  double sum = 0;
  for (int64_t i = 0; i < y.elements(); ++i)
    sum += y.real(i) * weights.real(i);
  return sum;
}

TEST(Adjoints, AgreeWithFiniteDifferences) {
  for (const OpCase &one : opCases()) {
    SCOPED_TRACE(one.name);
    auto module = parseProgram(one.module()), adjoint = parseProgram(one.module());
    ASSERT_TRUE(module && adjoint);
    func::FuncOp function = functionNamed(*module, "f");
    auto differentiable =
        dyn_cast<vs::DifferentiableOpInterface>(function.getBody().front().front());
    if (!differentiable || !isReal(function.getResultTypes()[0]))
      continue;
    func::FuncOp gradient = functionNamed(*adjoint, "f");
    differentiate(gradient);
    std::vector<Tensor> arguments =
        randomArguments(function, one.low, one.high, one.integersBelow, 17);
    Tensor weights = zerosOf(function.getResultTypes()[0]);
    for (int64_t i = 0; i < weights.elements(); ++i)
      weights.setReal(i, std::sin(1.7 * double(i) + 0.3));
    std::vector<Tensor> withWeights = arguments;
    withWeights.push_back(weights);
    std::vector<Tensor> gradients = runProgram(gradient, withWeights);

    size_t next = 0;
    for (size_t number = 0; number < arguments.size(); ++number) {
      if (!arguments[number].isReal())
        continue;
      ASSERT_LT(next, gradients.size());
      const Tensor &dx = gradients[next++];
      ASSERT_EQ(dx.shape(), arguments[number].shape());
      for (int64_t i = 0; i < dx.elements(); ++i) {
        constexpr double step = 1e-5;
        double x = arguments[number].real(i), sums[2];
        for (int side = 0; side < 2; ++side) {
          arguments[number].setReal(i, side ? x + step : x - step);
          sums[side] = weightedSum(runProgram(function, arguments)[0], weights);
        }
        arguments[number].setReal(i, x);
        double expected = (sums[1] - sums[0]) / (2 * step);
        EXPECT_NEAR(dx.real(i), expected, 1e-7 * std::max(1.0, std::abs(expected)))
            << "argument " << number << ", element " << indexText(dx.shape(), i);
      }
    }
  }
}

TEST(Adjoints, EveryDifferentiableOpHasACase) {
  std::set<std::string> covered;
  for (const OpCase &one : opCases()) {
    auto module = parseProgram(one.module());
    module->walk([&](Operation *op) { covered.insert(op->getName().getStringRef().str()); });
  }
  for (RegisteredOperationName name : testContext().getRegisteredOperations())
    if (name.getDialectNamespace() == "vs" && name.hasInterface<vs::DifferentiableOpInterface>())
      EXPECT_TRUE(covered.count(name.getStringRef().str())) << name.getStringRef().str();
}

/// A value used twice gets the sum of both gradients, through regions too.
TEST(Adjoints, AccumulateOverUses) {
  const char *text = R"(
func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  %a = vs.mul %x, %x : tensor<3xf64>
  %b = vs.recompute (%p = %x : tensor<3xf64>, %q = %a : tensor<3xf64>) -> (tensor<3xf64>) {
    %m = vs.mul %p, %q : tensor<3xf64>
    vs.yield %m : tensor<3xf64>
  }
  %y = vs.add %b, %x : tensor<3xf64>
  return %y : tensor<3xf64>
})";
  auto module = parseProgram(text);
  differentiate(functionNamed(*module, "f"));
  Tensor x = tensorOf(ElementType::f64, {3}, {1, -2, 0.5});
  Tensor dy = tensorOf(ElementType::f64, {3}, {1, 1, 2});
  Tensor dx = runProgram(functionNamed(*module, "f"), {x, dy})[0];
  // y = x^3 + x
  EXPECT_EQ(dx, tensorOf(ElementType::f64, {3}, {4, 13, 3.5}));
}

} // namespace
