// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

#mesh = #dist.mesh<["dp" = 2, "tp" = 4]>
#stage = #dist.mesh<["dp" = 2], device_ids = [2, 3]>

!whole = tensor<8x8xf32, #dist.layout<#mesh, [{}, {}]>>
!dp = tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!dp_tp = tensor<8x8xf32, #dist.layout<#mesh, [{"dp", "tp"}, {}]>>
!tp_dp = tensor<8x8xf32, #dist.layout<#mesh, [{"tp", "dp"}, {}]>>
!sum = tensor<8x8xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp", sum: "tp"]>>
!sum_tp = tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {}], partial = [sum: "tp"]>>

// CHECK-LABEL: @redistribute_to_another_mesh
func.func @redistribute_to_another_mesh(%x: !dp)
    -> tensor<8x8xf32, #dist.layout<#stage, [{}, {"dp"}]>> {
  // CHECK: dist.redistribute %{{.*}} : tensor<8x8xf32, {{.*}}> -> tensor<8x8xf32, {{.*}}>
  %y = dist.redistribute %x : !dp -> tensor<8x8xf32, #dist.layout<#stage, [{}, {"dp"}]>>
  return %y : tensor<8x8xf32, #dist.layout<#stage, [{}, {"dp"}]>>
}

// CHECK-LABEL: @gather_the_minor_axis
func.func @gather_the_minor_axis(%x: !dp_tp) -> !dp {
  // CHECK: dist.all_gather %{{.*}} {id = 3 : i64} :
  %y = dist.all_gather %x {id = 3} : !dp_tp -> !dp
  return %y : !dp
}

// CHECK-LABEL: @gather_half_of_an_axis
func.func @gather_half_of_an_axis(%x: tensor<8xf32, #dist.layout<#mesh, [{"tp"}]>>)
    -> tensor<8xf32, #dist.layout<#mesh, [{"tp":(1)2}]>> {
  %y = dist.all_gather %x : tensor<8xf32, #dist.layout<#mesh, [{"tp"}]>>
                         -> tensor<8xf32, #dist.layout<#mesh, [{"tp":(1)2}]>>
  return %y : tensor<8xf32, #dist.layout<#mesh, [{"tp":(1)2}]>>
}

// CHECK-LABEL: @gather_a_ragged_tensor
func.func @gather_a_ragged_tensor(
    %x: tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], ragged = {"dp", dims = 2, units = [5, 7]}>>)
    -> tensor<4x6xf32, #dist.layout<#mesh, [{}, {}]>> {
  %y = dist.all_gather %x
      : tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], ragged = {"dp", dims = 2, units = [5, 7]}>>
     -> tensor<4x6xf32, #dist.layout<#mesh, [{}, {}]>>
  return %y : tensor<4x6xf32, #dist.layout<#mesh, [{}, {}]>>
}

// CHECK-LABEL: @slice_then_gather
func.func @slice_then_gather(%x: !whole) -> !whole {
  // CHECK: dist.slice
  %y = dist.slice %x : !whole -> !tp_dp
  // CHECK: dist.all_gather
  %z = dist.all_gather %y : !tp_dp -> !whole
  return %z : !whole
}

// CHECK-LABEL: @move_an_axis_between_dims
func.func @move_an_axis_between_dims(%x: !dp_tp)
    -> tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {"tp"}]>> {
  %y = dist.all_to_all %x : !dp_tp -> tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {"tp"}]>>
  return %y : tensor<8x8xf32, #dist.layout<#mesh, [{"dp"}, {"tp"}]>>
}

// CHECK-LABEL: @reorder_axes
func.func @reorder_axes(%x: !dp_tp) -> !tp_dp {
  %y = dist.permute %x : !dp_tp -> !tp_dp
  return %y : !tp_dp
}

// CHECK-LABEL: @reduce_one_axis_and_scatter_the_other
func.func @reduce_one_axis_and_scatter_the_other(%x: !sum) -> !dp {
  %y = dist.reduce_scatter %x : !sum -> !sum_tp
  %z = dist.all_reduce %y : !sum_tp -> !dp
  return %z : !dp
}

// CHECK-LABEL: @reduce_scatter_into_a_ragged_tensor
func.func @reduce_scatter_into_a_ragged_tensor(
    %x: tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>>)
    -> tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], ragged = {"dp", dims = 2, units = [5, 7]}>> {
  %y = dist.reduce_scatter %x
      : tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>>
     -> tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], ragged = {"dp", dims = 2, units = [5, 7]}>>
  return %y
      : tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], ragged = {"dp", dims = 2, units = [5, 7]}>>
}

// CHECK-LABEL: @a_cut_becomes_partial
func.func @a_cut_becomes_partial(%x: !dp_tp) -> !sum_tp {
  %y = dist.to_partial %x : !dp_tp -> !sum_tp
  return %y : !sum_tp
}

// CHECK-LABEL: @undo_an_interleaved_cut
func.func @undo_an_interleaved_cut(%x: tensor<12xf32, #dist.layout<#mesh, [{"dp" / 3}]>>)
    -> tensor<12xf32, #dist.layout<#mesh, [{"dp"}]>> {
  %y = dist.exchange %x : tensor<12xf32, #dist.layout<#mesh, [{"dp" / 3}]>>
                       -> tensor<12xf32, #dist.layout<#mesh, [{"dp"}]>>
  return %y : tensor<12xf32, #dist.layout<#mesh, [{"dp"}]>>
}

// CHECK-LABEL: @start_a_bucket_and_wait
func.func @start_a_bucket_and_wait(%x: !dp_tp, %y: tensor<16xf32, #dist.layout<#mesh, [{"tp"}]>>)
    -> (!dp, tensor<16xf32, #dist.layout<#mesh, [{}]>>) {
  // CHECK: %[[F:.*]]:2 = dist.start "all_gather" %{{.*}}, %{{.*}} {id = 0 : i64} : (
  %f:2 = dist.start "all_gather" %x, %y {id = 0}
      : (!dp_tp, tensor<16xf32, #dist.layout<#mesh, [{"tp"}]>>)
     -> (!dist.future<!dp>, !dist.future<tensor<16xf32, #dist.layout<#mesh, [{}]>>>)
  // CHECK: dist.wait %[[F]]#0 : !dist.future<tensor<8x8xf32
  %z = dist.wait %f#0 : !dist.future<!dp>
  %w = dist.wait %f#1 : !dist.future<tensor<16xf32, #dist.layout<#mesh, [{}]>>>
  return %z, %w : !dp, tensor<16xf32, #dist.layout<#mesh, [{}]>>
}
