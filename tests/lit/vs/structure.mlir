// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @a_region_names_its_operands
func.func @a_region_names_its_operands(%x: tensor<8x4xf32>, %z: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: %[[F:.*]] = vs.fused (%[[A:.*]] = %{{.*}} : tensor<8x4xf32>, %[[B:.*]] = %{{.*}} : tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[S:.*]] = vs.add %[[A]], %[[B]] : tensor<8x4xf32>
  // CHECK-NEXT: vs.yield %[[S]] : tensor<8x4xf32>
  %f = vs.fused (%a = %x : tensor<8x4xf32>, %b = %z : tensor<8x4xf32>) -> (tensor<8x4xf32>) {
    %s = vs.add %a, %b : tensor<8x4xf32>
    vs.yield %s : tensor<8x4xf32>
  }
  // CHECK: vs.recompute (%{{.*}} = %[[F]] : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {note = "kept"} {
  %r = vs.recompute (%a = %f : tensor<8x4xf32>) -> tensor<8x4xf32> attributes {note = "kept"} {
    %t = vs.tanh %a : tensor<8x4xf32>
    vs.yield %t : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @a_loop_carries_values_and_has_invariants
func.func @a_loop_carries_values_and_has_invariants(%x: tensor<4xf32>, %i: tensor<i32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  // CHECK: %{{.*}}:2 = vs.repeat 12 (%{{.*}} = %{{.*}} : tensor<4xf32>, %{{.*}} = %{{.*}} : tensor<i32>) invariant (%{{.*}} = %{{.*}} : tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %r:2 = vs.repeat 12 (%a = %x : tensor<4xf32>, %n = %i : tensor<i32>) invariant (%b = %w : tensor<4xf32>)
      -> (tensor<4xf32>, tensor<i32>) {
    %s = vs.add %a, %b : tensor<4xf32>
    vs.yield %s, %n : tensor<4xf32>, tensor<i32>
  }
  // CHECK: vs.repeat 2 (%{{.*}} = %{{.*}}#0 : tensor<4xf32>) -> tensor<4xf32> {
  %q = vs.repeat 2 (%a = %r#0 : tensor<4xf32>) -> tensor<4xf32> {
    vs.yield %a : tensor<4xf32>
  }
  return %q, %r#1 : tensor<4xf32>, tensor<i32>
}
