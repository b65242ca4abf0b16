// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @cross_entropy_c1(%l: tensor<f32>, %t: tensor<8xi32>) {
  // expected-error @+1 {{'vs.cross_entropy' op logits has rank 0, must have at least 1}}
  %0 = vs.cross_entropy %l, %t {ignore_index = -100} : (tensor<f32>, tensor<8xi32>) -> (tensor<8xf32>)
  return
}

// -----

func.func @cross_entropy_c2_targets(%l: tensor<8x10xf32>, %t: tensor<7xi32>) {
  // expected-error @+1 {{'vs.cross_entropy' op targets has size 7 in dim 0, must have 8: the shape of logits without the last dim}}
  %0 = vs.cross_entropy %l, %t {ignore_index = -100} : (tensor<8x10xf32>, tensor<7xi32>) -> (tensor<8xf32>)
  return
}

// -----

func.func @cross_entropy_c2_loss(%l: tensor<8x10xf32>, %t: tensor<8xi32>) {
  // expected-error @+1 {{'vs.cross_entropy' op loss has rank 0, must have 1: the shape of logits without the last dim}}
  %0 = vs.cross_entropy %l, %t {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>) -> (tensor<f32>)
  return
}

// -----

func.func @cross_entropy_c3(%l: tensor<8x10xf32>, %t: tensor<8xi32>) {
  // expected-error @+1 {{'vs.cross_entropy' op loss has element type 'f64', must have 'f32': the statistics type of logits}}
  %0 = vs.cross_entropy %l, %t {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>) -> (tensor<8xf64>)
  return
}

// -----

func.func @cross_entropy_gradient_c1(%l: tensor<f32>, %t: tensor<8xi32>, %g: tensor<8xf32>) {
  // expected-error @+1 {{'vs.cross_entropy_gradient' op logits has rank 0, must have at least 1}}
  %0 = vs.cross_entropy_gradient %l, %t, %g {ignore_index = -100} : (tensor<f32>, tensor<8xi32>, tensor<8xf32>) -> (tensor<8x10xf32>)
  return
}

// -----

func.func @cross_entropy_gradient_c2(%l: tensor<8x10xf32>, %t: tensor<8xi32>, %g: tensor<7xf32>) {
  // expected-error @+1 {{'vs.cross_entropy_gradient' op gradient has size 7 in dim 0, must have 8: the shape of logits without the last dim}}
  %0 = vs.cross_entropy_gradient %l, %t, %g {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>, tensor<7xf32>) -> (tensor<8x10xf32>)
  return
}

// -----

func.func @cross_entropy_gradient_c3(%l: tensor<8x10xf32>, %t: tensor<8xi32>, %g: tensor<8xf64>) {
  // expected-error @+1 {{'vs.cross_entropy_gradient' op gradient has element type 'f64', must have 'f32': the statistics type of logits}}
  %0 = vs.cross_entropy_gradient %l, %t, %g {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>, tensor<8xf64>) -> (tensor<8x10xf32>)
  return
}

// -----

func.func @cross_entropy_gradient_c4(%l: tensor<8x10xf32>, %t: tensor<8xi32>, %g: tensor<8xf32>) {
  // expected-error @+1 {{'vs.cross_entropy_gradient' op logits_gradient has size 9 in dim 1, must have 10: the shape of logits}}
  %0 = vs.cross_entropy_gradient %l, %t, %g {ignore_index = -100} : (tensor<8x10xf32>, tensor<8xi32>, tensor<8xf32>) -> (tensor<8x9xf32>)
  return
}

// -----

func.func @dropout_c1(%x: tensor<8x4xf32>, %rng: !vs.rng) {
  // expected-error @+1 {{'vs.dropout' op rate is 1, must be at least 0 and less than 1}}
  %0 = vs.dropout %x, %rng {rate = 1.0} : (tensor<8x4xf32>, !vs.rng) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @dropout_c2(%x: tensor<8x4xf32>, %rng: !vs.rng) {
  // expected-error @+1 {{'vs.dropout' op draw_id holds -3, must be at least 0}}
  %0 = vs.dropout %x, %rng {rate = 0.1, draw_id = -3} : (tensor<8x4xf32>, !vs.rng) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @dropout_c3(%x: tensor<8x4xf32>, %rng: !vs.rng) {
  // expected-error @+1 {{'vs.dropout' op result #0 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.dropout %x, %rng {rate = 0.1} : (tensor<8x4xf32>, !vs.rng) -> (tensor<8x5xf32>)
  return
}

// -----

func.func @dropout_c4(%x: tensor<8x4xf32>, %rng: !vs.rng) {
  // expected-error @+1 {{'vs.dropout' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.dropout %x, %rng {rate = 0.1} : (tensor<8x4xf32>, !vs.rng) -> (tensor<8x4xf64>)
  return
}

// -----

func.func @grouped_matmul_c1_x(%x: tensor<4xf32>, %w: tensor<3x6x4xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op x has rank 1, must have 2}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> (tensor<32x6xf32>)
  return
}

// -----

func.func @grouped_matmul_c1_weight(%x: tensor<32x4xf32>, %w: tensor<6x4xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op weight has rank 2, must have 3}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x4xf32>, tensor<6x4xf32>, tensor<3xi32>) -> (tensor<32x6xf32>)
  return
}

