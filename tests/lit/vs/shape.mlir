// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK: = vs.reshape %{{.*}} : tensor<8x4xf32> -> tensor<2x16xf32>
func.func @reshape(%x: tensor<8x4xf32>) {
  %y = vs.reshape %x : tensor<8x4xf32> -> tensor<2x16xf32>
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK: = vs.transpose %{{.*}} {permutation = [1, 0]} : tensor<8x4xf32> -> tensor<4x8xf32>
func.func @transpose(%x: tensor<8x4xf32>) {
  %y = vs.transpose %x {permutation = [1, 0]} : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @broadcast(
// CHECK: = vs.broadcast %{{.*}} {dims = [1]} : tensor<4xf32> -> tensor<8x4xf32>
func.func @broadcast(%bias: tensor<4xf32>) {
  %y = vs.broadcast %bias {dims = [1]} : tensor<4xf32> -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @slice(
// CHECK: = vs.slice %{{.*}} {limits = [8, 4], starts = [0, 1], strides = [2, 1]} : tensor<8x4xf32> -> tensor<4x3xf32>
func.func @slice(%x: tensor<8x4xf32>) {
  %y = vs.slice %x {starts = [0, 1], limits = [8, 4], strides = [2, 1]} : tensor<8x4xf32> -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_slice(
// CHECK: = vs.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
func.func @dynamic_slice(%x: tensor<8x4xf32>, %i: tensor<i32>, %zero: tensor<i32>) {
  %y = vs.dynamic_slice %x, %i, %zero
      : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_update_slice(
// CHECK: = vs.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
func.func @dynamic_update_slice(%x: tensor<8x4xf32>, %row: tensor<1x4xf32>, %i: tensor<i32>, %zero: tensor<i32>) {
  %y = vs.dynamic_update_slice %x, %row, %i, %zero
      : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @concat(
// CHECK: = vs.concat %{{.*}}, %{{.*}} {dim = 0} : (tensor<2x4xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
func.func @concat(%a: tensor<2x4xf32>, %b: tensor<6x4xf32>) {
  %y = vs.concat %a, %b {dim = 0} : (tensor<2x4xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @pad(
// CHECK: = vs.pad %{{.*}} {high = [1, 0], interior = [0, 1], low = [1, 0]} : tensor<8x4xf32> -> tensor<10x7xf32>
func.func @pad(%x: tensor<8x4xf32>) {
  %y = vs.pad %x {low = [1, 0], high = [1, 0], interior = [0, 1]} : tensor<8x4xf32> -> tensor<10x7xf32>
  return
}

// CHECK-LABEL: func.func @reverse(
// CHECK: = vs.reverse %{{.*}} {dims = [0]} : tensor<8x4xf32>
func.func @reverse(%x: tensor<8x4xf32>) {
  %y = vs.reverse %x {dims = [0]} : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @pad_2(
// CHECK: = vs.pad %{{.*}} {high = [0], interior = [0], low = [1], value = -1.000000e+00 : f32} : tensor<8xf32> -> tensor<9xf32>
func.func @pad_2(%x: tensor<8xf32>) {
  %y = vs.pad %x {low = [1], high = [0], interior = [0], value = -1.0 : f32} : tensor<8xf32> -> tensor<9xf32>
  return
}

// CHECK-LABEL: func.func @reshape_2(
// CHECK: = vs.reshape %{{.*}} : tensor<f32> -> tensor<1xf32>
func.func @reshape_2(%x: tensor<f32>) {
  %y = vs.reshape %x : tensor<f32> -> tensor<1xf32>
  return
}

// CHECK-LABEL: func.func @broadcast_2(
// CHECK: = vs.broadcast %{{.*}} {dims = []} : tensor<f32> -> tensor<8x4xf32>
func.func @broadcast_2(%x: tensor<f32>) {
  %y = vs.broadcast %x {dims = []} : tensor<f32> -> tensor<8x4xf32>
  return
}
