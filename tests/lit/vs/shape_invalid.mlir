// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @reshape_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reshape' op x has 32 elements, but result has 33}}
  %0 = vs.reshape %x : tensor<8x4xf32> -> tensor<33xf32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reshape' op result has element type 'f64', must have 'f32'}}
  %0 = vs.reshape %x : tensor<8x4xf32> -> tensor<32xf64>
  return
}

// -----

func.func @transpose_c1_length(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.transpose' op permutation has 1 entries, must have 2: one per dim of x}}
  %0 = vs.transpose %x {permutation = [0]} : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_c1_range(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.transpose' op permutation holds 2, but x has rank 2}}
  %0 = vs.transpose %x {permutation = [0, 2]} : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_c1_twice(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.transpose' op permutation holds 1 twice}}
  %0 = vs.transpose %x {permutation = [1, 1]} : tensor<8x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.transpose' op result has size 8 in dim 0, must have 4: the shape of x permuted}}
  %0 = vs.transpose %x {permutation = [1, 0]} : tensor<8x4xf32>
  return
}

// -----

func.func @transpose_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.transpose' op result has element type 'f64', must have 'f32'}}
  %0 = vs.transpose %x {permutation = [1, 0]} : tensor<8x4xf32> -> tensor<4x8xf64>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'vs.broadcast' op dims has 2 entries, must have 1: one per dim of x}}
  %0 = vs.broadcast %x {dims = [0, 1]} : tensor<4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'vs.broadcast' op dims holds 2, but result has rank 2}}
  %0 = vs.broadcast %x {dims = [2]} : tensor<4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.broadcast' op dims must ascend, but 0 follows 1}}
  %0 = vs.broadcast %x {dims = [1, 0]} : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c4(%x: tensor<1xf32>) {
  // expected-error @+1 {{'vs.broadcast' op x has size 1 in dim 0, but result has 4 in dim 1, which it maps to}}
  %0 = vs.broadcast %x {dims = [1]} : tensor<1xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_c5(%x: tensor<4xf32>) {
  // expected-error @+1 {{'vs.broadcast' op result has element type 'f64', must have 'f32'}}
  %0 = vs.broadcast %x {dims = [1]} : tensor<4xf32> -> tensor<8x4xf64>
  return
}

// -----

func.func @slice_c1_starts(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op starts has 1 entries, must have 2: one per dim of x}}
  %0 = vs.slice %x {starts = [0], limits = [8, 4], strides = [1, 1]} : tensor<8x4xf32>
  return
}

// -----

func.func @slice_c1_limits(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op limits has 3 entries, must have 2: one per dim of x}}
  %0 = vs.slice %x {starts = [0, 0], limits = [8, 4, 1], strides = [1, 1]} : tensor<8x4xf32>
  return
}

// -----

func.func @slice_c1_strides(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op strides has 0 entries, must have 2: one per dim of x}}
  %0 = vs.slice %x {starts = [0, 0], limits = [8, 4], strides = []} : tensor<8x4xf32>
  return
}

// -----

func.func @slice_c2_beyond(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op takes [0, 5) of dim 1, which has size 4}}
  %0 = vs.slice %x {starts = [0, 0], limits = [8, 5], strides = [1, 1]} : tensor<8x4xf32> -> tensor<8x5xf32>
  return
}

// -----

func.func @slice_c2_order(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op takes [3, 2) of dim 1, which has size 4}}
  %0 = vs.slice %x {starts = [0, 3], limits = [8, 2], strides = [1, 1]} : tensor<8x4xf32> -> tensor<8x0xf32>
  return
}

// -----

func.func @slice_c2_negative(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op takes [-1, 8) of dim 0, which has size 8}}
  %0 = vs.slice %x {starts = [-1, 0], limits = [8, 4], strides = [1, 1]} : tensor<8x4xf32> -> tensor<9x4xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op strides holds 0 for dim 0, must be at least 1}}
  %0 = vs.slice %x {starts = [0, 0], limits = [8, 4], strides = [0, 1]} : tensor<8x4xf32>
  return
}

