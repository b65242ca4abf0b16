// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @sgd(
// CHECK: = vs.sgd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {momentum_factor = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
func.func @sgd(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  %p1, %m1 = vs.sgd %p, %g, %m, %lr {momentum_factor = 0.9}
      : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// CHECK-LABEL: func.func @adamw(
// CHECK: = vs.adamw %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 0.9, beta2 = 0.95} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
func.func @adamw(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %step: tensor<i64>) {
  %p1, %m1, %v1 = vs.adamw %p, %g, %m, %v, %lr, %step {beta1 = 0.9, beta2 = 0.95}
      : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// CHECK-LABEL: func.func @adamw8bit(
// CHECK: = vs.adamw8bit %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {block_size = 16} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
func.func @adamw8bit(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %step: tensor<i64>) {
  %p1, %m1, %ms1, %v1, %vs1 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %step {block_size = 16}
      : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// CHECK-LABEL: func.func @muon(
// CHECK: = vs.muon %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {nesterov} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
func.func @muon(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  %p1, %m1 = vs.muon %p, %g, %m, %lr {nesterov}
      : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// CHECK-LABEL: func.func @clip_by_global_norm(
// CHECK: = vs.clip_by_global_norm %{{.*}}, %{{.*}} {max_norm = 1.0} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<f32>)
func.func @clip_by_global_norm(%g0: tensor<8x4xf32>, %g1: tensor<4xf32>) {
  %c0, %c1, %norm = vs.clip_by_global_norm %g0, %g1 {max_norm = 1.0}
      : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<f32>)
  return
}

// CHECK-LABEL: func.func @sgd_2(
// CHECK: = vs.sgd %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
func.func @sgd_2(%p: tensor<8xf32>, %g: tensor<8xf32>, %lr: tensor<f32>) {
  %p1 = vs.sgd %p, %g, %lr : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}
