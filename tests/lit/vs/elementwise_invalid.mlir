// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @unary_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.exp' op result #0 has size 5 in dim 1, but operand #0 has 4}}
  %0 = vs.exp %x : tensor<8x4xf32> -> tensor<8x5xf32>
  return
}

// -----

func.func @unary_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.exp' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.exp %x : tensor<8x4xf32> -> tensor<8x4xf64>
  return
}

// -----

func.func @gelu_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.gelu' op result #0 has rank 1, but operand #0 has rank 2}}
  %0 = vs.gelu %x : tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @gelu_c2(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.gelu' op result #0 has element type 'bf16', but operand #0 has 'f32'}}
  %0 = vs.gelu %x {approximate} : tensor<8x4xf32> -> tensor<8x4xbf16>
  return
}

// -----

func.func @exp_of_integers(%x: tensor<8xi32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of floating-point numbers, but got 'tensor<8xi32>'}}
  %0 = vs.exp %x : tensor<8xi32>
  return
}

// -----

func.func @shapes_are_static(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor}}
  %0 = vs.neg %x : tensor<?xf32>
  return
}

// -----

func.func @is_finite_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.is_finite' op result #0 has size 7 in dim 0, but operand #0 has 8}}
  %0 = vs.is_finite %x : tensor<8x4xf32> -> tensor<7x4xi1>
  return
}

// -----

func.func @cast_c1(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.cast' op result #0 has size 7 in dim 0, but operand #0 has 8}}
  %0 = vs.cast %x : tensor<8x4xf32> -> tensor<7x4xbf16>
  return
}

// -----

func.func @binary_c1(%a: tensor<8x4xf32>, %b: tensor<8x1xf32>) {
  // expected-error @+1 {{'vs.add' op operand #1 has size 1 in dim 1, but operand #0 has 4}}
  %0 = vs.add %a, %b : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @binary_c2(%a: tensor<8xf32>, %b: tensor<8xbf16>) {
  // expected-error @+1 {{'vs.mul' op operand #1 has element type 'bf16', but operand #0 has 'f32'}}
  %0 = vs.mul %a, %b : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
  return
}

// -----

func.func @compare_c1(%a: tensor<8xf32>) {
  // expected-error @+1 {{'vs.compare' op result #0 has size 9 in dim 0, but operand #0 has 8}}
  %0 = vs.compare lt %a, %a : (tensor<8xf32>, tensor<8xf32>) -> tensor<9xi1>
  return
}

// -----

func.func @compare_c2(%a: tensor<8xf32>, %b: tensor<8xi32>) {
  // expected-error @+1 {{'vs.compare' op rhs has element type 'i32', must have 'f32': the element type of lhs}}
  %0 = vs.compare lt %a, %b : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xi1>
  return
}

// -----

func.func @compare_predicate(%a: tensor<8xf32>) {
  // expected-error @+1 {{'near' is not a predicate of vs.compare}}
  %0 = vs.compare near %a, %a : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  return
}

// -----

func.func @select_c1(%p: tensor<i1>, %a: tensor<8xf32>) {
  // expected-error @+1 {{'vs.select' op operand #1 has rank 1, but operand #0 has rank 0}}
  %0 = vs.select %p, %a, %a : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<8xi1>, %a: tensor<8xf32>, %b: tensor<8xf64>) {
  // expected-error @+1 {{'vs.select' op on_false has element type 'f64', must have 'f32': the element type of on_true}}
  %0 = vs.select %p, %a, %b : (tensor<8xi1>, tensor<8xf32>, tensor<8xf64>) -> tensor<8xf32>
  return
}

// -----

func.func @select_c2_result(%p: tensor<8xi1>, %a: tensor<8xf32>) {
  // expected-error @+1 {{'vs.select' op result has element type 'f64', must have 'f32': the element type of on_true}}
  %0 = vs.select %p, %a, %a : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf64>
  return
}

// -----

func.func @clamp_c1(%x: tensor<8xf32>, %low: tensor<f32>) {
  // expected-error @+1 {{'vs.clamp' op operand #1 has rank 0, but operand #0 has rank 1}}
  %0 = vs.clamp %x, %low, %low : (tensor<8xf32>, tensor<f32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @clamp_c2(%x: tensor<8xf32>, %low: tensor<8xf64>) {
  // expected-error @+1 {{'vs.clamp' op operand #1 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.clamp %x, %low, %low : (tensor<8xf32>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf32>
  return
}

// -----

func.func @an_arrow_needs_parentheses_for_two_operands(%a: tensor<8xf32>) {
  // expected-error @+1 {{has 2 operands: give all their types in parentheses before '->'}}
  %0 = vs.add %a, %a : tensor<8xf32> -> tensor<8xf32>
  return
}
