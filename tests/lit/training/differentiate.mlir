// RUN: vescale-opt %s --vs-differentiate --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @loss(
// CHECK-LABEL: func.func @loss_and_gradients(
// CHECK-SAME: -> (tensor<f32>, tensor<2x4xf32>)
func.func @loss(%x: tensor<8x4xf32> {vs.role = "batch", vs.name = "x"},
                %w: tensor<2x4xf32> {vs.role = "parameter", vs.name = "fc.weight"}) -> tensor<f32> {
  // CHECK: %[[H:.*]] = vs.einsum "bi,oi->bo"
  %h = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x2xf32>
  %s = vs.mul %h, %h : tensor<8x2xf32>
  %l = vs.reduce mean %s dims = [0, 1] : tensor<8x2xf32> -> tensor<f32>
  // CHECK: vs.broadcast
  // CHECK: vs.einsum "bo,bi->oi"
  // CHECK: %[[G:.*]] = vs.tag %{{.*}} {name = "fc.weight.gradient"}
  // CHECK: return %{{.*}}, %[[G]]
  return %l : tensor<f32>
}

// -----

// A parameter that does nothing has the gradient zero, and that is said.
func.func @loss(%x: tensor<4xf32> {vs.role = "batch", vs.name = "x"},
                // expected-remark @below {{the loss does not depend on parameter 'unused': its gradient is zero}}
                %w: tensor<2xf32> {vs.role = "parameter", vs.name = "unused"}) -> tensor<f32> {
  %l = vs.reduce sum %x dims = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{the first result of '@loss' must be the loss, a floating-point scalar like tensor<f32>}}
func.func @loss(%x: tensor<4xf32> {vs.role = "batch", vs.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
