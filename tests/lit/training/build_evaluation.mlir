// RUN: vescale-opt %s --vs-differentiate --vs-build-evaluation | FileCheck %s
// RUN: vescale-opt %s --vs-build-evaluation --vs-differentiate --vs-build-training-step | FileCheck %s --check-prefix=STEP
// RUN: not vescale-opt %s --vs-build-evaluation=function=model 2>&1 | FileCheck %s --check-prefix=NAME

// NAME: there is no function '@model' with a body

// Parameters come first. Dropout is gone, attention draws nothing, and with them the generator; numbers that are the
// model's input stay, and with them theirs.
// CHECK-LABEL: func.func @evaluate(
// CHECK-SAME: %[[W:.*]]: tensor<2x1x4x8xf32> {vs.decay = true, vs.name = "w", vs.role = "parameter"}
// CHECK-SAME: %[[X:.*]]: tensor<2x1x4x8xf32> {vs.name = "x", vs.role = "batch"}
// CHECK-SAME: %[[NOISE:.*]]: !vs.rng {vs.name = "noise", vs.role = "rng"}
// CHECK-NOT: !vs.rng
// CHECK-SAME: -> (tensor<f32> {vs.name = "loss"}, tensor<f32> {vs.name = "accuracy"}, tensor<f32> {vs.name = "metric_2"})
// CHECK-NEXT: %[[P:.*]] = vs.mul %[[X]], %[[W]]
// CHECK-NEXT: %[[A:.*]], %{{.*}} = vs.attention %[[P]], %[[P]], %[[P]]
// CHECK-NOT: dropout = 0.5
// CHECK: vs.random %[[NOISE]]
// CHECK-NOT: vs.dropout
// CHECK: return

// STEP-DAG: func.func @evaluate(
// STEP-DAG: func.func @step(
// STEP-NOT: func.func @loss
func.func @loss(%x: tensor<2x1x4x8xf32> {vs.role = "batch", vs.name = "x"},
                %rng: !vs.rng {vs.role = "rng", vs.name = "rng"},
                %noise: !vs.rng {vs.role = "rng", vs.name = "noise"},
                %w: tensor<2x1x4x8xf32> {vs.role = "parameter", vs.name = "w", vs.decay = true})
    -> (tensor<f32>, tensor<f32> {vs.name = "accuracy"}, tensor<f32>) {
  %d = vs.dropout %x, %rng {rate = 0.1} : (tensor<2x1x4x8xf32>, !vs.rng) -> tensor<2x1x4x8xf32>
  %p = vs.mul %d, %w : tensor<2x1x4x8xf32>
  %a, %s = "vs.attention"(%p, %p, %p, %rng) {dropout = 0.5, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}
      : (tensor<2x1x4x8xf32>, tensor<2x1x4x8xf32>, tensor<2x1x4x8xf32>, !vs.rng) -> (tensor<2x1x4x8xf32>, tensor<2x1x4xf32>)
  %n = vs.random %noise {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<2x1x4x8xf32>
  %q = vs.add %a, %n : tensor<2x1x4x8xf32>
  %l = vs.reduce sum %q dims = [0, 1, 2, 3] : tensor<2x1x4x8xf32> -> tensor<f32>
  return %l, %l, %l : tensor<f32>, tensor<f32>, tensor<f32>
}
