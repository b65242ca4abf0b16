// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @c1_form(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op spec "bi,oi" must read "lhs,rhs->out"}}
  %0 = vs.einsum "bi,oi" %x, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @c1_letters(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op spec "b1,o1->bo" has "1" in lhs "b1"; dims are letters}}
  %0 = vs.einsum "b1,o1->bo" %x, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @c2(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{'vs.einsum' op spec "bb,ob->bo" has the letter "b" twice in lhs "bb"}}
  %0 = vs.einsum "bb,ob->bo" %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @c3(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op spec "bi,oi->boz" has the letter "z" in the output, but in no input}}
  %0 = vs.einsum "bi,oi->boz" %x, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8x1xf32>
  return
}

// -----

func.func @c4(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op spec "bi,oi->b" has the letter "o" in rhs only; reduce that dim first}}
  %0 = vs.einsum "bi,oi->b" %x, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @c5_operand(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'vs.einsum' op rhs has rank 1, but spec has 2 letters "oi" for it}}
  %0 = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @c5_result(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op result has rank 1, but spec has 2 letters "bo" for it}}
  %0 = vs.einsum "bi,oi->bo" %x, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @c6_contracted(%x: tensor<8x4xf32>, %w: tensor<2x5xf32>) {
  // expected-error @+1 {{'vs.einsum' op rhs has size 5 in dim 1 "i", but lhs has 4}}
  %0 = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<2x5xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @c6_result(%x: tensor<8x4xf32>, %w: tensor<2x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op result has size 3 in dim 1 "o", but rhs has 2}}
  %0 = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @c7(%x: tensor<8x4xf32>, %w: tensor<2x4xbf16>) {
  // expected-error @+1 {{'vs.einsum' op rhs has element type 'bf16', must have 'f32': the element type of lhs}}
  %0 = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<2x4xbf16>) -> tensor<8x2xf32>
  return
}

// -----

func.func @c8(%x: tensor<8x4xf32>, %w: tensor<2x4xf32>) {
  // expected-error @+1 {{'vs.einsum' op result has element type 'f64', must have 'f32': the element type of lhs}}
  %0 = vs.einsum "bi,oi->bo" %x, %w : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x2xf64>
  return
}
