// RUN: vescale-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @ops_that_change_nothing
func.func @ops_that_change_nothing(%x: tensor<8x4xf32>, %n: tensor<8x4xi32>, %p: tensor<8x4xi1>) -> (
    tensor<8x4xf32>, tensor<8x4xi32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>,
    tensor<8x4xi1>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>,
    tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NOT: vs.
  // CHECK: return %arg0, %arg1, %arg0, %arg0, %arg0, %arg0, %arg2, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
  %minus_zero = vs.constant dense<-0.0> : tensor<8x4xf32>
  %zero = vs.constant dense<0.0> : tensor<8x4xf32>
  %none = vs.constant dense<0> : tensor<8x4xi32>
  %one = vs.constant dense<1.0> : tensor<8x4xf32>
  %add = vs.add %x, %minus_zero : tensor<8x4xf32>
  %count = vs.add %none, %n : tensor<8x4xi32>
  %sub = vs.sub %x, %zero : tensor<8x4xf32>
  %mul = vs.mul %one, %x : tensor<8x4xf32>
  %div = vs.div %x, %one : tensor<8x4xf32>
  %n0 = vs.neg %x : tensor<8x4xf32>
  %neg = vs.neg %n0 : tensor<8x4xf32>
  %p0 = vs.not %p : tensor<8x4xi1>
  %not = vs.not %p0 : tensor<8x4xi1>
  %cast = vs.cast %x : tensor<8x4xf32>
  %select = vs.select %p, %x, %x : (tensor<8x4xi1>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %reshape = vs.reshape %x : tensor<8x4xf32>
  %transpose = vs.transpose %x {permutation = [0, 1]} : tensor<8x4xf32>
  %broadcast = vs.broadcast %x {dims = [0, 1]} : tensor<8x4xf32>
  %slice = vs.slice %x {starts = [0, 0], limits = [8, 4], strides = [1, 1]} : tensor<8x4xf32>
  %concat = vs.concat %x {dim = 0} : tensor<8x4xf32>
  %reverse = vs.reverse %x {dims = []} : tensor<8x4xf32>
  return %add, %count, %sub, %mul, %div, %neg, %not, %cast, %select, %reshape, %transpose, %broadcast, %slice,
      %concat, %reverse : tensor<8x4xf32>, tensor<8x4xi32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>,
      tensor<8x4xf32>, tensor<8x4xi1>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>,
      tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// The same ops, where the result has another layout: another value, so each op stays.

// CHECK-LABEL: func.func @a_fold_never_changes_a_layout
func.func @a_fold_never_changes_a_layout(%x: tensor<8x4xf32>, %n: tensor<8x4xi32>, %p: tensor<8x4xi1>) -> (
    tensor<8x4xf32, "l">, tensor<8x4xi32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">,
    tensor<8x4xf32, "l">, tensor<8x4xi1, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">,
    tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">) {
  // CHECK: %[[ADD:.*]] = vs.add
  // CHECK: %[[COUNT:.*]] = vs.add
  // CHECK: %[[SUB:.*]] = vs.sub
  // CHECK: %[[MUL:.*]] = vs.mul
  // CHECK: %[[DIV:.*]] = vs.div
  // CHECK: %[[NEG:.*]] = vs.neg
  // CHECK: %[[NEG2:.*]] = vs.neg %[[NEG]]
  // CHECK: %[[NOT:.*]] = vs.not
  // CHECK: %[[NOT2:.*]] = vs.not %[[NOT]]
  // CHECK: %[[CAST:.*]] = vs.cast
  // CHECK: %[[SELECT:.*]] = vs.select
  // CHECK: %[[RESHAPE:.*]] = vs.reshape
  // CHECK: %[[TRANSPOSE:.*]] = vs.transpose
  // CHECK: %[[BROADCAST:.*]] = vs.broadcast
  // CHECK: %[[SLICE:.*]] = vs.slice
  // CHECK: %[[CONCAT:.*]] = vs.concat
  // CHECK: %[[REVERSE:.*]] = vs.reverse
  // CHECK: return %[[ADD]], %[[COUNT]], %[[SUB]], %[[MUL]], %[[DIV]], %[[NEG2]], %[[NOT2]], %[[CAST]], %[[SELECT]], %[[RESHAPE]], %[[TRANSPOSE]], %[[BROADCAST]], %[[SLICE]], %[[CONCAT]], %[[REVERSE]]
  %minus_zero = vs.constant dense<-0.0> : tensor<8x4xf32>
  %zero = vs.constant dense<0.0> : tensor<8x4xf32>
  %none = vs.constant dense<0> : tensor<8x4xi32>
  %one = vs.constant dense<1.0> : tensor<8x4xf32>
  %add = vs.add %x, %minus_zero : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32, "l">
  %count = vs.add %none, %n : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x4xi32, "l">
  %sub = vs.sub %x, %zero : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32, "l">
  %mul = vs.mul %one, %x : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32, "l">
  %div = vs.div %x, %one : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32, "l">
  %n0 = vs.neg %x : tensor<8x4xf32>
  %neg = vs.neg %n0 : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %p0 = vs.not %p : tensor<8x4xi1>
  %not = vs.not %p0 : tensor<8x4xi1> -> tensor<8x4xi1, "l">
  %cast = vs.cast %x : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %select = vs.select %p, %x, %x : (tensor<8x4xi1>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32, "l">
  %reshape = vs.reshape %x : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %transpose = vs.transpose %x {permutation = [0, 1]} : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %broadcast = vs.broadcast %x {dims = [0, 1]} : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %slice = vs.slice %x {starts = [0, 0], limits = [8, 4], strides = [1, 1]} : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %concat = vs.concat %x {dim = 0} : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  %reverse = vs.reverse %x {dims = []} : tensor<8x4xf32> -> tensor<8x4xf32, "l">
  return %add, %count, %sub, %mul, %div, %neg, %not, %cast, %select, %reshape, %transpose, %broadcast, %slice,
      %concat, %reverse : tensor<8x4xf32, "l">, tensor<8x4xi32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">,
      tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xi1, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">,
      tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">, tensor<8x4xf32, "l">,
      tensor<8x4xf32, "l">
}

// -0.0 + 0.0 is 0.0.

// CHECK-LABEL: func.func @adding_positive_zero_is_not_nothing
func.func @adding_positive_zero_is_not_nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[SUM:.*]] = vs.add
  // CHECK: return %[[SUM]]
  %zero = vs.constant dense<0.0> : tensor<8xf32>
  %sum = vs.add %x, %zero : tensor<8xf32>
  return %sum : tensor<8xf32>
}

// CHECK-LABEL: func.func @a_shape_change_stays
func.func @a_shape_change_stays(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[T:.*]] = vs.transpose
  // CHECK: return %[[T]]
  %t = vs.transpose %x {permutation = [1, 0]} : tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @constants_of_one_layout_merge
func.func @constants_of_one_layout_merge() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32, "l">) {
  // CHECK-DAG: %[[PLAIN:.*]] = vs.constant dense<1.000000e+00> : tensor<8xf32>{{$}}
  // CHECK-DAG: %[[CUT:.*]] = vs.constant dense<1.000000e+00> : tensor<8xf32, "l">
  // CHECK: return %[[PLAIN]], %[[PLAIN]], %[[CUT]]
  %a = vs.constant dense<1.0> : tensor<8xf32>
  %b = vs.constant dense<1.0> : tensor<8xf32>
  %c = vs.constant dense<1.0> : tensor<8xf32, "l">
  return %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32, "l">
}

// CHECK-LABEL: func.func @dropout_of_nothing
func.func @dropout_of_nothing(%x: tensor<8x4xf32>, %rng: !vs.rng) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: %[[SOME:.*]] = vs.dropout
  // CHECK: return %arg0, %[[SOME]]
  %none = vs.dropout %x, %rng {rate = 0.0} : (tensor<8x4xf32>, !vs.rng) -> tensor<8x4xf32>
  %some = vs.dropout %x, %rng {rate = 0.5} : (tensor<8x4xf32>, !vs.rng) -> tensor<8x4xf32>
  return %none, %some : tensor<8x4xf32>, tensor<8x4xf32>
}
