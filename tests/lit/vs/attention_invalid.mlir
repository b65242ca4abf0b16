// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @attention_c1(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6xf32>) {
  // expected-error @+1 {{'vs.attention' op v has rank 3, must have 4}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c2_batch(%q: tensor<2x4x8x16xf32>, %k: tensor<3x2x6x16xf32>, %v: tensor<2x2x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op k has size 3 in dim 0, must have 2: the batch and head size of q}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<3x2x6x16xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c2_sequence(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x7x16xf32>) {
  // expected-error @+1 {{'vs.attention' op v has size 7 in dim 2, must have 6: the batch, heads and sequence of k}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x7x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c3(%q: tensor<2x4x8x16xf32>, %k: tensor<2x3x6x16xf32>, %v: tensor<2x3x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op q has 4 heads, must have a multiple of the 3 of k}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x3x6x16xf32>, tensor<2x3x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c4(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x15xf32>, %v: tensor<2x2x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op k has size 15 in dim 3, must have 16: the batch and head size of q}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x15xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c5(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xbf16>) {
  // expected-error @+1 {{'vs.attention' op v has element type 'bf16', must have 'f32': the element type of q}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xbf16>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c6(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op output has size 15 in dim 3, must have 16: (batch, heads, query sequence, value size)}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x15xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c7(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op log_sum_exp has size 6 in dim 2, must have 8: (batch, heads, query sequence)}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x6xf32>)
  return
}

// -----

func.func @attention_c8(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op log_sum_exp has element type 'f64', must have 'f32': the statistics type of q}}
  %0:2 = vs.attention %q, %k, %v {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf64>)
  return
}

// -----

func.func @attention_c9_rank(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %b: tensor<8x6xf32>) {
  // expected-error @+1 {{'vs.attention' op bias has rank 2, must have 4}}
  %0:2 = vs.attention %q, %k, %v, %b {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<8x6xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c9_size(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %b: tensor<1x3x8x6xf32>) {
  // expected-error @+1 {{'vs.attention' op bias has size 3 in dim 1, must have 4: (batch or 1, heads or 1, query sequence, key sequence)}}
  %0:2 = vs.attention %q, %k, %v, %b {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<1x3x8x6xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c10(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %r: !vs.rng) {
  // expected-error @+1 {{'vs.attention' op dropout is 1, must be at least 0 and less than 1}}
  %0:2 = vs.attention %q, %k, %v, %r {dropout = 1.0} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, !vs.rng) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c11(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>) {
  // expected-error @+1 {{'vs.attention' op dropout needs an rng operand}}
  %0:2 = vs.attention %q, %k, %v {dropout = 0.1} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c12(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %r: !vs.rng) {
  // expected-error @+1 {{'vs.attention' op draw_id holds -1, must be at least 0}}
  %0:2 = vs.attention %q, %k, %v, %r {dropout = 0.1, draw_id = -1} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, !vs.rng) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_gradient_c1(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op v has rank 3, must have 4}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c2_batch(%q: tensor<2x4x8x16xf32>, %k: tensor<3x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op k has size 3 in dim 0, must have 2: the batch and head size of q}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<3x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c2_sequence(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x7x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op v has size 7 in dim 2, must have 6: the batch, heads and sequence of k}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x7x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c3(%q: tensor<2x4x8x16xf32>, %k: tensor<2x3x6x16xf32>, %v: tensor<2x3x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op q has 4 heads, must have a multiple of the 3 of k}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x3x6x16xf32>, tensor<2x3x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c4(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x15xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op k has size 15 in dim 3, must have 16: the batch and head size of q}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x15xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c5(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xbf16>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op v has element type 'bf16', must have 'f32': the element type of q}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xbf16>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c6(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x15xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op output has size 15 in dim 3, must have 16: (batch, heads, query sequence, value size)}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x15xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c7(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x6xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op log_sum_exp has size 6 in dim 2, must have 8: (batch, heads, query sequence)}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x6xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c8(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf64>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op log_sum_exp has element type 'f64', must have 'f32': the statistics type of q}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf64>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c9_rank(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %b: tensor<8x6xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op bias has rank 2, must have 4}}
  %0:3 = vs.attention_gradient %q, %k, %v, %b, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<8x6xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c9_size(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %b: tensor<1x3x8x6xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op bias has size 3 in dim 1, must have 4: (batch or 1, heads or 1, query sequence, key sequence)}}
  %0:3 = vs.attention_gradient %q, %k, %v, %b, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<1x3x8x6xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c10(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %r: !vs.rng, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op dropout is 1, must be at least 0 and less than 1}}
  %0:3 = vs.attention_gradient %q, %k, %v, %r, %o, %l, %g {dropout = 1.0} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, !vs.rng, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c11(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op dropout needs an rng operand}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {dropout = 0.1} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c12(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %r: !vs.rng, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op draw_id holds -1, must be at least 0}}
  %0:3 = vs.attention_gradient %q, %k, %v, %r, %o, %l, %g {dropout = 0.1, draw_id = -1} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, !vs.rng, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c13(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x7x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op gradient has size 7 in dim 2, must have 8: the shape of output}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x7x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c14_q(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op q_gradient has size 7 in dim 2, must have 8: the shape of q}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x7x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c14_k(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op k_gradient has element type 'f64', must have 'f32'}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf64>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c14_v(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op v_gradient has size 4 in dim 1, must have 2: the shape of v}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c14_bias(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %b: tensor<1x1x8x6xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op bias_gradient has size 4 in dim 1, must have 1: the shape of bias}}
  %0:4 = vs.attention_gradient %q, %k, %v, %b, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<1x1x8x6xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<1x4x8x6xf32>)
  return
}

