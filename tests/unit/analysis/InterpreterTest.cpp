//===- InterpreterTest.cpp - Programs on one device and on all ranks ------------------------===//

#include "tests/unit/analysis/OpCases.h"
#include "tests/unit/analysis/Programs.h"

#include "analysis/interpreter/Interpreter.h"
#include "analysis/interpreter/Random.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace vescale::analysis;

namespace {

Tensor reals(const Shape &shape, const std::vector<double> &numbers) {
  return tensorOf(ElementType::f64, shape, numbers);
}
Tensor integers(const Shape &shape, const std::vector<double> &numbers) {
  return tensorOf(ElementType::i32, shape, numbers);
}

std::vector<Tensor> run(const std::string &text, const std::vector<Tensor> &arguments,
                        bool declaredTypes = false) {
  auto module = parseProgram(text);
  return module ? runProgram(functionNamed(*module, "f"), arguments, declaredTypes)
                : std::vector<Tensor>();
}

std::vector<Tensor> runCase(const std::string &name, const std::vector<Tensor> &arguments) {
  for (const OpCase &one : opCases())
    if (one.name == name)
      return run(one.module(), arguments);
  ADD_FAILURE() << "no case " << name;
  return {};
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// The words of the counter-based generator's known-answer tests, seen through their top 24 bits
/// (Random123, kat_vectors: philox4x32 10 rounds, all zero counter and key).
TEST(Random, KnownAnswers) {
  const uint32_t words[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (int lane = 0; lane < 4; ++lane)
    EXPECT_EQ(uniformNumber({0, 0, 0}, lane), (words[lane] >> 8) * 0x1p-24);
}

TEST(Random, CountersAreOfElementDrawAndStep) {
  // Element 4 is lane 0 of the next counter; steps, draws and seeds differ.
  std::vector<double> numbers{uniformNumber({0, 0, 0}, 0), uniformNumber({0, 0, 0}, 4),
                              uniformNumber({0, 1, 0}, 0), uniformNumber({0, 0, 1}, 0),
                              uniformNumber({1, 0, 0}, 0)};
  for (size_t i = 0; i < numbers.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(numbers[i], numbers[j]);
}

TEST(Random, NormalNumbersHaveMean0AndDeviation1) {
  double sum = 0, squares = 0;
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    double x = normalNumber({7, 3, 2}, i);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / count, 0, 0.03);
  EXPECT_NEAR(squares / count, 1, 0.03);
}

TEST(Random, OpsDrawByTheirId) {
  Tensor rng = Tensor::generator(5, 2);
  Tensor uniform = runCase("random_uniform", {rng})[0], normal = runCase("random_normal", {rng})[0];
  for (int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(uniform.real(i), uniformNumber({5, 2, 3}, i) * 4 - 1);
    EXPECT_EQ(normal.real(i), normalNumber({5, 2, 4}, i) * 0.5);
  }
}

TEST(Random, PositionsChooseElements) {
  Tensor rng = Tensor::generator(5, 2);
  Tensor positions = tensorOf(ElementType::i64, {2, 3}, {5, 4, 3, 2, 1, 9});
  Tensor drawn = runCase("random_at", {rng, positions})[0];
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ(drawn.real(i), normalNumber({5, 2, 4}, positions.integer(i)) * 0.5);
}

TEST(Random, DropoutKeepsWhatIsNotBelowTheRate) {
  std::vector<double> numbers(12);
  for (int i = 0; i < 12; ++i)
    numbers[i] = i + 1;
  Tensor y = runCase("dropout", {reals({3, 4}, numbers), Tensor::generator(5, 2)})[0];
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(y.real(i), uniformNumber({5, 2, 7}, i) < 0.25 ? 0 : numbers[i] / 0.75);
}

TEST(Random, AttentionDropsProbabilities) {
  // One key per query would have probability 1: with values 1 the output is the sum of what
  // dropout keeps of the equal probabilities 1 / 5.
  std::vector<double> zeros(48, 0), keys(40, 0), values(60, 1);
  std::vector<Tensor> results =
      runCase("attention_dropout", {reals({2, 4, 3, 2}, zeros), reals({2, 2, 5, 2}, keys),
                                    reals({2, 2, 5, 3}, values), Tensor::generator(5, 2)});
  for (int64_t row = 0; row < 24; ++row) {
    double expected = 0;
    for (int64_t j = 0; j < 5; ++j)
      expected += uniformNumber({5, 2, 5}, row * 5 + j) < 0.25 ? 0 : 0.2 / 0.75;
    EXPECT_NEAR(results[0].real(row * 3), expected, 1e-15);
    EXPECT_NEAR(results[1].real(row), std::log(5.0), 1e-15);
  }
}

//===----------------------------------------------------------------------===//
// Ops that PyTorch does not have
//===----------------------------------------------------------------------===//

TEST(Interpreter, Creation) {
  EXPECT_EQ(runCase("constant", {})[0], reals({2}, {1.5, -2}));
  EXPECT_EQ(runCase("iota", {})[0], reals({2, 3}, {0, 1, 2, 0, 1, 2}));
}

TEST(Interpreter, IndicesBecomeTensors) {
  EXPECT_EQ(runCase("from_index", {Tensor::index(7)})[0], tensorOf(ElementType::i64, {}, {7}));
}

TEST(Interpreter, BitwiseReductions) {
  Tensor x = integers({2, 3}, {7, 3, 6, 1, 4, 5});
  EXPECT_EQ(runCase("reduce_and", {x})[0], integers({2}, {2, 0}));
  EXPECT_EQ(runCase("reduce_or", {x})[0], integers({3}, {7, 7, 7}));
}

TEST(Interpreter, ReductionsOverNothingAreNeutral) {
  Tensor x(ElementType::f64, {0, 2});
  auto reduced = [&](const std::string &kind) {
    return run("func.func @f(%a: tensor<0x2xf64>) -> tensor<2xf64> {\n %r = vs.reduce " + kind +
                   " %a dims = [0] : tensor<0x2xf64> -> tensor<2xf64>\n return %r : "
                   "tensor<2xf64>\n}",
               {x})[0]
        .real(0);
  };
  EXPECT_EQ(reduced("sum"), 0);
  EXPECT_EQ(reduced("prod"), 1);
  EXPECT_EQ(reduced("max"), -INFINITY);
  EXPECT_EQ(reduced("min"), INFINITY);
  EXPECT_TRUE(std::isnan(reduced("mean")));
}

TEST(Interpreter, IndicesOutsideReadZeroAndWriteNothing) {
  Tensor table = reals({2, 2}, {1, 2, 3, 4}), indices = integers({3}, {-1, 1, 2});
  const char *text = R"(
func.func @f(%t: tensor<2x2xf64>, %i: tensor<3xi32>) -> (tensor<3x2xf64>, tensor<2x2xf64>) {
  %y = vs.take %t, %i {dim = 0} : (tensor<2x2xf64>, tensor<3xi32>) -> tensor<3x2xf64>
  %u = vs.constant dense<9.0> : tensor<3x2xf64>
  %p = vs.put set %t, %i, %u {dim = 0}
      : (tensor<2x2xf64>, tensor<3xi32>, tensor<3x2xf64>) -> tensor<2x2xf64>
  return %y, %p : tensor<3x2xf64>, tensor<2x2xf64>
})";
  std::vector<Tensor> results = run(text, {table, indices});
  EXPECT_EQ(results[0], reals({3, 2}, {0, 0, 3, 4, 0, 0}));
  EXPECT_EQ(results[1], reals({2, 2}, {1, 2, 9, 9}));
}

TEST(Interpreter, EightBitMomentsAreMultiplesOfTheirScale) {
  Tensor p = reals({2, 3}, {1, 2, 3, 4, 5, 6}), g = reals({2, 3}, {1, -2, 0, 0.5, 0, 0});
  Tensor m = tensorOf(ElementType::i8, {2, 3}, {127, -127, 0, 0, 0, 0});
  Tensor v = tensorOf(ElementType::ui8, {2, 3}, {255, 51, 0, 0, 0, 0});
  Tensor scale = reals({2}, {2, 0});
  std::vector<Tensor> results =
      runCase("adamw8bit", {p, g, m, scale, v, scale, reals({}, {0.125}), reals({}, {1})});
  // m' = 0.9 m + 0.1 g: 1.9, -2.0, 0, 0.05 in the first block; zeros in the second.
  EXPECT_NEAR(results[2].real(0), 2.0, 1e-15);
  EXPECT_EQ(results[2].real(1), 0);
  EXPECT_EQ(results[1].integer(0), std::nearbyint(1.9 / 2.0 * 127));
  EXPECT_EQ(results[1].integer(1), -127);
  EXPECT_EQ(results[1].integer(3), std::nearbyint(0.05 / 2.0 * 127));
  // v' = 0.999 v + 0.001 g^2.
  EXPECT_NEAR(results[4].real(0), 0.999 * 2 + 0.001, 1e-15);
  EXPECT_EQ(results[3].integer(0), 255);
  // p' of an element whose moments are 0: only the weight decay.
  EXPECT_NEAR(results[0].real(5), 6 - 0.125 * 0.01 * 6, 1e-15);
}

TEST(Interpreter, RegionsRunTheirBodies) {
  Tensor x = reals({2, 3}, {1, 2, 3, -1, -2, 0.5}), w = reals({2, 3}, {2, 2, 1, 3, 0, 2});
  EXPECT_EQ(runCase("repeat", {x, w})[0], reals({2, 3}, {8, 16, 3, -27, 0, 4}));
  Tensor fused = runCase("fused", {x})[0], recomputed = runCase("recompute", {x})[0];
  EXPECT_EQ(fused.real(1), std::tanh(2.0));
  EXPECT_EQ(recomputed.real(1), std::tanh(2.0) * 2);
  EXPECT_EQ(runCase("tag", {x})[0], x);
}

/// Draw d of run r of n is draw d * n + r of the generator outside, through several loops too.
TEST(Interpreter, RunsOfALoopDrawTheirOwnNumbers) {
  const char *text = R"(
func.func @f(%rng: !vs.rng) -> (tensor<4xf64>, tensor<4xf64>) {
  %zero = vs.constant dense<0.0> : tensor<4xf64>
  %sum = vs.repeat 2 (%a = %zero : tensor<4xf64>) invariant (%g = %rng : !vs.rng) -> (tensor<4xf64>) {
    %inner = vs.repeat 3 (%b = %a : tensor<4xf64>) invariant (%h = %g : !vs.rng) -> (tensor<4xf64>) {
      %n = vs.random %h {distribution = #vs.uniform<0.0, 1.0>, draw_id = 5 : i64} : !vs.rng -> tensor<4xf64>
      %s = vs.add %b, %n : tensor<4xf64>
      vs.yield %s : tensor<4xf64>
    }
    vs.yield %inner : tensor<4xf64>
  }
  %after = vs.random %rng {distribution = #vs.uniform<0.0, 1.0>, draw_id = 5 : i64} : !vs.rng -> tensor<4xf64>
  return %sum, %after : tensor<4xf64>, tensor<4xf64>
})";
  std::vector<Tensor> results = run(text, {Tensor::generator(11, 3)});
  for (int64_t i = 0; i < 4; ++i) {
    double sum = 0;
    for (uint32_t outer = 0; outer < 2; ++outer)
      for (uint32_t inner = 0; inner < 3; ++inner)
        sum += uniformNumber({11, 3, (5 * 3 + inner) * 2 + outer}, i);
    EXPECT_DOUBLE_EQ(results[0].real(i), sum);
    EXPECT_EQ(results[1].real(i), uniformNumber({11, 3, 5}, i)) << "the generator is what it was";
  }
}

TEST(Interpreter, DeclaredTypesRound) {
  const char *text = R"(
func.func @f(%a: tensor<1xf32>, %b: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xbf16>) {
  %s = vs.add %a, %b : tensor<1xf32>
  %c = vs.cast %s : tensor<1xf32> -> tensor<1xbf16>
  return %s, %c : tensor<1xf32>, tensor<1xbf16>
})";
  Tensor a = tensorOf(ElementType::f32, {1}, {16777216}), b = tensorOf(ElementType::f32, {1}, {1});
  EXPECT_EQ(run(text, {a, b})[0].real(0), 16777217);
  std::vector<Tensor> rounded = run(text, {a, b}, true);
  EXPECT_EQ(rounded[0].real(0), 16777216);
  Tensor c = tensorOf(ElementType::f32, {1}, {1}), d = tensorOf(ElementType::f32, {1}, {0x1p-8});
  EXPECT_EQ(run(text, {c, d}, true)[1].real(0), 1);
}

TEST(Interpreter, IntegersWrap) {
  const char *text = R"(
func.func @f(%a: tensor<2xui8>, %b: tensor<2xui8>) -> (tensor<2xui8>, tensor<2xi1>) {
  %s = vs.add %a, %b : tensor<2xui8>
  %c = vs.compare lt %a, %s : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %s, %c : tensor<2xui8>, tensor<2xi1>
})";
  std::vector<Tensor> results = run(text, {tensorOf(ElementType::ui8, {2}, {200, 1}),
                                           tensorOf(ElementType::ui8, {2}, {100, 200})});
  EXPECT_EQ(results[0].integer(0), 44);
  EXPECT_EQ(results[0].integer(1), 201);
  EXPECT_EQ(results[1].integer(0), 0);
  EXPECT_EQ(results[1].integer(1), 1);
}

//===----------------------------------------------------------------------===//
// All ranks
//===----------------------------------------------------------------------===//

const char *mesh = "#mesh = #dist.mesh<[\"x\" = 2, \"y\" = 3]>\n";

TEST(Interpreter, LinearLayerOnAllRanks) {
  // Rows cut by x; the contracted dim by y, so that each rank has a contribution.
  std::string text = std::string(mesh) + R"(
func.func @f(%a: tensor<5x4xf64, #dist.layout<#mesh, [{"x"}, {"y"} ]>>,
             %b: tensor<3x4xf64, #dist.layout<#mesh, [{}, {"y"} ]>>)
    -> tensor<5x3xf64, #dist.layout<#mesh, [{}, {"y"} ]>> {
  %p = vs.einsum "bi,oi->bo" %a, %b
      : (tensor<5x4xf64, #dist.layout<#mesh, [{"x"}, {"y"} ]>>,
         tensor<3x4xf64, #dist.layout<#mesh, [{}, {"y"} ]>>)
      -> tensor<5x3xf64, #dist.layout<#mesh, [{"x"}, {} ], partial = [sum: "y"]>>
  %r = dist.redistribute %p
      : tensor<5x3xf64, #dist.layout<#mesh, [{"x"}, {} ], partial = [sum: "y"]>>
     -> tensor<5x3xf64, #dist.layout<#mesh, [{}, {"y"} ]>>
  return %r : tensor<5x3xf64, #dist.layout<#mesh, [{}, {"y"} ]>>
})";
  std::vector<double> a(20), b(12), expected(15, 0);
  for (int i = 0; i < 20; ++i)
    a[i] = i - 7;
  for (int i = 0; i < 12; ++i)
    b[i] = 2 * i - 5;
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 4; ++k)
        expected[r * 3 + c] += a[r * 4 + k] * b[c * 4 + k];
  EXPECT_EQ(run(text, {reals({5, 4}, a), reals({3, 4}, b)})[0], reals({5, 3}, expected));
}

