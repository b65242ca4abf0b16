// RUN: vescale-opt %s --split-input-file --pass-pipeline='builtin.module(sched-assign-buffers,sched-verify-buffers)' | FileCheck %s

!t = tensor<16x4xf32>

// Parameters come first, whatever their place in the list; 256 bytes each. %a and %c are not needed at the same
// time and share memory; the view has that of its operand.
// CHECK-LABEL: func.func @lifetimes
// CHECK-SAME: %arg0: tensor<16x4xf32> {sched.offset = 256 : i64, vs.name = "x", vs.role = "batch"}
// CHECK-SAME: %arg1: tensor<16x4xf32> {sched.offset = 0 : i64
// CHECK-SAME: sched.arena_bytes = 1024 : i64
func.func @lifetimes(%x: !t {vs.role = "batch", vs.name = "x"},
                     %w: !t {vs.role = "parameter", vs.name = "w", vs.init = #vs.zeros}) -> !t {
  // CHECK: vs.fused {{.*}} attributes {sched.offsets = array<i64: 512>}
  %a = vs.fused (%p = %x : !t, %q = %w : !t) -> (!t) {
    %s = vs.add %p, %q : !t
    vs.yield %s : !t
  }
  // CHECK: vs.tag {{.*}} {name = "a", sched.offsets = array<i64: 512>}
  %v = vs.tag %a {name = "a"} : !t
  // CHECK: vs.fused {{.*}} attributes {sched.offsets = array<i64: 768>}
  %b = vs.fused (%p = %v : !t) -> (!t) {
    %s = vs.tanh %p : !t
    vs.yield %s : !t
  }
  // CHECK: vs.fused {{.*}} attributes {sched.offsets = array<i64: 512>}
  %c = vs.fused (%p = %b : !t) -> (!t) {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  return %c : !t
}

// -----

!t = tensor<16x4xf32>

// The new parameter is computed in place, since the group is elementwise and nothing needs the old one later. The new
// state is not: the old one is read after it.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: sched.arena_bytes = 1024 : i64
func.func @in_place(%w: !t {vs.role = "parameter", vs.name = "w", vs.init = #vs.zeros},
                    %m: !t {vs.role = "state", vs.name = "w.m"})
    -> (!t {vs.aliases = 0 : i64}, !t {vs.aliases = 1 : i64}, !t) {
  // CHECK: vs.fused {{.*}} attributes {sched.offsets = array<i64: 0, 512>}
  %w1, %m1 = vs.fused (%p = %w : !t, %q = %m : !t) -> (!t, !t) {
    %s = vs.add %p, %q : !t
    %u = vs.mul %p, %q : !t
    vs.yield %s, %u : !t, !t
  }
  // CHECK: vs.fused {{.*}} attributes {sched.offsets = array<i64: 768>}
  %y = vs.fused (%p = %m : !t) -> (!t) {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  return %w1, %m1, %y : !t, !t, !t
}

// -----

// Sizes are those of the largest device: of 10 rows, 4 are on the first.
#mesh = #dist.mesh<["x" = 3]>
!t = tensor<10x16xf32, #dist.layout<#mesh, [{"x"}, {}]>>
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: sched.arena_bytes = 512 : i64
func.func @uneven(%x: !t) -> !t {
  %y = vs.fused (%p = %x : !t) -> (!t) {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  return %y : !t
}

// -----

!t = tensor<16x4xf32>

// What is kept lies at one place in all functions: parameters, then states. @evaluate leaves the state alone and has
// its batch behind it; arguments are known by name, not by place.
// CHECK-LABEL: func.func @step
// CHECK-SAME: %arg0: tensor<16x4xf32> {sched.offset = 0 : i64, {{.*}}vs.name = "w"
// CHECK-SAME: %arg1: tensor<16x4xf32> {sched.offset = 512 : i64, vs.name = "w.momentum"
// CHECK-SAME: %arg2: tensor<16x4xf32> {sched.offset = 256 : i64, {{.*}}vs.name = "v"
// CHECK-SAME: sched.arena_bytes = 768 : i64
func.func @step(%w: !t {vs.role = "parameter", vs.name = "w", vs.init = #vs.zeros},
                %m: !t {vs.role = "state", vs.name = "w.momentum"},
                %v: !t {vs.role = "parameter", vs.name = "v", vs.init = #vs.zeros}) {
  return
}

// CHECK-LABEL: func.func @evaluate
// CHECK-SAME: %arg0: tensor<16x4xf32> {sched.offset = 256 : i64, {{.*}}vs.name = "v"
// CHECK-SAME: %arg1: tensor<16x4xf32> {sched.offset = 0 : i64, {{.*}}vs.name = "w"
// CHECK-SAME: %arg2: tensor<16x4xf32> {sched.offset = 768 : i64, vs.name = "x"
// CHECK-SAME: sched.arena_bytes = 1280 : i64
func.func @evaluate(%v: !t {vs.role = "parameter", vs.name = "v", vs.init = #vs.zeros},
                    %w: !t {vs.role = "parameter", vs.name = "w", vs.init = #vs.zeros},
                    %x: !t {vs.role = "batch", vs.name = "x"}) -> !t {
  // CHECK: vs.fused {{.*}} attributes {sched.offsets = array<i64: 1024>}
  %a = vs.fused (%p = %x : !t, %q = %w : !t, %r = %v : !t) -> (!t) {
    %s = vs.add %p, %q : !t
    %t = vs.add %s, %r : !t
    vs.yield %t : !t
  }
  return %a : !t
}
