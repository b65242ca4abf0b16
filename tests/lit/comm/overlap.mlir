// RUN: vescale-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(dist-overlap,dist-verify-communication))' | FileCheck %s
// RUN: vescale-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(dist-overlap{memory-budget=100000000}))' | FileCheck %s --check-prefix=BUDGET

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<1024x64xf32, #dist.layout<#mesh, [{"x"}, {}]>>
!whole = tensor<1024x64xf32, #dist.layout<#mesh, [{}, {}]>>
!partial = tensor<1024x64xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "x"]>>

// The second gather starts beside the op between them, and is waited for where it is needed.
// CHECK-LABEL: func.func @starts_before_ops_that_do_not_need_it
// CHECK: %[[F:.*]] = dist.start "all_gather" %arg0 {dist.exposed_seconds = {{.*}}, id = 0 : i64}
// CHECK: %[[A:.*]] = dist.wait %[[F]]
// CHECK: %[[G:.*]] = dist.start "all_gather" %arg1 {dist.exposed_seconds = {{.*}}, id = 1 : i64}
// CHECK: %[[R:.*]] = vs.fused (%{{.*}} = %[[A]]
// CHECK: %[[B:.*]] = dist.wait %[[G]]
// CHECK: vs.fused (%{{.*}} = %[[B]]
func.func @starts_before_ops_that_do_not_need_it(%x: !cut, %y: !cut) -> (!whole, !whole) {
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

// A gradient is summed while the next one is computed, though its sum is needed at the end only. The tag delays nothing.
// CHECK-LABEL: func.func @sums_start_when_their_operand_exists
// CHECK: %[[G:.*]] = vs.fused
// CHECK: %[[T:.*]] = vs.tag %[[G]] {name = "w.gradient"}
// CHECK-NEXT: %[[F:.*]] = dist.start "all_reduce" %[[T]]
// CHECK-NEXT: %[[H:.*]] = vs.fused
// CHECK: dist.wait %[[F]]
func.func @sums_start_when_their_operand_exists(%x: !partial) -> !whole {
  %g = vs.fused (%p = %x : !partial) -> (!partial) {
    %s = vs.neg %p : !partial
    vs.yield %s : !partial
  }
  %h = vs.fused (%p = %g : !partial) -> (!partial) {
    %s = vs.neg %p : !partial
    vs.yield %s : !partial
  }
  %t = vs.tag %g {name = "w.gradient"} : !partial
  %a = dist.all_reduce %t {id = 0} : !partial -> !whole
  %b = dist.all_reduce %h {id = 1} : !partial -> !whole
  %r = vs.fused (%p = %a : !whole, %q = %b : !whole) -> (!whole) {
    %s = vs.add %p, %q : !whole
    vs.yield %s : !whole
  }
  return %r : !whole
}

// What is needed first goes first, whatever the order in the program.
// CHECK-LABEL: func.func @needs_decide_the_order
// CHECK: dist.start "all_gather" %arg1 {{.*}}id = 1 : i64
// CHECK: dist.start "all_gather" %arg0 {{.*}}id = 0 : i64
func.func @needs_decide_the_order(%x: !cut, %y: !cut) -> (!whole, !whole) {
  %a = dist.all_gather %x {id = 0} : !cut -> !whole
  %b = dist.all_gather %y {id = 1} : !cut -> !whole
  %r = vs.fused (%p = %b : !whole) -> (!whole) {
    %s = vs.exp %p : !whole
    vs.yield %s : !whole
  }
  %t = vs.fused (%p = %a : !whole, %q = %r : !whole) -> (!whole) {
    %s = vs.add %p, %q : !whole
    vs.yield %s : !whole
  }
  return %r, %t : !whole, !whole
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<1024x64xf32, #dist.layout<#mesh, [{"x"}, {}]>>
!whole = tensor<1024x64xf32, #dist.layout<#mesh, [{}, {}]>>

// The chain needs three tensors at a time at most; a gather ahead of it would need a fourth. With more memory it runs ahead.
// CHECK-LABEL: func.func @memory_puts_off
// CHECK: vs.fused
// CHECK: vs.fused
// CHECK: vs.yield
// CHECK: dist.start "all_gather" %arg1
// BUDGET-LABEL: func.func @memory_puts_off
// BUDGET: dist.start "all_gather" %arg1
// BUDGET: vs.fused
// BUDGET: vs.fused
func.func @memory_puts_off(%x: !whole, %y: !cut) -> !whole {
  %a, %b, %c = vs.fused (%p = %x : !whole) -> (!whole, !whole, !whole) {
    %s = vs.exp %p : !whole
    %t = vs.tanh %p : !whole
    %u = vs.neg %p : !whole
    vs.yield %s, %t, %u : !whole, !whole, !whole
  }
  %d = vs.fused (%p = %a : !whole, %q = %b : !whole, %r = %c : !whole) -> (tensor<1024xf32, #dist.layout<#mesh, [{}]>>) {
    %s = vs.add %p, %q : !whole
    %t = vs.add %s, %r : !whole
    %u = vs.reduce sum %t dims = [1] : !whole -> tensor<1024xf32, #dist.layout<#mesh, [{}]>>
    vs.yield %u : tensor<1024xf32, #dist.layout<#mesh, [{}]>>
  }
  %g = dist.all_gather %y {id = 0} : !cut -> !whole
  %e = vs.fused (%p = %d : tensor<1024xf32, #dist.layout<#mesh, [{}]>>, %q = %g : !whole) -> (!whole) {
    %s = vs.broadcast %p {dims = [0]} : tensor<1024xf32, #dist.layout<#mesh, [{}]>> -> !whole
    %t = vs.mul %s, %q : !whole
    vs.yield %t : !whole
  }
  return %e : !whole
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<64xf32, #dist.layout<#mesh, [{"x"}]>>
!whole = tensor<64xf32, #dist.layout<#mesh, [{}]>>

// A bucket is started as a whole; each of its values is waited for on its own.
// CHECK-LABEL: func.func @buckets_start_as_one
// CHECK: %[[F:.*]]:2 = dist.start "all_gather" %arg0, %arg1 {{.*}}id = 4 : i64
// CHECK: dist.wait %[[F]]#0
// CHECK: vs.fused
// CHECK: dist.wait %[[F]]#1
// CHECK: vs.fused
func.func @buckets_start_as_one(%x: !cut, %y: !cut, %z: !whole) -> (!whole, !whole) {
  %f:2 = dist.start "all_gather" %x, %y {id = 4} : (!cut, !cut) -> (!dist.future<!whole>, !dist.future<!whole>)
  %a = dist.wait %f#0 : !dist.future<!whole>
  %b = dist.wait %f#1 : !dist.future<!whole>
  %r = vs.fused (%p = %a : !whole) -> (!whole) {
    %s = vs.exp %p : !whole
    vs.yield %s : !whole
  }
  %t = vs.fused (%p = %b : !whole) -> (!whole) {
    %s = vs.exp %p : !whole
    vs.yield %s : !whole
  }
  return %r, %t : !whole, !whole
}
