// RUN: vescale-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(dist-bucket{memory-budget=100000000}))' | FileCheck %s
// RUN: vescale-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(dist-bucket{cluster=%S/clusters/slow.json}))' | FileCheck %s --check-prefix=LINKS

#mesh = #dist.mesh<["slow" = 2, "quick" = 2]>
!cut = tensor<1024x64xf32, #dist.layout<#mesh, [{"slow"}, {}]>>
!whole = tensor<1024x64xf32, #dist.layout<#mesh, [{}, {}]>>
!quick = tensor<1024x64xf32, #dist.layout<#mesh, [{"quick"}, {}]>>
!small = tensor<16xf32, #dist.layout<#mesh, [{"slow"}]>>
!all = tensor<16xf32, #dist.layout<#mesh, [{}]>>

// Needed by one op, so waiting for one launch is shorter than for two.
// CHECK-LABEL: func.func @needed_together
// CHECK: %[[F:.*]]:2 = dist.start "all_gather" %arg0, %arg1 {id = 0 : i64}
// CHECK-NEXT: %[[A:.*]] = dist.wait %[[F]]#0
// CHECK-NEXT: %[[B:.*]] = dist.wait %[[F]]#1
// CHECK-NEXT: vs.fused (%{{.*}} = %[[A]] : {{.*}}, %{{.*}} = %[[B]]
func.func @needed_together(%x: !cut, %y: !cut) -> !whole {
  %a = dist.all_gather %x {id = 0} : !cut -> !whole
  %b = dist.all_gather %y {id = 1} : !cut -> !whole
  %r = vs.fused (%p = %a : !whole, %q = %b : !whole) -> (!whole) {
    %s = vs.add %p, %q : !whole
    vs.yield %s : !whole
  }
  return %r : !whole
}

// While one op computes with the first, the second can still be moved: bytes take longer than a launch. Over links
// where a launch takes longer than anything, one launch is better.
// CHECK-LABEL: func.func @large_ones_come_apart
// CHECK: dist.all_gather %arg0 {id = 0 : i64}
// CHECK: vs.fused
// CHECK: dist.all_gather %arg1 {id = 1 : i64}
// LINKS-LABEL: func.func @large_ones_come_apart
// LINKS: dist.start "all_gather" %arg0, %arg1 {id = 0 : i64}
func.func @large_ones_come_apart(%x: !cut, %y: !cut) -> (!whole, !whole) {
  %a = dist.all_gather %x {id = 0} : !cut -> !whole
  %r = vs.fused (%p = %a : !whole) -> (!whole) {
    %s = vs.exp %p : !whole
    vs.yield %s : !whole
  }
  %b = dist.all_gather %y {id = 1} : !cut -> !whole
  %t = vs.fused (%p = %b : !whole) -> (!whole) {
    %s = vs.exp %p : !whole
    vs.yield %s : !whole
  }
  return %r, %t : !whole, !whole
}

// The bytes of a small one cost less than its launch.
// CHECK-LABEL: func.func @small_ones_join
// CHECK: dist.start "all_gather" %arg0, %arg1 {id = 0 : i64}
func.func @small_ones_join(%x: !small, %y: !small) -> (!all, !all) {
  %a = dist.all_gather %x {id = 0} : !small -> !all
  %r = vs.fused (%p = %a : !all) -> (!all) {
    %s = vs.exp %p : !all
    vs.yield %s : !all
  }
  %b = dist.all_gather %y {id = 1} : !small -> !all
  %t = vs.fused (%p = %b : !all) -> (!all) {
    %s = vs.exp %p : !all
    vs.yield %s : !all
  }
  return %r, %t : !all, !all
}

// One needs what is computed with the other.
// CHECK-LABEL: func.func @dependent_ones_stay_apart
// CHECK-NOT: dist.start
func.func @dependent_ones_stay_apart(%x: !small) -> !all {
  %a = dist.all_gather %x {id = 0} : !small -> !all
  %r = vs.fused (%p = %a : !all) -> (!all) {
    %s = vs.exp %p : !all
    vs.yield %s : !all
  }
  %c = dist.slice %r {id = 1} : !all -> !small
  %b = dist.all_gather %c {id = 2} : !small -> !all
  return %b : !all
}

// CHECK-LABEL: func.func @axes_kinds_and_types_differ
// CHECK-NOT: dist.start
func.func @axes_kinds_and_types_differ(%x: !cut, %y: !quick, %z: tensor<1024x64xf64, #dist.layout<#mesh, [{"slow"}, {}]>>)
    -> (!whole, !whole, tensor<1024x64xf64, #dist.layout<#mesh, [{}, {}]>>, tensor<1024x64xf32, #dist.layout<#mesh, [{}, {"slow"}]>>) {
  %a = dist.all_gather %x {id = 0} : !cut -> !whole
  %b = dist.all_gather %y {id = 1} : !quick -> !whole
  %c = dist.all_gather %z {id = 2} : tensor<1024x64xf64, #dist.layout<#mesh, [{"slow"}, {}]>>
                                   -> tensor<1024x64xf64, #dist.layout<#mesh, [{}, {}]>>
  %d = dist.all_to_all %x {id = 3} : !cut -> tensor<1024x64xf32, #dist.layout<#mesh, [{}, {"slow"}]>>
  return %a, %b, %c, %d : !whole, !whole, tensor<1024x64xf64, #dist.layout<#mesh, [{}, {}]>>, tensor<1024x64xf32, #dist.layout<#mesh, [{}, {"slow"}]>>
}

// -----

#mesh = #dist.mesh<["slow" = 2]>
!rows = tensor<16x64xf32, #dist.layout<#mesh, [{"slow"}, {}]>>
!columns = tensor<16x64xf32, #dist.layout<#mesh, [{}, {"slow"}]>>
!whole = tensor<16x64xf32, #dist.layout<#mesh, [{}, {}]>>

// The member that is needed first decides where a bucket stands, and what another member is made from comes before.
// CHECK-LABEL: func.func @chains_stand_before_their_bucket
// CHECK: vs.exp
// CHECK: %[[R:.*]] = dist.all_to_all %arg1 {id = 1 : i64}
// CHECK-NEXT: %[[F:.*]]:2 = dist.start "all_gather" %{{.*}}, %[[R]] {id = 0 : i64}
// CHECK: vs.neg
// CHECK: vs.tanh
func.func @chains_stand_before_their_bucket(%x: !rows, %y: !columns) -> (!whole, !whole) {
  %v = vs.fused (%p = %x : !rows) -> (!rows) {
    %s = vs.exp %p : !rows
    vs.yield %s : !rows
  }
  %a = dist.all_gather %v {id = 0} : !rows -> !whole
  %r = vs.fused (%p = %a : !whole) -> (!whole) {
    %s = vs.neg %p : !whole
    vs.yield %s : !whole
  }
  %h = dist.all_to_all %y {id = 1} : !columns -> !rows
  %b = dist.all_gather %h {id = 2} : !rows -> !whole
  %t = vs.fused (%p = %b : !whole) -> (!whole) {
    %s = vs.tanh %p : !whole
    vs.yield %s : !whole
  }
  return %r, %t : !whole, !whole
}