// -----

func.func @attention_gradient_c15(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{'vs.attention_gradient' op has a bias_gradient, but no bias}}
  %0:4 = vs.attention_gradient %q, %k, %v, %o, %l, %g {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<1x1x8x6xf32>)
  return
}

// -----

func.func @attention_operands(%q: tensor<2x4x8x16xf32>) {
  // expected-error @+1 {{expected q, k, v, optionally a bias and an !vs.rng, and 0 more operands, got 2}}
  %0:2 = vs.attention %q, %q : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c13(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention' op has 2 positions, must have four or none}}
  %0:2 = vs.attention %q, %k, %v, %i, %i {global_sizes = [4, 8, 6]} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c14_absent(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention' op has positions, but no global_sizes}}
  %0:2 = vs.attention %q, %k, %v, %i, %i, %i, %i {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c14_alone(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention' op has global_sizes, but no positions}}
  %0:2 = vs.attention %q, %k, %v {global_sizes = [4, 8, 6]} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c14_length(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention' op global_sizes has 2 entries, must have 3: heads, query sequence and key sequence}}
  %0:2 = vs.attention %q, %k, %v, %i, %i, %i, %i {global_sizes = [4, 8]} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_gradient_c16(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention_gradient' op has 2 positions, must have four or none}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g, %i, %i {global_sizes = [4, 8, 6]} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c17_absent(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention_gradient' op has positions, but no global_sizes}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g, %i, %i, %i, %i {causal} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c17_alone(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention_gradient' op has global_sizes, but no positions}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g {global_sizes = [4, 8, 6]} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}

// -----

func.func @attention_gradient_c17_length(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x16xf32>, %o: tensor<2x4x8x16xf32>, %l: tensor<2x4x8xf32>, %g: tensor<2x4x8x16xf32>, %i: index) {
  // expected-error @+1 {{'vs.attention_gradient' op global_sizes has 2 entries, must have 3: heads, query sequence and key sequence}}
  %0:3 = vs.attention_gradient %q, %k, %v, %o, %l, %g, %i, %i, %i, %i {global_sizes = [4, 8]} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>, index, index, index, index) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x16xf32>)
  return
}
