// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @constant(
// CHECK: = vs.constant dense<0.000000e+00> : tensor<8x4xf32>
func.func @constant() {
  %zero = vs.constant dense<0.0> : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @iota(
// CHECK: = vs.iota {dim = 1} : tensor<8x128xi32>
func.func @iota() {
  %positions = vs.iota {dim = 1} : tensor<8x128xi32>
  return
}

// CHECK-LABEL: func.func @random(
// CHECK: = vs.random %{{.*}} {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<8x4xf32>
func.func @random(%rng: !vs.rng) {
  %noise = vs.random %rng {distribution = #vs.normal<1.0>} : !vs.rng -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @constant_2(
// CHECK: = vs.constant dense<[1, 2]> : tensor<2xi32, "layout">
func.func @constant_2() {
  %c = vs.constant dense<[1, 2]> : tensor<2xi32, "layout">
  return
}

// CHECK-LABEL: func.func @constant_3(
// CHECK: = vs.constant dense<2.000000e+00> : tensor<4xbf16, "layout">
func.func @constant_3() {
  %c = vs.constant dense<2.0> : tensor<4xbf16, "layout">
  return
}

// CHECK-LABEL: func.func @random_2(
// CHECK: = vs.random %{{.*}} {distribution = #vs.uniform<-0.5, 1.0e-07>, draw_id = 7} : !vs.rng -> tensor<8x4xf32>
func.func @random_2(%rng: !vs.rng) {
  %noise = vs.random %rng {distribution = #vs.uniform<-0.5, 1.0E-7>, draw_id = 7} : !vs.rng -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @random_at(
// CHECK: = vs.random_at %{{.*}}, %{{.*}} {distribution = #vs.uniform<0.0, 1.0>, draw_id = 3} : (!vs.rng, tensor<2x4xi64>) -> tensor<2x4xf32>
func.func @random_at(%rng: !vs.rng, %positions: tensor<2x4xi64>) {
  %part = vs.random_at %rng, %positions {distribution = #vs.uniform<0.0, 1.0>, draw_id = 3}
      : (!vs.rng, tensor<2x4xi64>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @from_index(
// CHECK: = vs.from_index %{{.*}} : index -> tensor<i64>
func.func @from_index(%i: index) {
  %offset = vs.from_index %i : index -> tensor<i64>
  return
}
