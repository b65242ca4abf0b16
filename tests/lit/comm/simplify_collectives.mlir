// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-simplify-collectives))' | FileCheck %s

#mesh = #dist.mesh<["dp" = 2, "tp" = 4]>
!whole = tensor<16x8xf32, #dist.layout<#mesh, [{}, {}]>>
!dp = tensor<16x8xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!both = tensor<16x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {}]>>
!tp1 = tensor<16x8xf32, #dist.layout<#mesh, [{}, {"tp"}]>>
!tp0 = tensor<16x8xf32, #dist.layout<#mesh, [{"tp"}, {}]>>
!partial = tensor<16x8xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "tp"]>>

// CHECK-LABEL: func.func @slice_of_gather_cancels
// CHECK-NEXT: return %arg0
func.func @slice_of_gather_cancels(%x: !dp) -> !dp {
  %a = dist.all_gather %x {id = 0} : !dp -> !whole
  %b = dist.slice %a {id = 1} : !whole -> !dp
  return %b : !dp
}

// CHECK-LABEL: func.func @gather_of_slice_cancels
// CHECK-NEXT: return %arg0
func.func @gather_of_slice_cancels(%x: !whole) -> !whole {
  %a = dist.slice %x {id = 0} : !whole -> !both
  %b = dist.all_gather %a {id = 1} : !both -> !whole
  return %b : !whole
}

// The gather has another user and stays; its slice is the operand nevertheless.
// CHECK-LABEL: func.func @slice_of_used_gather_cancels
// CHECK-NEXT: %[[A:.*]] = dist.all_gather %arg0 {id = 0 : i64}
// CHECK-NEXT: return %[[A]], %arg0
func.func @slice_of_used_gather_cancels(%x: !dp) -> (!whole, !dp) {
  %a = dist.all_gather %x {id = 0} : !dp -> !whole
  %b = dist.slice %a {id = 1} : !whole -> !dp
  return %a, %b : !whole, !dp
}

// CHECK-LABEL: func.func @gathers_over_two_axes_merge
// CHECK-NEXT: %[[A:.*]] = dist.all_gather %arg0 {id = 1 : i64} : tensor<16x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {}]>> -> tensor<16x8xf32, #dist.layout<#mesh, [{}, {}]>>
// CHECK-NEXT: return %[[A]]
func.func @gathers_over_two_axes_merge(%x: !both) -> !whole {
  %a = dist.all_gather %x {id = 0} : !both -> !dp
  %b = dist.all_gather %a {id = 1} : !dp -> !whole
  return %b : !whole
}

// Two steps, from one cut to another by way of the whole, are one move that sends less.
// CHECK-LABEL: func.func @gather_and_slice_become_a_move
// CHECK-NEXT: %[[A:.*]] = dist.all_to_all %arg0 {id = 1 : i64}
// CHECK-NEXT: return %[[A]]
func.func @gather_and_slice_become_a_move(%x: !tp0) -> !tp1 {
  %a = dist.all_gather %x {id = 0} : !tp0 -> !whole
  %b = dist.slice %a {id = 1} : !whole -> !tp1
  return %b : !tp1
}

// Summing at once only what is kept sends half as much.
// CHECK-LABEL: func.func @slice_of_sum_becomes_reduce_scatter
// CHECK-NEXT: %[[A:.*]] = dist.reduce_scatter %arg0 {id = 1 : i64}
// CHECK-NEXT: return %[[A]]
func.func @slice_of_sum_becomes_reduce_scatter(%x: !partial) -> !tp0 {
  %a = dist.all_reduce %x {id = 0} : !partial -> !whole
  %b = dist.slice %a {id = 1} : !whole -> !tp0
  return %b : !tp0
}

// The sum is needed whole anyway, so its slice is free, and a second reduction would not be.
// CHECK-LABEL: func.func @slice_of_used_sum_stays
// CHECK-NEXT: %[[A:.*]] = dist.all_reduce %arg0 {id = 0 : i64}
// CHECK-NEXT: %[[B:.*]] = dist.slice %[[A]] {id = 1 : i64}
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @slice_of_used_sum_stays(%x: !partial) -> (!whole, !tp0) {
  %a = dist.all_reduce %x {id = 0} : !partial -> !whole
  %b = dist.slice %a {id = 1} : !whole -> !tp0
  return %a, %b : !whole, !tp0
}

// CHECK-LABEL: func.func @equal_gathers_are_one
// CHECK-NEXT: %[[A:.*]] = dist.all_gather %arg0 {id = 0 : i64}
// CHECK-NEXT: return %[[A]], %[[A]]
func.func @equal_gathers_are_one(%x: !dp) -> (!whole, !whole) {
  %a = dist.all_gather %x {id = 0} : !dp -> !whole
  %b = dist.all_gather %x {id = 1} : !dp -> !whole
  return %a, %b : !whole, !whole
}

// CHECK-LABEL: func.func @unused_chains_go
// CHECK-NEXT: return %arg0
func.func @unused_chains_go(%x: !both) -> !both {
  %a = dist.all_gather %x {id = 0} : !both -> !dp
  %b = dist.all_to_all %a {id = 1} : !dp -> tensor<16x8xf32, #dist.layout<#mesh, [{}, {"dp"}]>>
  return %x : !both
}
