// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @take_c1(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{'vs.take' op dim holds 2, but table has rank 2}}
  %0 = vs.take %t, %i {dim = 2} : (tensor<50x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
  return
}

// -----

func.func @take_c2(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{'vs.take' op result has size 50 in dim 2, must have 16: the shape of table with that of indices as dim}}
  %0 = vs.take %t, %i {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>) -> tensor<2x8x50xf32>
  return
}

// -----

func.func @take_c3(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{'vs.take' op result has element type 'f64', must have 'f32'}}
  %0 = vs.take %t, %i {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf64>
  return
}

// -----

func.func @put_c1(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>, %u: tensor<2x8x16xf32>) {
  // expected-error @+1 {{'vs.put' op dim holds 2, but x has rank 2}}
  %0 = vs.put add %t, %i, %u {dim = 2} : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<50x16xf32>
  return
}

// -----

func.func @put_c2(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>, %u: tensor<2x8x16xf32>) {
  // expected-error @+1 {{'vs.put' op updates has size 2 in dim 0, must have 50: the shape of x with that of indices as dim}}
  %0 = vs.put add %t, %i, %u {dim = 1} : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<50x16xf32>
  return
}

// -----

func.func @put_c3(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>, %u: tensor<2x8x16xf64>) {
  // expected-error @+1 {{'vs.put' op updates has element type 'f64', must have 'f32'}}
  %0 = vs.put set %t, %i, %u {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf64>) -> tensor<50x16xf32>
  return
}

// -----

func.func @put_c3_result(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>, %u: tensor<2x8x16xf32>) {
  // expected-error @+1 {{'vs.put' op result has element type 'f64', must have 'f32'}}
  %0 = vs.put set %t, %i, %u {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<50x16xf64>
  return
}

// -----

func.func @put_c4(%t: tensor<50x16xf32>, %i: tensor<2x8xi32>, %u: tensor<2x8x16xf32>) {
  // expected-error @+1 {{'vs.put' op result has size 49 in dim 0, must have 50: the shape of x}}
  %0 = vs.put max %t, %i, %u {dim = 0} : (tensor<50x16xf32>, tensor<2x8xi32>, tensor<2x8x16xf32>) -> tensor<49x16xf32>
  return
}

// -----

func.func @gather_c1(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{'vs.gather' op dim holds 2, but x has rank 2}}
  %0 = vs.gather %x, %i {dim = 2} : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x1xf32>
  return
}

// -----

func.func @gather_c2_rank(%x: tensor<8x10xf32>, %i: tensor<8xi32>) {
  // expected-error @+1 {{'vs.gather' op indices has rank 1, must have 2}}
  %0 = vs.gather %x, %i {dim = 1} : (tensor<8x10xf32>, tensor<8xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @gather_c2_size(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{'vs.gather' op indices has size 1 in dim 1, but x has 10}}
  %0 = vs.gather %x, %i {dim = 0} : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x1xf32>
  return
}

// -----

func.func @gather_c3(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{'vs.gather' op result has size 2 in dim 1, must have 1: the shape of indices}}
  %0 = vs.gather %x, %i {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @gather_c4(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>) {
  // expected-error @+1 {{'vs.gather' op result has element type 'f64', must have 'f32'}}
  %0 = vs.gather %x, %i {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>) -> tensor<8x1xf64>
  return
}

// -----

func.func @scatter_c1(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x1xf32>) {
  // expected-error @+1 {{'vs.scatter' op dim holds -1, but x has rank 2}}
  %0 = vs.scatter add %x, %i, %u {dim = -1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
  return
}

// -----

func.func @scatter_c2(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x1xf32>) {
  // expected-error @+1 {{'vs.scatter' op indices has size 1 in dim 1, but x has 10}}
  %0 = vs.scatter add %x, %i, %u {dim = 0} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
  return
}

// -----

func.func @scatter_c3(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x2xf32>) {
  // expected-error @+1 {{'vs.scatter' op updates has size 2 in dim 1, must have 1: the shape of indices}}
  %0 = vs.scatter add %x, %i, %u {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x2xf32>) -> tensor<8x10xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x1xf64>) {
  // expected-error @+1 {{'vs.scatter' op updates has element type 'f64', must have 'f32'}}
  %0 = vs.scatter add %x, %i, %u {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf64>) -> tensor<8x10xf32>
  return
}

// -----

func.func @scatter_c4_result(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x1xf32>) {
  // expected-error @+1 {{'vs.scatter' op result has element type 'f64', must have 'f32'}}
  %0 = vs.scatter add %x, %i, %u {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf64>
  return
}

// -----

func.func @scatter_c5(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x1xf32>) {
  // expected-error @+1 {{'vs.scatter' op result has size 9 in dim 1, must have 10: the shape of x}}
  %0 = vs.scatter add %x, %i, %u {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x9xf32>
  return
}

// -----

func.func @scatter_kind(%x: tensor<8x10xf32>, %i: tensor<8x1xi32>, %u: tensor<8x1xf32>) {
  // expected-error @+1 {{'mul' is not a kind of vs.scatter}}
  %0 = vs.scatter mul %x, %i, %u {dim = 1} : (tensor<8x10xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>
  return
}

// -----

func.func @one_hot_c1(%i: tensor<8xi32>) {
  // expected-error @+1 {{'vs.one_hot' op depth holds -1, must be at least 0}}
  %0 = vs.one_hot %i {depth = -1} : tensor<8xi32> -> tensor<8x10xf32>
  return
}

// -----

func.func @one_hot_c2(%i: tensor<8xi32>) {
  // expected-error @+1 {{'vs.one_hot' op result has size 10 in dim 1, must have 9: the shape of indices with depth as a last dim}}
  %0 = vs.one_hot %i {depth = 9} : tensor<8xi32> -> tensor<8x10xf32>
  return
}
