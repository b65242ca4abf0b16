// RUN: vescale-opt %s --split-input-file --vs-differentiate --vs-accumulate-gradients=count=4 | FileCheck %s
// RUN: vescale-opt %s --split-input-file --vs-differentiate --vs-accumulate-gradients | FileCheck %s --check-prefix=ONE
// RUN: not vescale-opt %s --split-input-file --vs-accumulate-gradients=count=2 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not vescale-opt %s --split-input-file --vs-differentiate --vs-accumulate-gradients=count=-1 2>&1 | FileCheck %s --check-prefix=COUNT

// The plan may give the number, alone or with the same voice.
// RUN: echo '{"mesh": {"dp": 2}, "accumulate": 4}' >%t.json
// RUN: vescale-opt %s --split-input-file --vs-differentiate --vs-accumulate-gradients=plan=%t.json | FileCheck %s
// RUN: vescale-opt %s --split-input-file --vs-differentiate "--vs-accumulate-gradients=plan=%t.json count=4" | FileCheck %s
// RUN: not vescale-opt %s --split-input-file --vs-differentiate "--vs-accumulate-gradients=plan=%t.json count=2" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: echo '{"mesh": {"dp": 2}}' >%t.silent.json
// RUN: vescale-opt %s --split-input-file --vs-differentiate "--vs-accumulate-gradients=plan=%t.silent.json count=4" | FileCheck %s
// RUN: vescale-opt %s --split-input-file --vs-differentiate --vs-accumulate-gradients=plan=%t.silent.json | FileCheck %s --check-prefix=ONE

// ORDER: there is no function '@loss_and_gradients'; run vs-differentiate first
// COUNT: a step cannot have -1 micro-batches
// TWO: "accumulate": the plan asks for 4 micro-batches of a step, the command for 2: give one number, or one of both

// The batch has all micro-batches; one after the other is taken from it. The gradient is summed and gets its tag after
// the loop.
// CHECK-LABEL: func.func @loss_and_gradients(
// CHECK-SAME: %[[X:.*]]: tensor<4x2x3xf32> {vs.micro_batches = 4 : i64, vs.name = "x", vs.role = "batch", vs.token_offset = 0 : i64}
// CHECK-SAME: %[[W:.*]]: tensor<3xf32> {vs.name = "w", vs.role = "parameter"}
// CHECK-SAME: -> (tensor<f32>, tensor<3xf32>)
// CHECK: %[[OUT:.*]]:3 = vs.repeat 4 (%[[NUMBER:.*]] = %{{.*}} : tensor<i64>, %[[LOSS:.*]] = %{{.*}} : tensor<f32>, %[[GRAD:.*]] = %{{.*}} : tensor<3xf32>) invariant (%[[XS:.*]] = %[[X]] : tensor<4x2x3xf32>, %{{.*}} = %[[W]] : tensor<3xf32>)
// CHECK: %[[ZERO:.*]] = vs.constant dense<0>
// CHECK: %[[SLICE:.*]] = vs.dynamic_slice %[[XS]], %[[NUMBER]], %[[ZERO]], %[[ZERO]] : (tensor<4x2x3xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x2x3xf32>
// CHECK: %[[MICRO:.*]] = vs.reshape %[[SLICE]] : tensor<1x2x3xf32> -> tensor<2x3xf32>
// CHECK: vs.mul %[[MICRO]]
// CHECK-NOT: vs.tag
// CHECK-DAG: %[[NEXT:.*]] = vs.add %[[NUMBER]], %{{.*}} : tensor<i64>
// CHECK-DAG: %[[L:.*]] = vs.add %[[LOSS]], %{{.*}} : tensor<f32>
// CHECK-DAG: %[[G:.*]] = vs.add %[[GRAD]], %{{.*}} : tensor<3xf32>
// CHECK: vs.yield %[[NEXT]], %[[L]], %[[G]]
// CHECK: vs.constant dense<2.500000e-01> : tensor<f32>
// CHECK: %[[MEAN:.*]] = vs.mul %[[OUT]]#1, %{{.*}}
// CHECK: %[[SCALED:.*]] = vs.mul %[[OUT]]#2, %{{.*}}
// CHECK: %[[TAG:.*]] = vs.tag %[[SCALED]] {name = "w.gradient"}
// CHECK: return %[[MEAN]], %[[TAG]]

// ONE-NOT: vs.repeat
func.func @loss(%x: tensor<2x3xf32> {vs.role = "batch", vs.name = "x", vs.token_offset = 0 : i64},
                %w: tensor<3xf32> {vs.role = "parameter", vs.name = "w"}) -> tensor<f32> {
  %b = vs.broadcast %w {dims = [1]} : tensor<3xf32> -> tensor<2x3xf32>
  %p = vs.mul %x, %b : tensor<2x3xf32>
  %l = vs.reduce mean %p dims = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %l : tensor<f32>
}
