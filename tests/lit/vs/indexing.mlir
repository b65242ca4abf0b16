// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @take(
// CHECK: = vs.take %{{.*}}, %{{.*}} {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
func.func @take(%embedding: tensor<50x16xf32>, %tokens: tensor<2x8xi32>) {
  %h = vs.take %embedding, %tokens {dim = 0}
      : (tensor<50x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
  return
}

// CHECK-LABEL: func.func @put(
// CHECK: = vs.put add %{{.*}}, %{{.*}}, %{{.*}} {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<50x16xf32>
func.func @put(%zeros: tensor<50x16xf32>, %tokens: tensor<2x8xi32>, %dh: tensor<2x8x16xf32>) {
  %g = vs.put add %zeros, %tokens, %dh {dim = 0}
      : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<50x16xf32>
  return
}

// CHECK-LABEL: func.func @gather(
// CHECK: = vs.gather %{{.*}}, %{{.*}} {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x1xf32>
func.func @gather(%logits: tensor<8x10xf32>, %targets: tensor<8x1xi32>) {
  %picked = vs.gather %logits, %targets {dim = 1}
      : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x1xf32>
  return
}

// CHECK-LABEL: func.func @scatter(
// CHECK: = vs.scatter add %{{.*}}, %{{.*}}, %{{.*}} {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
func.func @scatter(%x: tensor<8x10xf32>, %indices: tensor<8x1xi32>, %updates: tensor<8x1xf32>) {
  %y = vs.scatter add %x, %indices, %updates {dim = 1}
      : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @one_hot(
// CHECK: = vs.one_hot %{{.*}} {depth = 10} : tensor<8xi32> -> tensor<8x10xf32>
func.func @one_hot(%targets: tensor<8xi32>) {
  %y = vs.one_hot %targets {depth = 10} : tensor<8xi32> -> tensor<8x10xf32>
  return
}

// CHECK-LABEL: func.func @put_2(
// CHECK: = vs.put set %{{.*}}, %{{.*}}, %{{.*}} {dim = 1} : (tensor<2x5xf32>, tensor<3xi64>, tensor<2x3xf32>) -> tensor<2x5xf32>
func.func @put_2(%x: tensor<2x5xf32>, %i: tensor<3xi64>, %u: tensor<2x3xf32>) {
  %g = vs.put set %x, %i, %u {dim = 1}
      : (tensor<2x5xf32>, tensor<3xi64>, tensor<2x3xf32>) -> tensor<2x5xf32>
  return
}

// CHECK-LABEL: func.func @put_3(
// CHECK: = vs.put max %{{.*}}, %{{.*}}, %{{.*}} {dim = 1} : (tensor<2x5xf32>, tensor<3xi64>, tensor<2x3xf32>) -> tensor<2x5xf32>
func.func @put_3(%x: tensor<2x5xf32>, %i: tensor<3xi64>, %u: tensor<2x3xf32>) {
  %g = vs.put max %x, %i, %u {dim = 1}
      : (tensor<2x5xf32>, tensor<3xi64>, tensor<2x3xf32>) -> tensor<2x5xf32>
  return
}

// CHECK-LABEL: func.func @scatter_2(
// CHECK: = vs.scatter set %{{.*}}, %{{.*}}, %{{.*}} {dim = 0} : (tensor<5xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<5xf32>
func.func @scatter_2(%x: tensor<5xf32>, %i: tensor<3xi64>, %u: tensor<3xf32>) {
  %y = vs.scatter set %x, %i, %u {dim = 0}
      : (tensor<5xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @scatter_3(
// CHECK: = vs.scatter max %{{.*}}, %{{.*}}, %{{.*}} {dim = 0} : (tensor<5xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<5xf32>
func.func @scatter_3(%x: tensor<5xf32>, %i: tensor<3xi64>, %u: tensor<3xf32>) {
  %y = vs.scatter max %x, %i, %u {dim = 0}
      : (tensor<5xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<5xf32>
  return
}
