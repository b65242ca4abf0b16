//===- LoopTest.cpp - loops compiled, run and compared --------------------===//
//
// What vs.repeat carries, reads, draws and communicates, on several meshes, against loops in C++ and against the same
// ops without a loop.
//
//===----------------------------------------------------------------------===//

#include "tests/unit/passes/CompiledStep.h"

#include "gtest/gtest.h"

#include <cmath>

using vescale::CompiledStep;
using vescale::expectNear;
using vescale::sequence;
using vescale::Values;
using vescale::runtime::TensorRole;

namespace {

std::string with(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Three micro-batches of x: the gradient t^T x of each, t = tanh(x w^T), is summed, partial over dp inside the loop and
/// reduced after it; the sum of t is reduced in each run.
const char *const accumulation = R"(
#mesh = #dist.mesh<["dp" = DP]>
!all = tensor<3xROWSx6xf32, #dist.layout<#mesh, [{}, {"dp"}, {}]>>
!one = tensor<1xROWSx6xf32, #dist.layout<#mesh, [{}, {"dp"}, {}]>>
!x = tensor<ROWSx6xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!w = tensor<4x6xf32, #dist.layout<#mesh, [{}, {}]>>
!wp = tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>>
!t = tensor<ROWSx4xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!s = tensor<f32, #dist.layout<#mesh, []>>
!sp = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "dp"]>>
!i = tensor<i64, #dist.layout<#mesh, []>>
func.func @step(%w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.normal<0.1>},
                %x: !all {vs.role = "batch", vs.name = "x"}) -> (!w {vs.aliases = 0 : i64}, !s {vs.name = "loss"}, !w) {
  %first = vs.constant dense<0> : !i
  %zero = vs.constant dense<0.0> : !w
  %zeros = dist.to_partial %zero {id = 0} : !w -> !wp
  %none = vs.constant dense<0.0> : !s
  %n, %gp, %l = vs.repeat 3 (%r = %first : !i, %g = %zeros : !wp, %loss = %none : !s)
      invariant (%xs = %x : !all, %v = %w : !w) -> (!i, !wp, !s) {
    %o = vs.constant dense<0> : !i
    %part = vs.dynamic_slice %xs, %r, %o, %o : (!all, !i, !i, !i) -> !one
    %micro = vs.reshape %part : !one -> !x
    %h = vs.einsum "bi,oi->bo" %micro, %v : (!x, !w) -> !t
    %t = vs.tanh %h : !t
    %lp = vs.reduce sum %t dims = [0, 1] : !t -> !sp
    %lr = dist.all_reduce %lp {id = 1} : !sp -> !s
    %more = vs.add %loss, %lr : !s
    %d = vs.einsum "bo,bi->oi" %t, %micro : (!t, !x) -> !wp
    %sum = vs.add %g, %d : !wp
    %one = vs.constant dense<1> : !i
    %next = vs.add %r, %one : !i
    vs.yield %next, %sum, %more : !i, !wp, !s
  }
  %grad = dist.all_reduce %gp {id = 2} : !wp -> !w
  %w1 = vs.sub %w, %grad : !w
  return %w1, %l, %grad : !w, !s, !w
}
)";

struct Case {
  int dp, rows;
};

class Accumulation : public testing::TestWithParam<Case> {};

