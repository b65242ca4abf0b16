// RUN: vescale-opt %s -verify-diagnostics -split-input-file

func.func @tag_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.tag' op name must not be empty}}
  %0 = vs.tag %x {name = ""} : tensor<8xf32>
  return
}

// -----

func.func @tag_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.tag' op result #0 has size 7 in dim 0, but operand #0 has 8}}
  %0 = vs.tag %x {name = "x"} : tensor<8xf32> -> tensor<7xf32>
  return
}

// -----

func.func @tag_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.tag' op result #0 has element type 'f64', but operand #0 has 'f32'}}
  %0 = vs.tag %x {name = "x"} : tensor<8xf32> -> tensor<8xf64>
  return
}

// -----

func.func @recompute_c1_count(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.recompute' op has 0 body arguments, but 1 operands}}
  %0 = "vs.recompute"(%x) ({
    %1 = vs.iota {dim = 0} : tensor<8xf32>
    vs.yield %1 : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @recompute_c1_layout(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.recompute' op has type 'tensor<8xf32, "layout">' at #0 of the body arguments, but 'tensor<8xf32>' at the operands}}
  %0 = "vs.recompute"(%x) ({
  ^bb0(%a: tensor<8xf32, "layout">):
    vs.yield %a : tensor<8xf32, "layout">
  }) : (tensor<8xf32>) -> tensor<8xf32, "layout">
  return
}

// -----

func.func @recompute_c2_count(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.recompute' op has 2 yielded values, but 1 results}}
  %0 = vs.recompute (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    vs.yield %a, %a : tensor<8xf32>, tensor<8xf32>
  }
  return
}

// -----

func.func @recompute_c2_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.recompute' op has type 'tensor<8xf32>' at #0 of the yielded values, but 'tensor<7xf32>' at the results}}
  %0 = vs.recompute (%a = %x : tensor<8xf32>) -> tensor<7xf32> {
    vs.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @fused_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.fused' op has 0 body arguments, but 1 operands}}
  %0 = "vs.fused"(%x) ({
    %1 = vs.iota {dim = 0} : tensor<8xf32>
    vs.yield %1 : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fused_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.fused' op has 0 yielded values, but 1 results}}
  %0 = vs.fused (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    vs.yield
  }
  return
}

// -----

func.func @a_region_is_isolated(%x: tensor<8xf32>) {
  %0 = vs.fused (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{use of undeclared SSA value name}}
    %1 = vs.neg %x : tensor<8xf32>
    vs.yield %1 : tensor<8xf32>
  }
  return
}

// -----

func.func @repeat_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.repeat' op count holds -1, must be at least 0}}
  %0 = vs.repeat -1 (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    vs.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @repeat_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.repeat' op has 1 body arguments, but 2 operands}}
  %0 = "vs.repeat"(%x, %x) <{count = 2 : i64, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<8xf32>):
    vs.yield %a : tensor<8xf32>
  }) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @repeat_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.repeat' op has type 'tensor<8xf64>' at #0 of the yielded values, but 'tensor<8xf32>' at the carried values}}
  %0 = vs.repeat 2 (%a = %x : tensor<8xf32>) -> tensor<8xf32> {
    %1 = vs.cast %a : tensor<8xf32> -> tensor<8xf64>
    vs.yield %1 : tensor<8xf64>
  }
  return
}

// -----

func.func @repeat_c4(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.repeat' op has type 'tensor<8xf64>' at #0 of the results, but 'tensor<8xf32>' at the carried values}}
  %0 = vs.repeat 2 (%a = %x : tensor<8xf32>) -> tensor<8xf64> {
    vs.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @yield_stands_in_a_region_of_vs(%x: tensor<8xf32>) {
  // expected-error @+1 {{'vs.yield' op expects parent op to be one of 'vs.recompute, vs.repeat, vs.fused'}}
  vs.yield %x : tensor<8xf32>
}
