// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @convolution_c1_x(%x: tensor<8x4xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op x has rank 2, must have 3 or 4: n, c and one or two spatial dims}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c1_weight(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op weight has rank 4, must have 3}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c1_y(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op y has rank 2, must have 3}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6xf32>)
  return
}

// -----

func.func @convolution_c2_strides(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op strides has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution %x, %w {strides = [2, 2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c2_padding(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op padding has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [2, 2], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c2_dilation(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op dilation has 0 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c3_strides(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op strides holds 0, must be at least 1}}
  %0 = vs.convolution %x, %w {strides = [0], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c3_padding(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op padding holds -1, must be at least 0}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [-1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c3_dilation(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op dilation holds 0, must be at least 1}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [0], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c3_groups(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op groups holds 0, must be at least 1}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 0} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c4(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op groups is 4, must divide the 4 input channels of x and the 6 output channels of weight}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 4} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c5(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op weight has size 4 in dim 1, must have 2: input channels / groups}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 2} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_c6(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error @+1 {{'vs.convolution' op y has size 9 in dim 2, must have 8: (n, out, windows that fit)}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> (tensor<8x6x9xf32>)
  return
}

// -----

func.func @convolution_c7(%x: tensor<8x4x16xf32>, %w: tensor<6x4x3xf64>) {
  // expected-error @+1 {{'vs.convolution' op weight has element type 'f64', must have 'f32'}}
  %0 = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<6x4x3xf64>) -> (tensor<8x6x8xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c1_x(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op x_gradient has rank 2, must have 3 or 4: n, c and one or two spatial dims}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c1_weight(%w: tensor<6x4x3x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op weight has rank 4, must have 3}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c1_y(%w: tensor<6x4x3xf32>, %g: tensor<8x6xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op gradient has rank 2, must have 3}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c2_strides(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op strides has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2, 2], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c2_padding(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op padding has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [2, 2], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c2_dilation(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op dilation has 0 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c3_strides(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op strides holds 0, must be at least 1}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [0], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c3_padding(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op padding holds -1, must be at least 0}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [-1], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c3_dilation(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op dilation holds 0, must be at least 1}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [0], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c3_groups(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op groups holds 0, must be at least 1}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 0} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c4(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op groups is 4, must divide the 4 input channels of x_gradient and the 6 output channels of weight}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 4} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c5(%w: tensor<6x4x3xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op weight has size 4 in dim 1, must have 2: input channels / groups}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 2} : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c6(%w: tensor<6x4x3xf32>, %g: tensor<8x6x9xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op gradient has size 9 in dim 2, must have 8: (n, out, windows that fit)}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3xf32>, tensor<8x6x9xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_input_gradient_c7(%w: tensor<6x4x3xf64>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_input_gradient' op weight has element type 'f64', must have 'f32'}}
  %0 = vs.convolution_input_gradient %w, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<6x4x3xf64>, tensor<8x6x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c1_x(%x: tensor<8x4xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op x has rank 2, must have 3 or 4: n, c and one or two spatial dims}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c1_weight(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op weight_gradient has rank 4, must have 3}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c1_y(%x: tensor<8x4x16xf32>, %g: tensor<8x6xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op gradient has rank 2, must have 3}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c2_strides(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op strides has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2, 2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c2_padding(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op padding has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [2, 2], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c2_dilation(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op dilation has 0 entries, must have 1: one per spatial dim}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c3_strides(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op strides holds 0, must be at least 1}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [0], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c3_padding(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op padding holds -1, must be at least 0}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [-1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c3_dilation(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op dilation holds 0, must be at least 1}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [0], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c3_groups(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op groups holds 0, must be at least 1}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 0} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c4(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op groups is 4, must divide the 4 input channels of x and the 6 output channels of weight_gradient}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 4} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c5(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op weight_gradient has size 4 in dim 1, must have 2: input channels / groups}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 2} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c6(%x: tensor<8x4x16xf32>, %g: tensor<8x6x9xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op gradient has size 9 in dim 2, must have 8: (n, out, windows that fit)}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x9xf32>) -> (tensor<6x4x3xf32>)
  return
}

// -----

func.func @convolution_weight_gradient_c7(%x: tensor<8x4x16xf32>, %g: tensor<8x6x8xf32>) {
  // expected-error @+1 {{'vs.convolution_weight_gradient' op weight_gradient has element type 'f64', must have 'f32'}}
  %0 = vs.convolution_weight_gradient %x, %g {strides = [2], padding = [1], dilation = [1], groups = 1} : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> (tensor<6x4x3xf64>)
  return
}

// -----

func.func @max_pool_c1_x(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.max_pool' op x has rank 2, must have 3 or 4: n, c and one or two spatial dims}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [0]} : (tensor<8x4xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c1_y(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op y has rank 2, must have 3}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4xf32>)
  return
}

// -----

func.func @max_pool_c2_window(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op window has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.max_pool %x {window = [2, 2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c2_strides(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op strides has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.max_pool %x {window = [2], strides = [2, 2], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c2_padding(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op padding has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [2, 2]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c3_window(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op window holds 0, must be at least 1}}
  %0 = vs.max_pool %x {window = [0], strides = [2], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c3_strides(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op strides holds 0, must be at least 1}}
  %0 = vs.max_pool %x {window = [2], strides = [0], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c3_negative(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op padding holds -1, must be at least 0}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [-1]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c3_half(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op padding holds 2 for spatial dim 0, must be at most half the window, which has 2}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [2]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf32>)
  return
}

// -----

func.func @max_pool_c4(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op y has size 7 in dim 2, must have 8: (n, c, windows that fit)}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4x7xf32>)
  return
}

// -----

func.func @max_pool_c5(%x: tensor<8x4x16xf32>) {
  // expected-error @+1 {{'vs.max_pool' op y has element type 'f64', must have 'f32'}}
  %0 = vs.max_pool %x {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>) -> (tensor<8x4x8xf64>)
  return
}

// -----

func.func @max_pool_gradient_c1_x(%x: tensor<8x4xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op x has rank 2, must have 3 or 4: n, c and one or two spatial dims}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [0]} : (tensor<8x4xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c1_y(%x: tensor<8x4x16xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op gradient has rank 2, must have 3}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c2_window(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op window has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.max_pool_gradient %x, %g {window = [2, 2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c2_strides(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op strides has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2, 2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c2_padding(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op padding has 2 entries, must have 1: one per spatial dim}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [2, 2]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c3_window(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op window holds 0, must be at least 1}}
  %0 = vs.max_pool_gradient %x, %g {window = [0], strides = [2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c3_strides(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op strides holds 0, must be at least 1}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [0], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c3_negative(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op padding holds -1, must be at least 0}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [-1]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c3_half(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op padding holds 2 for spatial dim 0, must be at most half the window, which has 2}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [2]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c4(%x: tensor<8x4x16xf32>, %g: tensor<8x4x7xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op gradient has size 7 in dim 2, must have 8: (n, c, windows that fit)}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x7xf32>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c5(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf64>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op gradient has element type 'f64', must have 'f32'}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x8xf64>) -> (tensor<8x4x16xf32>)
  return
}

// -----

func.func @max_pool_gradient_c6(%x: tensor<8x4x16xf32>, %g: tensor<8x4x8xf32>) {
  // expected-error @+1 {{'vs.max_pool_gradient' op x_gradient has size 15 in dim 2, must have 16: the shape of x}}
  %0 = vs.max_pool_gradient %x, %g {window = [2], strides = [2], padding = [0]} : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> (tensor<8x4x15xf32>)
  return
}