// -----

func.func @slice_c4(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op result has size 2 in dim 0, must have 3: the size of the slice}}
  %0 = vs.slice %x {starts = [0, 0], limits = [8, 4], strides = [3, 1]} : tensor<8x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @slice_c5(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.slice' op result has element type 'f64', must have 'f32'}}
  %0 = vs.slice %x {starts = [0, 0], limits = [8, 4], strides = [1, 1]} : tensor<8x4xf32> -> tensor<8x4xf64>
  return
}

// -----

func.func @dynamic_slice_c1(%x: tensor<8x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_slice' op has 1 starts, must have 2: one per dim of x}}
  %0 = vs.dynamic_slice %x, %i : (tensor<8x4xf32>, tensor<i32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @dynamic_slice_c2(%x: tensor<8x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_slice' op result has rank 1, must have 2}}
  %0 = vs.dynamic_slice %x, %i, %i : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%x: tensor<8x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_slice' op result has size 5 in dim 1, but x only has 4}}
  %0 = vs.dynamic_slice %x, %i, %i : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%x: tensor<8x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_slice' op result has element type 'f64', must have 'f32'}}
  %0 = vs.dynamic_slice %x, %i, %i : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf64>
  return
}

// -----

func.func @dynamic_slice_c5(%x: tensor<8x4xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @+1 {{'vs.dynamic_slice' op start #1 has element type 'i64', must have 'i32'}}
  %0 = vs.dynamic_slice %x, %i, %j : (tensor<8x4xf32>, tensor<i32>, tensor<i64>) -> tensor<1x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1(%x: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op has 1 starts, must have 2: one per dim of x}}
  %0 = vs.dynamic_update_slice %x, %u, %i : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%x: tensor<8x4xf32>, %u: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op update has rank 1, must have 2}}
  %0 = vs.dynamic_update_slice %x, %u, %i, %i : (tensor<8x4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%x: tensor<8x4xf32>, %u: tensor<9x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op update has size 9 in dim 0, but x only has 8}}
  %0 = vs.dynamic_update_slice %x, %u, %i, %i : (tensor<8x4xf32>, tensor<9x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4(%x: tensor<8x4xf32>, %u: tensor<1x4xf64>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op update has element type 'f64', must have 'f32'}}
  %0 = vs.dynamic_update_slice %x, %u, %i, %i : (tensor<8x4xf32>, tensor<1x4xf64>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4_result(%x: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op result has element type 'f64', must have 'f32'}}
  %0 = vs.dynamic_update_slice %x, %u, %i, %i : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf64>
  return
}

// -----

func.func @dynamic_update_slice_c5(%x: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op result has size 7 in dim 0, must have 8: the shape of x}}
  %0 = vs.dynamic_update_slice %x, %u, %i, %i : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%x: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @+1 {{'vs.dynamic_update_slice' op start #1 has element type 'i64', must have 'i32'}}
  %0 = vs.dynamic_update_slice %x, %u, %i, %j : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i64>) -> tensor<8x4xf32>
  return
}

// -----

func.func @concat_c1() {
  // expected-error @+1 {{'vs.concat' op needs at least one operand}}
  %0 = "vs.concat"() {dim = 0} : () -> tensor<8x4xf32>
  return
}

// -----

