// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// A whole model: one hidden layer, squared error.

// CHECK-LABEL: func.func @loss
// CHECK-SAME: vs.init = #vs.normal<0.02>
// CHECK: %[[H:.*]] = vs.einsum "bi,oi->bo" %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x2xf32>
// CHECK: %[[T:.*]] = vs.tag %[[H]] {name = "fc.output"} : tensor<8x2xf32>
// CHECK: %[[D:.*]] = vs.sub %[[T]], %{{.*}} : tensor<8x2xf32>
// CHECK: %[[S:.*]] = vs.mul %[[D]], %[[D]] : tensor<8x2xf32>
// CHECK: vs.reduce mean %[[S]] dims = [0, 1] : tensor<8x2xf32> -> tensor<f32>
func.func @loss(%x: tensor<8x4xf32> {vs.role = "batch", vs.name = "x"},
                %w: tensor<2x4xf32> {vs.role = "parameter", vs.name = "fc.weight", vs.init = #vs.normal<0.02>},
                %y: tensor<8x2xf32> {vs.role = "batch", vs.name = "y"}) -> tensor<f32> {
  %h = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x2xf32>
  %t = vs.tag %h {name = "fc.output"} : tensor<8x2xf32>
  %d = vs.sub %t, %y : tensor<8x2xf32>
  %s = vs.mul %d, %d : tensor<8x2xf32>
  %l = vs.reduce mean %s dims = [0, 1] : tensor<8x2xf32> -> tensor<f32>
  return %l : tensor<f32>
}
