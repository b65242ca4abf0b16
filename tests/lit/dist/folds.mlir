// RUN: vescale-opt %s -canonicalize -cse | FileCheck %s

#mesh = #dist.mesh<["x" = 2, "one" = 1]>

!cut = tensor<8xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<8xf32, #dist.layout<#mesh, [{}]>>

// CHECK-LABEL: @redistribute_to_the_same_layout_vanishes
// CHECK-SAME: %[[X:.*]]: tensor
func.func @redistribute_to_the_same_layout_vanishes(%x: !cut) -> !cut {
  // CHECK-NEXT: return %[[X]]
  %y = dist.redistribute %x : !cut -> !cut
  return %y : !cut
}

// CHECK-LABEL: @redistribute_to_another_layout_stays
func.func @redistribute_to_another_layout_stays(%x: !cut) -> !whole {
  // CHECK: dist.redistribute
  %y = dist.redistribute %x : !cut -> !whole
  return %y : !whole
}

// CHECK-LABEL: @index_on_an_axis_of_size_one_is_zero
func.func @index_on_an_axis_of_size_one_is_zero() -> (index, index) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[X:.*]] = dist.axis_index {axis = "x"
  // CHECK: return %[[ZERO]], %[[X]]
  %zero = dist.axis_index {mesh = #mesh, axis = "one"} : index
  %x = dist.axis_index {mesh = #mesh, axis = "x"} : index
  return %zero, %x : index, index
}

// CHECK-LABEL: @equal_gathers_are_one
func.func @equal_gathers_are_one(%x: !cut) -> (!whole, !whole) {
  // CHECK: %[[Y:.*]] = dist.all_gather
  // CHECK-NOT: dist.all_gather
  // CHECK: return %[[Y]], %[[Y]]
  %a = dist.all_gather %x : !cut -> !whole
  %b = dist.all_gather %x : !cut -> !whole
  return %a, %b : !whole, !whole
}

// CHECK-LABEL: @unused_gather_vanishes_and_messages_stay
func.func @unused_gather_vanishes_and_messages_stay(%x: !cut) {
  // CHECK-NOT: dist.all_gather
  // CHECK: dist.send
  // CHECK: dist.recv
  %a = dist.all_gather %x : !cut -> !whole
  dist.send %x {peer = 1} : !cut
  %b = dist.recv {peer = 1} : !cut
  return
}