func.func @concat_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.concat' op dim holds 2, but operand #0 has rank 2}}
  %0 = vs.concat %x, %x {dim = 2} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @concat_c3(%x: tensor<8x4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'vs.concat' op operand #1 has rank 1, must have 2}}
  %0 = vs.concat %x, %y {dim = 0} : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @concat_c3_result(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.concat' op result has rank 1, must have 2: the operands one after the other}}
  %0 = vs.concat %x, %x {dim = 0} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @concat_c4(%x: tensor<8x4xf32>, %y: tensor<8x5xf32>) {
  // expected-error @+1 {{'vs.concat' op operand #1 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.concat %x, %y {dim = 0} : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @concat_c5(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.concat' op result has size 15 in dim 0, must have 16: the operands one after the other}}
  %0 = vs.concat %x, %x {dim = 0} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<15x4xf32>
  return
}

// -----

func.func @concat_c6(%x: tensor<8x4xf32>, %y: tensor<8x4xf64>) {
  // expected-error @+1 {{'vs.concat' op operand #1 has element type 'f64', must have 'f32'}}
  %0 = vs.concat %x, %y {dim = 0} : (tensor<8x4xf32>, tensor<8x4xf64>) -> tensor<16x4xf32>
  return
}

// -----

func.func @concat_c6_result(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.concat' op result has element type 'f64', must have 'f32'}}
  %0 = vs.concat %x, %x {dim = 0} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf64>
  return
}

// -----

func.func @pad_c1_low(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op low has 1 entries, must have 2: one per dim of x}}
  %0 = vs.pad %x {low = [1], high = [0, 0], interior = [0, 0]} : tensor<8x4xf32> -> tensor<9x4xf32>
  return
}

// -----

func.func @pad_c1_high(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op high has 1 entries, must have 2: one per dim of x}}
  %0 = vs.pad %x {low = [1, 0], high = [0], interior = [0, 0]} : tensor<8x4xf32> -> tensor<9x4xf32>
  return
}

// -----

func.func @pad_c1_interior(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op interior has 1 entries, must have 2: one per dim of x}}
  %0 = vs.pad %x {low = [1, 0], high = [0, 0], interior = [0]} : tensor<8x4xf32> -> tensor<9x4xf32>
  return
}

// -----

func.func @pad_c2_low(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op low holds -1, must be at least 0}}
  %0 = vs.pad %x {low = [-1, 0], high = [0, 0], interior = [0, 0]} : tensor<8x4xf32> -> tensor<7x4xf32>
  return
}

// -----

func.func @pad_c2_high(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op high holds -1, must be at least 0}}
  %0 = vs.pad %x {low = [0, 0], high = [-1, 0], interior = [0, 0]} : tensor<8x4xf32> -> tensor<7x4xf32>
  return
}

// -----

func.func @pad_c2_interior(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op interior holds -1, must be at least 0}}
  %0 = vs.pad %x {low = [0, 0], high = [0, 0], interior = [-1, 0]} : tensor<8x4xf32> -> tensor<1x4xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op result has size 8 in dim 1, must have 7: the size of x with its padding}}
  %0 = vs.pad %x {low = [0, 0], high = [0, 0], interior = [0, 1]} : tensor<8x4xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @pad_c4(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op result has element type 'f64', must have 'f32'}}
  %0 = vs.pad %x {low = [1, 0], high = [0, 0], interior = [0, 0]} : tensor<8x4xf32> -> tensor<9x4xf64>
  return
}

// -----

func.func @pad_c5(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.pad' op value has type 'f64', must have 'f32': the element type of x}}
  %0 = vs.pad %x {low = [1, 0], high = [0, 0], interior = [0, 0], value = 1.0 : f64} : tensor<8x4xf32> -> tensor<9x4xf32>
  return
}

// -----

func.func @reverse_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reverse' op dims holds 2, but x has rank 2}}
  %0 = vs.reverse %x {dims = [2]} : tensor<8x4xf32>
  return
}

// -----

func.func @reverse_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reverse' op dims must ascend, but 0 follows 0}}
  %0 = vs.reverse %x {dims = [0, 0]} : tensor<8x4xf32>
  return
}

// -----

func.func @reverse_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reverse' op result #0 has size 7 in dim 0, but operand #0 has 8}}
  %0 = vs.reverse %x {dims = [0]} : tensor<8x4xf32> -> tensor<7x4xf32>
  return
}

// -----

func.func @reverse_c4(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.reverse' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.reverse %x {dims = [0]} : tensor<8x4xf32> -> tensor<8x4xf64>
  return
}