// -----

func.func @grouped_matmul_c1_counts(%x: tensor<32x4xf32>, %w: tensor<3x6x4xf32>, %n: tensor<3x1xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op tokens_per_expert has rank 2, must have 1}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3x1xi32>) -> (tensor<32x6xf32>)
  return
}

// -----

func.func @grouped_matmul_c1_y(%x: tensor<32x4xf32>, %w: tensor<3x6x4xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op y has rank 1, must have 2}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> (tensor<8xf32>)
  return
}

// -----

func.func @grouped_matmul_c2(%x: tensor<32x4xf32>, %w: tensor<3x6x4xf32>, %n: tensor<4xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op tokens_per_expert has size 4 in dim 0, must have 3: one per expert of weight}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<4xi32>) -> (tensor<32x6xf32>)
  return
}

// -----

func.func @grouped_matmul_c3(%x: tensor<32x5xf32>, %w: tensor<3x6x4xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op x has size 5 in dim 1, but weight has 4 in dim 2, its input size}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x5xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> (tensor<32x6xf32>)
  return
}

// -----

func.func @grouped_matmul_c4(%x: tensor<32x4xf32>, %w: tensor<3x6x4xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op y has size 7 in dim 1, must have 6: tokens by output size}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> (tensor<32x7xf32>)
  return
}

// -----

func.func @grouped_matmul_c5(%x: tensor<32x4xf32>, %w: tensor<3x6x4xf64>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul' op weight has element type 'f64', must have 'f32'}}
  %0 = vs.grouped_matmul %x, %w, %n : (tensor<32x4xf32>, tensor<3x6x4xf64>, tensor<3xi32>) -> (tensor<32x6xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c1_x(%x: tensor<4xf32>, %g: tensor<32x6xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op x has rank 1, must have 2}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> (tensor<3x6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c1_weight(%x: tensor<32x4xf32>, %g: tensor<32x6xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op weight_gradient has rank 2, must have 3}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> (tensor<6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c1_counts(%x: tensor<32x4xf32>, %g: tensor<32x6xf32>, %n: tensor<3x1xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op tokens_per_expert has rank 2, must have 1}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3x1xi32>) -> (tensor<3x6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c1_y(%x: tensor<32x4xf32>, %g: tensor<8xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op gradient has rank 1, must have 2}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x4xf32>, tensor<8xf32>, tensor<3xi32>) -> (tensor<3x6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c2(%x: tensor<32x4xf32>, %g: tensor<32x6xf32>, %n: tensor<4xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op tokens_per_expert has size 4 in dim 0, must have 3: one per expert of weight_gradient}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<4xi32>) -> (tensor<3x6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c3(%x: tensor<32x5xf32>, %g: tensor<32x6xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op x has size 5 in dim 1, but weight_gradient has 4 in dim 2, its input size}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x5xf32>, tensor<32x6xf32>, tensor<3xi32>) -> (tensor<3x6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c4(%x: tensor<32x4xf32>, %g: tensor<32x7xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op gradient has size 7 in dim 1, must have 6: tokens by output size}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x4xf32>, tensor<32x7xf32>, tensor<3xi32>) -> (tensor<3x6x4xf32>)
  return
}

// -----

func.func @grouped_matmul_weight_gradient_c5(%x: tensor<32x4xf32>, %g: tensor<32x6xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'vs.grouped_matmul_weight_gradient' op weight_gradient has element type 'f64', must have 'f32'}}
  %0 = vs.grouped_matmul_weight_gradient %x, %g, %n : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> (tensor<3x6x4xf64>)
  return
}
