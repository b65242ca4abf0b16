// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @sgd_c1_gradient(%p: tensor<8x4xf32>, %g: tensor<8x5xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op gradient has size 5 in dim 1, must have 4: the shape of parameter}}
  %0, %1 = vs.sgd %p, %g, %m, %lr {momentum_factor = 0.9} : (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @sgd_c1_momentum(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x5xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op momentum has size 5 in dim 1, must have 4: the shape of parameter}}
  %0, %1 = vs.sgd %p, %g, %m, %lr {momentum_factor = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x5xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x5xf32>)
  return
}

// -----

func.func @sgd_c1_new_parameter(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op new_parameter has size 5 in dim 1, must have 4: the shape of parameter}}
  %0, %1 = vs.sgd %p, %g, %m, %lr {momentum_factor = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x5xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @sgd_c2(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op new_momentum has element type 'f64', must have 'f32': the element type of momentum}}
  %0, %1 = vs.sgd %p, %g, %m, %lr {momentum_factor = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf64>)
  return
}

// -----

func.func @sgd_c3_missing(%p: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op has a momentum, but no new_momentum}}
  %0 = vs.sgd %p, %p, %p, %lr : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @sgd_c3_unexpected(%p: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op has a new_momentum, but no momentum}}
  %0, %1 = vs.sgd %p, %p, %lr : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @sgd_c4(%p: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op nesterov needs a momentum}}
  %0 = vs.sgd %p, %p, %lr {nesterov} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @sgd_c5_momentum_factor(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op momentum_factor is -0.5, must not be negative}}
  %0, %1 = vs.sgd %p, %g, %m, %lr {momentum_factor = -0.5} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @sgd_c5_weight_decay(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.sgd' op weight_decay is -1, must not be negative}}
  %0, %1 = vs.sgd %p, %g, %m, %lr {weight_decay = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @sgd_learning_rate_is_a_scalar(%p: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.sgd' op operand #2 must be 0-D tensor of a floating-point number}}
  %0 = vs.sgd %p, %p, %p : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @adamw_c1_gradient(%p: tensor<8x4xf32>, %g: tensor<8x5xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op gradient has size 5 in dim 1, must have 4: the shape of parameter}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {beta1 = 0.9} : (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw_c1_second_moment(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x5xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op second_moment has size 5 in dim 1, must have 4: the shape of parameter}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {beta1 = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x5xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x5xf32>)
  return
}

// -----

func.func @adamw_c1_new_first_moment(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op new_first_moment has size 5 in dim 1, must have 4: the shape of first_moment}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {beta1 = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw_c2(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op new_parameter has element type 'f64', must have 'f32'}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {beta1 = 0.9} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf64>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw_c3_beta1(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op beta1 is 1, must be at least 0 and less than 1}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {beta1 = 1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw_c3_beta2(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op beta2 is -0.1, must be at least 0 and less than 1}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {beta2 = -0.1} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw_c4_epsilon(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op epsilon is -1, must not be negative}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {epsilon = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw_c4_weight_decay(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %v: tensor<8x4xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw' op weight_decay is -1, must not be negative}}
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %t {weight_decay = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @adamw8bit_c1(%p: tensor<8x4xf32>, %g: tensor<8x5xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op gradient has size 5 in dim 1, must have 4: the shape of parameter}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16} : (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c2(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op new_parameter has element type 'f64', must have 'f32'}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf64>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c3(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op block_size holds 0, must be at least 1}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c4_first(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<3xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op first_scale has size 3 in dim 0, must have 2: one scale per block}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<3xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<3xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c4_second(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<1xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op second_scale has size 1 in dim 0, must have 2: one scale per block}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<1xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c4_new(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op new_first_scale has size 3 in dim 0, must have 2: the shape of first_scale}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<3xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c5(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op beta2 is 1, must be at least 0 and less than 1}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16, beta2 = 1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @adamw8bit_c6(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xi8>, %ms: tensor<2xf32>, %v: tensor<8x4xui8>, %vs: tensor<2xf32>, %lr: tensor<f32>, %t: tensor<i64>) {
  // expected-error @+1 {{'vs.adamw8bit' op epsilon is -1, must not be negative}}
  %0:5 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %t {block_size = 16, epsilon = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>, tensor<f32>, tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
  return
}

// -----

func.func @muon_c1(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op parameter has rank 1, must have 2}}
  %0, %1 = vs.muon %p, %g, %m, %lr {nesterov} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @muon_c2(%p: tensor<8x4xf32>, %g: tensor<8x5xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op gradient has size 5 in dim 1, must have 4: the shape of parameter}}
  %0, %1 = vs.muon %p, %g, %m, %lr {nesterov} : (tensor<8x4xf32>, tensor<8x5xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @muon_c3(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op new_momentum has element type 'f64', must have 'f32'}}
  %0, %1 = vs.muon %p, %g, %m, %lr {nesterov} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf64>)
  return
}

// -----

func.func @muon_c4(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op iterations holds 0, must be at least 1}}
  %0, %1 = vs.muon %p, %g, %m, %lr {iterations = 0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @muon_c5_momentum_factor(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op momentum_factor is -1, must not be negative}}
  %0, %1 = vs.muon %p, %g, %m, %lr {momentum_factor = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @muon_c5_epsilon(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op epsilon is -1, must not be negative}}
  %0, %1 = vs.muon %p, %g, %m, %lr {epsilon = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @muon_c5_weight_decay(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @+1 {{'vs.muon' op weight_decay is -1, must not be negative}}
  %0, %1 = vs.muon %p, %g, %m, %lr {weight_decay = -1.0} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @clip_by_global_norm_c1() {
  // expected-error @+1 {{'vs.clip_by_global_norm' op needs at least one gradient}}
  %0 = "vs.clip_by_global_norm"() {max_norm = 1.0} : () -> tensor<f32>
  return
}

// -----

func.func @clip_by_global_norm_c2(%g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.clip_by_global_norm' op has 2 gradients, but 1 clipped ones}}
  %0, %n = vs.clip_by_global_norm %g, %g {max_norm = 1.0} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<f32>)
  return
}

// -----

func.func @clip_by_global_norm_c3_shape(%g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.clip_by_global_norm' op clipped gradient #0 has size 5 in dim 1, must have 4: the shape of gradient #0}}
  %0, %n = vs.clip_by_global_norm %g {max_norm = 1.0} : (tensor<8x4xf32>) -> (tensor<8x5xf32>, tensor<f32>)
  return
}

// -----

func.func @clip_by_global_norm_c3_element_type(%g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.clip_by_global_norm' op clipped gradient #0 has element type 'f64', must have 'f32'}}
  %0, %n = vs.clip_by_global_norm %g {max_norm = 1.0} : (tensor<8x4xf32>) -> (tensor<8x4xf64>, tensor<f32>)
  return
}

// -----

func.func @clip_by_global_norm_c4(%g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.clip_by_global_norm' op max_norm is -1, must not be negative}}
  %0, %n = vs.clip_by_global_norm %g {max_norm = -1.0} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<f32>)
  return
}
