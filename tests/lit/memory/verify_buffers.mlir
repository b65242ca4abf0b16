// RUN: vescale-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(sched-verify-buffers)'

!t = tensor<16x4xf32>

func.func @overlap(%x: !t {sched.offset = 0 : i64}) -> (!t, !t) attributes {sched.arena_bytes = 1024 : i64} {
  // expected-note @+1 {{this value lies in [256, 512)}}
  %a = vs.fused (%p = %x : !t) -> (!t) attributes {sched.offsets = array<i64: 256>} {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  // expected-error @+1 {{bytes [320, 576) of the arena are still needed by another value}}
  %b = vs.fused (%p = %x : !t) -> (!t) attributes {sched.offsets = array<i64: 320>} {
    %s = vs.tanh %p : !t
    vs.yield %s : !t
  }
  return %a, %b : !t, !t
}

// -----

!t = tensor<16x4xf32>

func.func @outside(%x: !t {sched.offset = 0 : i64}) -> !t attributes {sched.arena_bytes = 448 : i64} {
  // expected-error @+1 {{a value of 256 bytes at offset 256 does not lie at a multiple of 64 in the arena of 448 bytes}}
  %a = vs.fused (%p = %x : !t) -> (!t) attributes {sched.offsets = array<i64: 256>} {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  return %a : !t
}

// -----

!t = tensor<16x4xf32>

func.func @unassigned(%x: !t {sched.offset = 0 : i64}) -> !t attributes {sched.arena_bytes = 512 : i64} {
  // expected-error @+1 {{has no place in the arena: run sched-assign-buffers}}
  %a = vs.fused (%p = %x : !t) -> (!t) {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  return %a : !t
}

// -----

!t = tensor<16x4xf32>

func.func @moved_view(%x: !t {sched.offset = 0 : i64}) -> !t attributes {sched.arena_bytes = 512 : i64} {
  // expected-error @+1 {{is a view of a value at offset 0, but lies at 256}}
  %a = vs.tag %x {name = "a", sched.offsets = array<i64: 256>} : !t
  return %a : !t
}

// -----

func.func @step(%w: tensor<4xf32> {vs.role = "parameter", vs.name = "w", sched.offset = 0 : i64})
    attributes {sched.arena_bytes = 64 : i64} {
  return
}

// expected-error @+1 {{"w" is kept between functions, but lies in 64 bytes at offset 64 in @evaluate and in 64 bytes at offset 0 elsewhere}}
func.func @evaluate(%w: tensor<4xf32> {vs.role = "parameter", vs.name = "w", sched.offset = 64 : i64})
    attributes {sched.arena_bytes = 128 : i64} {
  return
}

// -----

func.func @step(%w: tensor<4xf32> {vs.role = "parameter", vs.name = "w", sched.offset = 0 : i64},
                %m: tensor<32xf32> {vs.role = "state", vs.name = "w.m", sched.offset = 64 : i64})
    attributes {sched.arena_bytes = 192 : i64} {
  return
}

func.func @evaluate(%w: tensor<4xf32> {vs.role = "parameter", vs.name = "w", sched.offset = 0 : i64},
    // expected-error @+1 {{a value of @evaluate lies in bytes [128, 192) of the arena, where "w.m" is kept for other functions}}
                    %x: tensor<4xf32> {vs.role = "batch", vs.name = "x", sched.offset = 128 : i64})
    attributes {sched.arena_bytes = 192 : i64} {
  return
}
