// RUN: vescale-opt %s --vs-decompose-layers --vs-fuse --split-input-file | FileCheck %s

// CHECK-LABEL: @elementwise_chain_is_one_kernel
func.func @elementwise_chain_is_one_kernel(%x: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  // CHECK: vs.fused
  // CHECK: vs.broadcast
  // CHECK: vs.add
  // CHECK: vs.gelu
  // CHECK: vs.yield
  // CHECK-NOT: vs.fused
  %w = vs.broadcast %b {dims = [1]} : tensor<4xf32> -> tensor<8x4xf32>
  %a = vs.add %x, %w : tensor<8x4xf32>
  %y = vs.gelu %a {approximate} : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: @softmax_is_one_kernel
func.func @softmax_is_one_kernel(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: vs.fused
  // CHECK: vs.reduce max
  // CHECK: vs.exp
  // CHECK: vs.reduce sum
  // CHECK: vs.yield
  // CHECK-NOT: vs.fused
  %y = vs.softmax %x {dim = 1} : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// A matrix product is a library call; what is before and after it are two kernels.
// CHECK-LABEL: @library_calls_stay
func.func @library_calls_stay(%x: tensor<8x4xf32>, %w: tensor<2x4xf32>) -> tensor<8x2xf32> {
  // CHECK: vs.fused
  // CHECK: vs.einsum
  // CHECK: vs.fused
  %t = vs.tanh %x : tensor<8x4xf32>
  %h = vs.einsum "bi,oi->bo" %t, %w : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x2xf32>
  %y = vs.exp %h : tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}

// -----

// A sum over rows walks over columns; an elementwise producer joins it.
// CHECK-LABEL: @column_sum_takes_its_producer
func.func @column_sum_takes_its_producer(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  // CHECK: vs.fused
  // CHECK: vs.exp
  // CHECK: vs.reduce sum
  // CHECK: vs.yield
  // CHECK-NOT: vs.fused
  %y = vs.exp %x : tensor<8x4xf32>
  %s = vs.reduce sum %y dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
  return %y, %s : tensor<8x4xf32>, tensor<4xf32>
}

// -----

// softmax walks over rows, the sum over columns: one kernel would have to keep a whole tensor.
// CHECK-LABEL: @rows_and_columns_stay_apart
func.func @rows_and_columns_stay_apart(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  // CHECK: vs.fused
  // CHECK: vs.reduce max
  // CHECK: vs.yield
  // CHECK: vs.fused
  // CHECK: vs.reduce sum
  // CHECK: vs.yield
  %y = vs.softmax %x {dim = 1} : tensor<8x4xf32>
  %s = vs.reduce sum %y dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
  return %y, %s : tensor<8x4xf32>, tensor<4xf32>
}