TEST_P(Accumulation, GivesTheDirectResult) {
  auto [dp, rows] = GetParam();
  CompiledStep step(with(with(accumulation, "DP", std::to_string(dp)), "ROWS", std::to_string(rows)));
  ASSERT_TRUE(step);
  EXPECT_EQ(step.collectivesInLoops, 1u) << "the gradient is reduced after the loop";
  Values w = sequence(24, 0.3, 0), x = sequence(3 * rows * 6, 1, 2);
  step.set(TensorRole::Parameter, "w", w);
  step.set(TensorRole::Batch, "x", x);
  for (int i = 0; i < 2; ++i) {
    Values gradient(24, 0), after = w;
    double loss = 0;
    for (int b = 0; b < 3 * rows; ++b)
      for (int o = 0; o < 4; ++o) {
        double sum = 0;
        for (int k = 0; k < 6; ++k)
          sum += x[b * 6 + k] * w[o * 6 + k];
        loss += std::tanh(sum);
        for (int k = 0; k < 6; ++k)
          gradient[o * 6 + k] += std::tanh(sum) * x[b * 6 + k];
      }
    for (int k = 0; k < 24; ++k)
      after[k] -= gradient[k];
    step.run(i, 0);
    EXPECT_NEAR(step.get(TensorRole::Metric, "loss")[0], loss, 1e-4);
    expectNear(step.get(TensorRole::Value, "result2"), gradient, 1e-4);
    expectNear(step.get(TensorRole::Parameter, "w"), after, 1e-4);
    w = step.get(TensorRole::Parameter, "w");
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Accumulation,
                         testing::Values(Case{1, 4}, Case{2, 4}, Case{4, 4}, Case{3, 5}, Case{4, 2}));

/// Draw d of run r of n is draw d * n + r of the step: the loop has the numbers of the ops beside it.
TEST(Loop, RunsDrawTheirOwnNumbers) {
  CompiledStep step(R"(
#mesh = #dist.mesh<["x" = 2]>
!t = tensor<7xf32, #dist.layout<#mesh, [{"x"}]>>
func.func @step(%rng: !vs.rng {vs.role = "rng", vs.name = "rng"}) -> (!t, !t) {
  %zero = vs.constant dense<0.0> : !t
  %sum = vs.repeat 3 (%a = %zero : !t) invariant (%g = %rng : !vs.rng) -> (!t) {
    %n = vs.random %g {distribution = #vs.normal<1.0>, draw_id = 2 : i64} : !vs.rng -> !t
    %u = vs.random %g {distribution = #vs.uniform<0.0, 1.0>, draw_id = 1 : i64} : !vs.rng -> !t
    %p = vs.mul %n, %u : !t
    %s = vs.add %a, %p : !t
    vs.yield %s : !t
  }
  %n0 = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = 6 : i64} : !vs.rng -> !t
  %u0 = vs.random %rng {distribution = #vs.uniform<0.0, 1.0>, draw_id = 3 : i64} : !vs.rng -> !t
  %n1 = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = 7 : i64} : !vs.rng -> !t
  %u1 = vs.random %rng {distribution = #vs.uniform<0.0, 1.0>, draw_id = 4 : i64} : !vs.rng -> !t
  %n2 = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = 8 : i64} : !vs.rng -> !t
  %u2 = vs.random %rng {distribution = #vs.uniform<0.0, 1.0>, draw_id = 5 : i64} : !vs.rng -> !t
  %p0 = vs.mul %n0, %u0 : !t
  %p1 = vs.mul %n1, %u1 : !t
  %p2 = vs.mul %n2, %u2 : !t
  %s0 = vs.add %zero, %p0 : !t
  %s1 = vs.add %s0, %p1 : !t
  %s2 = vs.add %s1, %p2 : !t
  return %sum, %s2 : !t, !t
}
)");
  ASSERT_TRUE(step);
  for (int i = 0; i < 2; ++i) {
    step.run(i, 0);
    Values loop = step.get(TensorRole::Value, "result0");
    expectNear(loop, step.get(TensorRole::Value, "result1"), 1e-6);
    EXPECT_GT(std::abs(loop[0]) + std::abs(loop[6]), 1e-3);
    EXPECT_NE(loop[0], loop[6]);
  }
}

/// Loops in loops; a loop that runs once and one that never does.
TEST(Loop, LoopsNest) {
  CompiledStep step(R"(
#mesh = #dist.mesh<["x" = 2]>
!t = tensor<5xf32, #dist.layout<#mesh, [{"x"}]>>
func.func @step(%x: !t {vs.role = "batch", vs.name = "x"}) -> (!t, !t, !t) {
  %half = vs.constant dense<0.5> : !t
  %y = vs.repeat 2 (%a = %x : !t) invariant (%h = %half : !t, %b = %x : !t) -> (!t) {
    %inner = vs.repeat 3 (%c = %a : !t) invariant (%k = %h : !t, %d = %b : !t) -> (!t) {
      %m = vs.mul %c, %k : !t
      %s = vs.add %m, %d : !t
      vs.yield %s : !t
    }
    %sq = vs.mul %inner, %inner : !t
    vs.yield %sq : !t
  }
  %once = vs.repeat 1 (%a = %x : !t) -> (!t) {
    %e = vs.exp %a : !t
    vs.yield %e : !t
  }
  %never = vs.repeat 0 (%a = %x : !t) -> (!t) {
    %e = vs.exp %a : !t
    vs.yield %e : !t
  }
  return %y, %once, %never : !t, !t, !t
}
)");
  ASSERT_TRUE(step);
  Values x = sequence(5, 1, 0.3), y, once;
  for (float element : x) {
    double a = element;
    for (int outer = 0; outer < 2; ++outer) {
      for (int inner = 0; inner < 3; ++inner)
        a = a * 0.5 + element;
      a *= a;
    }
    y.push_back(static_cast<float>(a));
    once.push_back(std::exp(element));
  }
  step.set(TensorRole::Batch, "x", x);
  for (int i = 0; i < 2; ++i) {
    step.run(i, 0);
    expectNear(step.get(TensorRole::Value, "result0"), y, 1e-4);
    expectNear(step.get(TensorRole::Value, "result1"), once, 1e-5);
    expectNear(step.get(TensorRole::Value, "result2"), x, 0);
  }
}

} // namespace
