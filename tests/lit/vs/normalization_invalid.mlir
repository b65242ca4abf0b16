// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @softmax_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.softmax' op dim holds 2, but x has rank 2}}
  %0 = vs.softmax %x {dim = 2} : (tensor<8x4xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @softmax_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.softmax' op result #0 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.softmax %x {dim = 1} : (tensor<8x4xf32>) -> (tensor<8x5xf32>)
  return
}

// -----

func.func @softmax_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.softmax' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.softmax %x {dim = 1} : (tensor<8x4xf32>) -> (tensor<8x4xf64>)
  return
}

// -----

func.func @softmax_gradient_c1(%y: tensor<8x4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.softmax_gradient' op dim holds -1, but y has rank 2}}
  %0 = vs.softmax_gradient %y, %g {dim = -1} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @softmax_gradient_c2(%y: tensor<8x4xf32>, %g: tensor<8x5xf32>) {
  // expected-error @+1 {{'vs.softmax_gradient' op operand #1 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.softmax_gradient %y, %g {dim = 1} : (tensor<8x4xf32>, tensor<8x5xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @softmax_gradient_c3(%y: tensor<8x4xf32>, %g: tensor<8x4xf64>) {
  // expected-error @+1 {{'vs.softmax_gradient' op operand #1 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.softmax_gradient %y, %g {dim = 1} : (tensor<8x4xf32>, tensor<8x4xf64>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.log_softmax' op dim holds 2, but x has rank 2}}
  %0 = vs.log_softmax %x {dim = 2} : (tensor<8x4xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @log_softmax_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.log_softmax' op result #0 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.log_softmax %x {dim = 1} : (tensor<8x4xf32>) -> (tensor<8x5xf32>)
  return
}

// -----

func.func @log_softmax_c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.log_softmax' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.log_softmax %x {dim = 1} : (tensor<8x4xf32>) -> (tensor<8x4xf64>)
  return
}

// -----

func.func @log_softmax_gradient_c1(%y: tensor<8x4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.log_softmax_gradient' op dim holds -1, but y has rank 2}}
  %0 = vs.log_softmax_gradient %y, %g {dim = -1} : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @log_softmax_gradient_c2(%y: tensor<8x4xf32>, %g: tensor<8x5xf32>) {
  // expected-error @+1 {{'vs.log_softmax_gradient' op operand #1 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.log_softmax_gradient %y, %g {dim = 1} : (tensor<8x4xf32>, tensor<8x5xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @log_softmax_gradient_c3(%y: tensor<8x4xf32>, %g: tensor<8x4xf64>) {
  // expected-error @+1 {{'vs.log_softmax_gradient' op operand #1 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.log_softmax_gradient %y, %g {dim = 1} : (tensor<8x4xf32>, tensor<8x4xf64>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<f32>, %w: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op x has rank 0, must have at least 1}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_c2_weight(%x: tensor<8x4xf32>, %w: tensor<5xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op weight has size 5 in dim 0, must have 4: one per element of dim 1 of x}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<8x4xf32>, tensor<5xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_c2_bias(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %b: tensor<1x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op bias has rank 2, must have 1: one per element of dim 1 of x}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<8x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<8x4xf32>, %w: tensor<4xbf16>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op weight has element type 'bf16', must have 'f32': the element type of x}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<8x4xf32>, tensor<4xbf16>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_c4(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op y has size 5 in dim 1, must have 4: the shape of x}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x5xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_c5(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op mean has rank 2, must have 1: the shape of x without the last dim}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8x1xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_c6(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op rstd has element type 'f64', must have 'f32': the statistics type of x}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf64>)
  return
}

// -----

func.func @layer_norm_c7(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'vs.layer_norm' op epsilon is -1, must not be negative}}
  %0:3 = vs.layer_norm %x, %w, %b {epsilon = -1.0} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c1(%x: tensor<f32>, %w: tensor<4xf32>, %m: tensor<8xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op x has rank 0, must have at least 1}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<f32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c2(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %m: tensor<8xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op bias_gradient has size 5 in dim 0, must have 4: one per element of dim 1 of x}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c3(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %m: tensor<8xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf64>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op gradient has element type 'f64', must have 'f32'}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf64>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c4_gradient(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %m: tensor<8xf32>, %r: tensor<8xf32>, %g: tensor<7x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op gradient has size 7 in dim 0, must have 8: the shape of x}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<7x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c4_x_gradient(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %m: tensor<8xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op x_gradient has size 7 in dim 0, must have 8: the shape of x}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<7x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c5(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %m: tensor<4xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op mean has size 4 in dim 0, must have 8: the shape of x without the last dim}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_gradient_c6(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %m: tensor<8xf32>, %r: tensor<8xf64>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.layer_norm_gradient' op rstd has element type 'f64', must have 'f32': the statistics type of x}}
  %0:3 = vs.layer_norm_gradient %x, %w, %m, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf64>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @rms_norm_c1(%x: tensor<f32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op x has rank 0, must have at least 1}}
  %0:2 = vs.rms_norm %x, %w {epsilon = 1.0e-6} : (tensor<f32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<8x4xf32>, %w: tensor<5xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op weight has size 5 in dim 0, must have 4: one per element of dim 1 of x}}
  %0:2 = vs.rms_norm %x, %w {epsilon = 1.0e-6} : (tensor<8x4xf32>, tensor<5xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op y has element type 'f64', must have 'f32'}}
  %0:2 = vs.rms_norm %x, %w {epsilon = 1.0e-6} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf64>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_c4(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op y has size 5 in dim 1, must have 4: the shape of x}}
  %0:2 = vs.rms_norm %x, %w {epsilon = 1.0e-6} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x5xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_c5(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op rrms has size 4 in dim 0, must have 8: the shape of x without the last dim}}
  %0:2 = vs.rms_norm %x, %w {epsilon = 1.0e-6} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @rms_norm_c6(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op rrms has element type 'f64', must have 'f32': the statistics type of x}}
  %0:2 = vs.rms_norm %x, %w {epsilon = 1.0e-6} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf64>)
  return
}

