// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @einsum(
// CHECK: = vs.einsum "bsd,fd->bsf" %{{.*}}, %{{.*}} : (tensor<2x8x4xf32>, tensor<16x4xf32>) -> tensor<2x8x16xf32>
func.func @einsum(%x: tensor<2x8x4xf32>, %w: tensor<16x4xf32>) {
  %y = vs.einsum "bsd,fd->bsf" %x, %w
      : (tensor<2x8x4xf32>, tensor<16x4xf32>) -> tensor<2x8x16xf32>
  return
}

// CHECK-LABEL: func.func @einsum_2(
// CHECK: = vs.einsum "bhqd,bhkd->bhqk" %{{.*}}, %{{.*}} : (tensor<2x3x8x4xbf16>, tensor<2x3x6x4xbf16>) -> tensor<2x3x8x6xf32>
func.func @einsum_2(%x: tensor<2x3x8x4xbf16>, %w: tensor<2x3x6x4xbf16>) {
  %y = vs.einsum "bhqd,bhkd->bhqk" %x, %w
      : (tensor<2x3x8x4xbf16>, tensor<2x3x6x4xbf16>) -> tensor<2x3x8x6xf32>
  return
}

// CHECK-LABEL: func.func @einsum_3(
// CHECK: = vs.einsum ",->" %{{.*}}, %{{.*}} : tensor<f32>
func.func @einsum_3(%x: tensor<f32>, %w: tensor<f32>) {
  %y = vs.einsum ",->" %x, %w : tensor<f32>
  return
}

// CHECK-LABEL: func.func @einsum_4(
// CHECK: = vs.einsum "i,j->ji" %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<3xf32>) -> tensor<3x2xf32>
func.func @einsum_4(%x: tensor<2xf32>, %w: tensor<3xf32>) {
  %y = vs.einsum "i,j->ji" %x, %w : (tensor<2xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  return
}
