// RUN: vescale-opt %s --vs-differentiate --vs-build-training-step | FileCheck %s
// RUN: vescale-opt %s --vs-differentiate '--vs-build-training-step=optimizer=sgd max-gradient-norm=0' | FileCheck %s --check-prefix=SGD
// RUN: not vescale-opt %s --vs-build-training-step 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not vescale-opt %s --vs-differentiate '--vs-build-training-step=optimizer=adam' 2>&1 | FileCheck %s --check-prefix=NAME

// ORDER: there is no function '@loss_and_gradients'; run vs-differentiate first
// NAME: unknown optimizer 'adam': adamw or sgd

// CHECK-NOT: func.func @loss
// CHECK-LABEL: func.func @step(
// CHECK-SAME: vs.name = "w"
// CHECK-SAME: vs.name = "w.m", vs.role = "state"
// CHECK-SAME: vs.name = "w.v", vs.role = "state"
// CHECK-SAME: vs.name = "x"
// CHECK-SAME: vs.name = "learning_rate", vs.role = "scalar"
// CHECK-SAME: vs.name = "step", vs.role = "scalar"
// CHECK-SAME: {vs.aliases = 0 : i64}
// CHECK-SAME: {vs.aliases = 1 : i64}
// CHECK-SAME: {vs.aliases = 2 : i64}
// CHECK-SAME: {vs.name = "loss"}
// CHECK-SAME: {vs.name = "gradient_norm"}
// CHECK: vs.clip_by_global_norm
// CHECK: vs.adamw {{.*}}weight_decay = 0.1

// SGD-LABEL: func.func @step(
// SGD-NOT: vs.clip_by_global_norm
// SGD: vs.sgd
func.func @loss(%x: tensor<4xf32> {vs.role = "batch", vs.name = "x"},
                %w: tensor<4xf32> {vs.role = "parameter", vs.name = "w", vs.decay = true}) -> tensor<f32> {
  %p = vs.mul %x, %w : tensor<4xf32>
  %l = vs.reduce sum %p dims = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
