// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK: = vs.reduce mean %{{.*}} dims = [0, 1] : tensor<8x2xf32> -> tensor<f32>
func.func @reduce(%s: tensor<8x2xf32>) {
  %l = vs.reduce mean %s dims = [0, 1] : tensor<8x2xf32> -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @arg_max(
// CHECK: = vs.arg_max %{{.*}} {dim = 1} : tensor<8x10xf32> -> tensor<8xi32>
func.func @arg_max(%logits: tensor<8x10xf32>) {
  %best = vs.arg_max %logits {dim = 1} : tensor<8x10xf32> -> tensor<8xi32>
  return
}

// CHECK-LABEL: func.func @cumulative_sum(
// CHECK: = vs.cumulative_sum %{{.*}} {dim = 0, exclusive} : tensor<8xi32>
func.func @cumulative_sum(%counts: tensor<8xi32>) {
  %offsets = vs.cumulative_sum %counts {dim = 0, exclusive} : tensor<8xi32>
  return
}

// CHECK-LABEL: func.func @sort(
// CHECK: = vs.sort %{{.*}} {descending, dim = 1} : (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xi32>)
func.func @sort(%x: tensor<8x10xf32>) {
  %v, %i = vs.sort %x {dim = 1, descending}
      : (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xi32>)
  return
}

// CHECK-LABEL: func.func @top_k(
// CHECK: = vs.top_k %{{.*}} {k = 2} : (tensor<8x10xf32>) -> (tensor<8x2xf32>, tensor<8x2xi32>)
func.func @top_k(%x: tensor<8x10xf32>) {
  %v, %i = vs.top_k %x {k = 2} : (tensor<8x10xf32>) -> (tensor<8x2xf32>, tensor<8x2xi32>)
  return
}

// CHECK-LABEL: func.func @reduce_2(
// CHECK: = vs.reduce sum %{{.*}} dims = [0] : tensor<8x2xbf16> -> tensor<2xbf16>
func.func @reduce_2(%x: tensor<8x2xbf16>) {
  %y = vs.reduce sum %x dims = [0] : tensor<8x2xbf16> -> tensor<2xbf16>
  return
}

// CHECK-LABEL: func.func @reduce_3(
// CHECK: = vs.reduce max %{{.*}} dims = [1] : tensor<8x2xf32> -> tensor<8xf32>
func.func @reduce_3(%x: tensor<8x2xf32>) {
  %y = vs.reduce max %x dims = [1] : tensor<8x2xf32> -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @reduce_4(
// CHECK: = vs.reduce min %{{.*}} dims = [] : tensor<8x2xf32>
func.func @reduce_4(%x: tensor<8x2xf32>) {
  %y = vs.reduce min %x dims = [] : tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// CHECK-LABEL: func.func @reduce_5(
// CHECK: = vs.reduce prod %{{.*}} dims = [0, 1] : tensor<8x2xi32> -> tensor<i32>
func.func @reduce_5(%x: tensor<8x2xi32>) {
  %y = vs.reduce prod %x dims = [0, 1] : tensor<8x2xi32> -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @reduce_6(
// CHECK: = vs.reduce and %{{.*}} dims = [0] : tensor<8x2xi1> -> tensor<2xi1>
func.func @reduce_6(%x: tensor<8x2xi1>) {
  %y = vs.reduce and %x dims = [0] : tensor<8x2xi1> -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @reduce_7(
// CHECK: = vs.reduce or %{{.*}} dims = [0] : tensor<8x2xi64> -> tensor<2xi64>
func.func @reduce_7(%x: tensor<8x2xi64>) {
  %y = vs.reduce or %x dims = [0] : tensor<8x2xi64> -> tensor<2xi64>
  return
}