// -----

func.func @rms_norm_c7(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.rms_norm' op epsilon is -1, must not be negative}}
  %0:2 = vs.rms_norm %x, %w {epsilon = -1.0} : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_gradient_c1(%x: tensor<f32>, %w: tensor<4xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.rms_norm_gradient' op x has rank 0, must have at least 1}}
  %0:2 = vs.rms_norm_gradient %x, %w, %r, %g : (tensor<f32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @rms_norm_gradient_c2(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.rms_norm_gradient' op weight_gradient has size 5 in dim 0, must have 4: one per element of dim 1 of x}}
  %0:2 = vs.rms_norm_gradient %x, %w, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @rms_norm_gradient_c3(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %r: tensor<8xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.rms_norm_gradient' op x_gradient has element type 'f64', must have 'f32'}}
  %0:2 = vs.rms_norm_gradient %x, %w, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) -> (tensor<8x4xf64>, tensor<4xf32>)
  return
}

// -----

func.func @rms_norm_gradient_c4(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %r: tensor<8xf32>, %g: tensor<7x4xf32>) {
  // expected-error @+1 {{'vs.rms_norm_gradient' op gradient has size 7 in dim 0, must have 8: the shape of x}}
  %0:2 = vs.rms_norm_gradient %x, %w, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<7x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @rms_norm_gradient_c5(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %r: tensor<4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.rms_norm_gradient' op rrms has size 4 in dim 0, must have 8: the shape of x without the last dim}}
  %0:2 = vs.rms_norm_gradient %x, %w, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @rms_norm_gradient_c6(%x: tensor<8x4xf32>, %w: tensor<4xf32>, %r: tensor<8xf64>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.rms_norm_gradient' op rrms has element type 'f64', must have 'f32': the statistics type of x}}
  %0:2 = vs.rms_norm_gradient %x, %w, %r, %g : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf64>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c1(%x: tensor<8xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op x has rank 1, must have at least 2}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = 0.1} : (tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<5xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op running_variance has size 5 in dim 0, must have 4: one per element of dim 1 of x}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = 0.1} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c3(%x: tensor<8x4x6xf32>, %w: tensor<4xf64>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op weight has element type 'f64', must have 'f32'}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = 0.1} : (tensor<8x4x6xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c4(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op y has size 7 in dim 2, must have 6: the shape of x}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = 0.1} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x7xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c5(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op new_running_mean has element type 'f64', must have 'f32': the statistics type of x}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = 0.1} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf64>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c6_epsilon(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op epsilon is -1, must not be negative}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {epsilon = -1.0} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c6_momentum(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op momentum is above 1}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = 1.5} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_c6_negative(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'vs.batch_norm' op momentum is -0.5, must not be negative}}
  %0:3 = vs.batch_norm %x, %w, %b, %m, %v {momentum = -0.5} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_gradient_c1(%x: tensor<8xf32>, %w: tensor<4xf32>, %g: tensor<8x4x6xf32>) {
  // expected-error @+1 {{'vs.batch_norm_gradient' op x has rank 1, must have at least 2}}
  %0:3 = vs.batch_norm_gradient %x, %w, %g {epsilon = 1.0e-5} : (tensor<8xf32>, tensor<4xf32>, tensor<8x4x6xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_gradient_c2(%x: tensor<8x4x6xf32>, %w: tensor<6xf32>, %g: tensor<8x4x6xf32>) {
  // expected-error @+1 {{'vs.batch_norm_gradient' op weight has size 6 in dim 0, must have 4: one per element of dim 1 of x}}
  %0:3 = vs.batch_norm_gradient %x, %w, %g {epsilon = 1.0e-5} : (tensor<8x4x6xf32>, tensor<6xf32>, tensor<8x4x6xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_gradient_c3(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %g: tensor<8x4x6xf32>) {
  // expected-error @+1 {{'vs.batch_norm_gradient' op bias_gradient has element type 'f64', must have 'f32'}}
  %0:3 = vs.batch_norm_gradient %x, %w, %g {epsilon = 1.0e-5} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<8x4x6xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf64>)
  return
}

// -----

func.func @batch_norm_gradient_c4(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %g: tensor<8x4x7xf32>) {
  // expected-error @+1 {{'vs.batch_norm_gradient' op gradient has size 7 in dim 2, must have 6: the shape of x}}
  %0:3 = vs.batch_norm_gradient %x, %w, %g {epsilon = 1.0e-5} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<8x4x7xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_gradient_c5(%x: tensor<8x4x6xf32>, %w: tensor<4xf32>, %g: tensor<8x4x6xf32>) {
  // expected-error @+1 {{'vs.batch_norm_gradient' op epsilon is -1, must not be negative}}
  %0:3 = vs.batch_norm_gradient %x, %w, %g {epsilon = -1.0} : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<8x4x6xf32>) -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