TEST(Interpreter, ToPartialKeepsTheValueOnce) {
  std::string text = std::string(mesh) + R"(
func.func @f(%a: tensor<4xf64, #dist.layout<#mesh, [{"y"} ]>>)
    -> tensor<4xf64, #dist.layout<#mesh, [{} ], partial = [max: "x", max: "y"]>> {
  %p = dist.to_partial %a : tensor<4xf64, #dist.layout<#mesh, [{"y"} ]>>
      -> tensor<4xf64, #dist.layout<#mesh, [{} ], partial = [max: "x", max: "y"]>>
  return %p : tensor<4xf64, #dist.layout<#mesh, [{} ], partial = [max: "x", max: "y"]>>
})";
  Tensor a = reals({4}, {-1, -2, -3, 4});
  EXPECT_EQ(run(text, {a})[0], a);
}

TEST(Interpreter, ManualBodiesSeeOneDevice) {
  // Each device doubles its two elements; the sums over x are the contributions.
  std::string text = std::string(mesh) + R"(
func.func @f(%a: tensor<4xi64>) -> tensor<4xi64> {
  %y = dist.manual(%a) {axes = ["x"], in_layouts = [#dist.layout<#mesh, [{"x"} ]>],
                        out_layouts = [#dist.layout<#mesh, [{} ], partial = [sum: "x"]>]}
      : (tensor<4xi64>) -> tensor<2xi64> {
  ^bb0(%local: tensor<2xi64>):
    %s = vs.add %local, %local : tensor<2xi64>
    dist.return %s : tensor<2xi64>
  }
  return %a : tensor<4xi64>
})";
  Tensor a = tensorOf(ElementType::i64, {4}, {1, 2, 3, 4});
  auto module = parseProgram(text);
  ASSERT_TRUE(module);
  Tensor seen;
  Interpreter interpreter({}, [&](Operation *op, ArrayRef<Sharded> results) {
    if (op->getName().getStringRef() == "dist.manual")
      seen = results[0].shards[0];
  });
  ASSERT_TRUE(succeeded(interpreter.run(functionNamed(*module, "f"), {a})));
  EXPECT_EQ(seen, tensorOf(ElementType::i64, {2}, {8, 12}));
}

TEST(Interpreter, RanksThatDisagreeAreReported) {
  // Each device returns its own element and claims that all have the same.
  std::string text = std::string(mesh) + R"(
func.func @f(%a: tensor<3xi64>) -> tensor<1xi64> {
  %y = dist.manual(%a) {axes = ["y"], in_layouts = [#dist.layout<#mesh, [{"y"} ]>],
                        out_layouts = [#dist.layout<#mesh, [{} ]>]}
      : (tensor<3xi64>) -> tensor<1xi64> {
  ^bb0(%local: tensor<1xi64>):
    dist.return %local : tensor<1xi64>
  }
  return %y : tensor<1xi64>
})";
  std::string error = errorOf(text, {tensorOf(ElementType::i64, {3}, {1, 2, 3})});
  EXPECT_NE(error.find("gives an inconsistent result 0: ranks 0 and 1 hold different values of "
                       "element [0]: 1 and 2"),
            std::string::npos)
      << error;
}

TEST(Interpreter, ErrorsNameOpAndPlace) {
  EXPECT_NE(errorOf(R"(
func.func @f(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %q = vs.div %a, %b : tensor<2xi32>
  return %q : tensor<2xi32>
})",
                    {integers({2}, {1, 2}), integers({2}, {1, 0})})
                .find("'vs.div' op divides element [1] by 0"),
            std::string::npos);
  EXPECT_NE(errorOf(R"(
func.func @f(%rng: !vs.rng) -> tensor<2xf32> {
  %q = vs.random %rng {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<2xf32>
  return %q : tensor<2xf32>
})",
                    {Tensor::generator(0, 1)})
                .find("'vs.random' op has no draw_id"),
            std::string::npos);
  EXPECT_NE(errorOf("func.func @f(%a: tensor<2xf64>) { return }", {reals({3}, {1, 2, 3})})
                .find("is given f64 of shape [3]"),
            std::string::npos);
}

} // namespace
