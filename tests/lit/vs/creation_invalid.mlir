// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @constant_c1_shape() {
  // expected-error @+1 {{'vs.constant' op result has size 3 in dim 0, must have 2: the shape of value}}
  %0 = "vs.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @constant_c1_element_type() {
  // expected-error @+1 {{'vs.constant' op result has element type 'f64', must have 'f32': the element type of value}}
  %0 = "vs.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf64>
  return
}

// -----

func.func @constant_c2() {
  // expected-error @+1 {{'vs.constant' op value has type 'tensor<2xf32, "layout">', must be a tensor without a layout}}
  %0 = "vs.constant"() {value = dense<0.0> : tensor<2xf32, "layout">} : () -> tensor<2xf32, "layout">
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{'vs.iota' op dim holds 1, but result has rank 1}}
  %0 = vs.iota {dim = 1} : tensor<8xi32>
  return
}

// -----

func.func @random_c1(%rng: !vs.rng) {
  // expected-error @+1 {{'vs.random' op draw_id holds -1, must be at least 0}}
  %0 = vs.random %rng {distribution = #vs.normal<1.0>, draw_id = -1} : !vs.rng -> tensor<8xf32>
  return
}

// -----

func.func @random_needs_a_distribution(%rng: !vs.rng) {
  // expected-error @+1 {{#vs.normal or #vs.uniform}}
  %0 = vs.random %rng {distribution = #vs.zeros} : !vs.rng -> tensor<8xf32>
  return
}

// -----

// expected-error @+1 {{normal's standard deviation must be finite and not negative, is -1.000000e+00}}
func.func @normal_c1(%rng: !vs.rng) attributes {a = #vs.normal<-1.0>} {
  return
}

// -----

// expected-error @+1 {{uniform needs finite bounds, the low one not above the high one, has 1.000000e+00 : f64 and 0.000000e+00}}
func.func @uniform_c1() attributes {a = #vs.uniform<1.0, 0.0>} {
  return
}

// -----

// expected-error @+1 {{from_file needs a path, has the empty string}}
func.func @from_file_c1() attributes {a = #vs.from_file<"">} {
  return
}

// -----

func.func @random_at_c1(%rng: !vs.rng, %positions: tensor<2x4xi64>) {
  // expected-error @+1 {{'vs.random_at' op draw_id holds -1, must be at least 0}}
  %0 = vs.random_at %rng, %positions {distribution = #vs.normal<1.0>, draw_id = -1} : (!vs.rng, tensor<2x4xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @random_at_c2(%rng: !vs.rng, %positions: tensor<2x4xi64>) {
  // expected-error @+1 {{'vs.random_at' op result #0 has size 5 in dim 1, but operand #1 has 4}}
  %0 = vs.random_at %rng, %positions {distribution = #vs.normal<1.0>} : (!vs.rng, tensor<2x4xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @from_index_takes_an_index(%i: i64) {
  // expected-error @+1 {{operand #0 must be index}}
  %0 = vs.from_index %i : i64 -> tensor<i64>
  return
}
