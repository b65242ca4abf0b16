// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions))' | FileCheck %s

#mesh = #dist.mesh<["dp" = 2, "tp" = 2]>
!whole = tensor<8x8xf32, #dist.layout<#mesh, [{}, {}]>>
!rows = tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!columns = tensor<8x8xf32, #dist.layout<#mesh, [{}, {"dp"}]>>
!both = tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {}]>>
!sum = tensor<8x8xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>>

// CHECK-LABEL: @each_kind
func.func @each_kind(%x: !rows, %s: !sum) -> (!whole, !columns, !both, !whole, !rows) {
  // CHECK-NOT: dist.redistribute
  // CHECK: dist.all_gather %arg0 {id = 0 : i64}
  %a = dist.redistribute %x : !rows -> !whole
  // CHECK: dist.all_to_all %arg0 {id = 1 : i64}
  %b = dist.redistribute %x : !rows -> !columns
  // CHECK: dist.slice %arg0 {id = 2 : i64}
  %c = dist.redistribute %x : !rows -> !both
  // CHECK: dist.all_reduce %arg1 {id = 3 : i64}
  %d = dist.redistribute %s : !sum -> !whole
  // CHECK: dist.reduce_scatter %arg1 {id = 4 : i64}
  %e = dist.redistribute %s : !sum -> !rows
  return %a, %b, %c, %d, %e : !whole, !columns, !both, !whole, !rows
}

// A redistribution that is done twice is planned and executed once.
// CHECK-LABEL: @common_steps_are_done_once
func.func @common_steps_are_done_once(%x: !rows) -> (!whole, !whole) {
  // CHECK: %[[Y:.*]] = dist.all_gather
  // CHECK-NEXT: return %[[Y]], %[[Y]]
  %a = dist.redistribute %x : !rows -> !whole
  %b = dist.redistribute %x : !rows -> !whole
  return %a, %b : !whole, !whole
}

// Truth values have no sum: on the way they are joined by `or`.
// CHECK-LABEL: @truth_values
func.func @truth_values(%x: tensor<2xi1, #dist.layout<#mesh, [{"dp" by 2}]>>) -> tensor<2xi1, #dist.layout<#mesh, [{"dp"}]>> {
  // CHECK: dist.to_partial {{.*}} partial = [or: "dp"]
  // CHECK: dist.reduce_scatter
  %0 = dist.redistribute %x : tensor<2xi1, #dist.layout<#mesh, [{"dp" by 2}]>> -> tensor<2xi1, #dist.layout<#mesh, [{"dp"}]>>
  return %0 : tensor<2xi1, #dist.layout<#mesh, [{"dp"}]>>
}
