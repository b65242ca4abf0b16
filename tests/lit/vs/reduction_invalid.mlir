// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @reduce_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reduce' op dims holds 2, but x has rank 2}}
  %0 = vs.reduce sum %x dims = [2] : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @reduce_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reduce' op dims must ascend, but 0 follows 1}}
  %0 = vs.reduce sum %x dims = [1, 0] : tensor<8x4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reduce' op result has size 4 in dim 0, must have 8: the shape of x without dims}}
  %0 = vs.reduce sum %x dims = [1] : tensor<8x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c4(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reduce' op result has element type 'f64', must have 'f32'}}
  %0 = vs.reduce sum %x dims = [1] : tensor<8x4xf32> -> tensor<8xf64>
  return
}

// -----

func.func @reduce_c5_sum(%x: tensor<8x4xi1>) {
  // expected-error @+1 {{'vs.reduce' op sum needs numbers, x has element type 'i1'}}
  %0 = vs.reduce sum %x dims = [1] : tensor<8x4xi1> -> tensor<8xi1>
  return
}

// -----

func.func @reduce_c5_mean(%x: tensor<8x4xi32>) {
  // expected-error @+1 {{'vs.reduce' op mean needs floating-point numbers, x has element type 'i32'}}
  %0 = vs.reduce mean %x dims = [1] : tensor<8x4xi32> -> tensor<8xi32>
  return
}

// -----

func.func @reduce_c5_and(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reduce' op and needs integers or i1, x has element type 'f32'}}
  %0 = vs.reduce and %x dims = [1] : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @reduce_kind(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'median' is not a kind of vs.reduce}}
  %0 = vs.reduce median %x dims = [1] : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @arg_max_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.arg_max' op dim holds -1, but x has rank 2}}
  %0 = vs.arg_max %x {dim = -1} : tensor<8x4xf32> -> tensor<8xi32>
  return
}

// -----

func.func @arg_max_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.arg_max' op indices has size 8 in dim 0, must have 4: the shape of x without dim}}
  %0 = vs.arg_max %x {dim = 0} : tensor<8x4xf32> -> tensor<8xi32>
  return
}

// -----

func.func @arg_max_c3(%x: tensor<8x0xf32>) {
  // expected-error @+1 {{'vs.arg_max' op x has size 0 in dim 1, where nothing is largest}}
  %0 = vs.arg_max %x {dim = 1} : tensor<8x0xf32> -> tensor<8xi32>
  return
}

// -----

func.func @cumulative_sum_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.cumulative_sum' op dim holds 1, but x has rank 1}}
  %0 = vs.cumulative_sum %x {dim = 1} : tensor<8xf32>
  return
}

// -----

func.func @cumulative_sum_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.cumulative_sum' op result #0 has size 7 in dim 0, but operand #0 has 8}}
  %0 = vs.cumulative_sum %x {dim = 0} : tensor<8xf32> -> tensor<7xf32>
  return
}

// -----

func.func @cumulative_sum_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.cumulative_sum' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.cumulative_sum %x {dim = 0} : tensor<8xf32> -> tensor<8xf64>
  return
}

// -----

func.func @sort_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.sort' op dim holds 1, but x has rank 1}}
  %v, %i = vs.sort %x {dim = 1} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>)
  return
}

// -----

func.func @sort_c2_values(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.sort' op values has size 7 in dim 0, must have 8: the shape of x}}
  %v, %i = vs.sort %x {dim = 0} : (tensor<8xf32>) -> (tensor<7xf32>, tensor<8xi32>)
  return
}

// -----

func.func @sort_c2_indices(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.sort' op indices has size 7 in dim 0, must have 8: the shape of x}}
  %v, %i = vs.sort %x {dim = 0} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<7xi32>)
  return
}

// -----

func.func @sort_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.sort' op values has element type 'f64', must have 'f32'}}
  %v, %i = vs.sort %x {dim = 0} : (tensor<8xf32>) -> (tensor<8xf64>, tensor<8xi32>)
  return
}

// -----

func.func @top_k_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'vs.top_k' op x has rank 0, must have at least 1}}
  %v, %i = vs.top_k %x {k = 1} : (tensor<f32>) -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.top_k' op k is 9, must be above 0 and at most the size 8 of the last dim of x}}
  %v, %i = vs.top_k %x {k = 9} : (tensor<8xf32>) -> (tensor<9xf32>, tensor<9xi32>)
  return
}

// -----

func.func @top_k_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.top_k' op indices has size 3 in dim 0, must have 2: the shape of x with k as the last dim}}
  %v, %i = vs.top_k %x {k = 2} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<3xi32>)
  return
}

// -----

func.func @top_k_c4(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.top_k' op values has element type 'f64', must have 'f32'}}
  %v, %i = vs.top_k %x {k = 2} : (tensor<8xf32>) -> (tensor<2xf64>, tensor<2xi32>)
  return
}
