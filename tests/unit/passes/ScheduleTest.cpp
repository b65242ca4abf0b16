//===- ScheduleTest.cpp - placed functions compiled, run and compared -----===//
//
// From a function with layouts to machine code and a schedule, run by the executor on all ranks of a
// mesh, and compared with loops in double precision.
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

std::string replace(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// t = tanh(x w^T); loss = sum(t); gradient of a kind: g = t^T x; m += g; w -= learning rate * m.
const char *const stepSource = R"(
#mesh = #dist.mesh<["dp" = DP, "tp" = TP]>
!x = tensor<ROWSx6xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!w = tensor<4x6xf32, #dist.layout<#mesh, [{"tp"}, {}]>>
!wp = tensor<4x6xf32, #dist.layout<#mesh, [{"tp"}, {}], partial = [sum: "dp"]>>
!t = tensor<ROWSx4xf32, #dist.layout<#mesh, [{"dp"}, {"tp"}]>>
!s = tensor<f32, #dist.layout<#mesh, []>>
!sp = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "dp", sum: "tp"]>>
func.func @step(%w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.normal<0.1>},
                %m: !w {vs.role = "state", vs.name = "w.m"},
                %x: !x {vs.role = "batch", vs.name = "x"},
                %lr: !s {vs.role = "scalar", vs.name = "learning_rate"})
    -> (!w {vs.aliases = 0 : i64}, !w {vs.aliases = 1 : i64}, !s {vs.name = "loss"}) {
  %h = vs.einsum "bi,oi->bo" %x, %w : (!x, !w) -> !t
  %t = vs.tanh %h : !t
  %lp = vs.reduce sum %t dims = [0, 1] : !t -> !sp
  %l = dist.all_reduce %lp {id = 0} : !sp -> !s
  %gp = vs.einsum "bo,bi->oi" %t, %x : (!t, !x) -> !wp
  %g = dist.all_reduce %gp {id = 1} : !wp -> !w
  %m1 = vs.add %m, %g : !w
  %r = vs.broadcast %lr {dims = []} : !s -> !w
  %u = vs.mul %r, %m1 : !w
  %w1 = vs.sub %w, %u : !w
  return %w1, %m1, %l : !w, !w, !s
}
)";

struct Direct {
  int64_t rows;
  Values w, m, x;
  double loss = 0;

  void step(double learningRate) {
    Values t(rows * 4), g(24);
    loss = 0;
    for (int64_t b = 0; b < rows; ++b)
      for (int o = 0; o < 4; ++o) {
        double sum = 0;
        for (int i = 0; i < 6; ++i)
          sum += x[b * 6 + i] * w[o * 6 + i];
        t[b * 4 + o] = std::tanh(sum);
        loss += t[b * 4 + o];
      }
    for (int o = 0; o < 4; ++o)
      for (int i = 0; i < 6; ++i) {
        double sum = 0;
        for (int64_t b = 0; b < rows; ++b)
          sum += t[b * 4 + o] * x[b * 6 + i];
        m[o * 6 + i] += sum;
        w[o * 6 + i] -= learningRate * m[o * 6 + i];
      }
  }
};

struct Case {
  int dp, tp, rows;
  size_t classes;
};

class Schedule : public testing::TestWithParam<Case> {};

TEST_P(Schedule, GivesTheDirectResultOnEveryMesh) {
  auto [dp, tp, rows, classes] = GetParam();
  std::string source = replace(replace(replace(stepSource, "DP", std::to_string(dp)), "TP", std::to_string(tp)),
                               "ROWS", std::to_string(rows));
  CompiledStep step(source);
  ASSERT_TRUE(step);
  EXPECT_EQ(step.numPrograms, classes);
  Direct direct{rows, sequence(24, 0.3, 0), sequence(24, 0.1, 1), sequence(rows * 6, 1, 2), 0};
  step.set(TensorRole::Parameter, "w", direct.w);
  step.set(TensorRole::State, "w.m", direct.m);
  step.set(TensorRole::Batch, "x", direct.x);
  for (int i = 0; i < 3; ++i) {
    double learningRate = 0.02 * (i + 1);
    step.run(i, learningRate);
    direct.step(learningRate);
    EXPECT_NEAR(step.get(TensorRole::Metric, "loss")[0], direct.loss, 1e-4);
    expectNear(step.get(TensorRole::State, "w.m"), direct.m, 1e-4);
    expectNear(step.get(TensorRole::Parameter, "w"), direct.w, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Schedule,
                         testing::Values(Case{1, 1, 8, 1}, Case{2, 1, 8, 1}, Case{1, 2, 8, 1},
                                         Case{2, 2, 8, 1}, Case{4, 1, 7, 2}));

} // namespace
