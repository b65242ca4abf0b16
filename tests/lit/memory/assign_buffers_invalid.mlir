// RUN: vescale-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(sched-assign-buffers{memory-budget=600})'

!t = tensor<16x4xf32>

// expected-error @+1 {{needs 768 bytes on a device, the budget is 600: 256 for parameters, states and inputs, 512 for what the step computes}}
func.func @budget(%x: !t) -> !t {
  // expected-note @+1 {{256 bytes for a value of type 'tensor<16x4xf32>', needed over 1 ops}}
  %a = vs.fused (%p = %x : !t) -> (!t) {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  // expected-note @+1 {{256 bytes for a value of type}}
  %b = vs.fused (%p = %a : !t) -> (!t) {
    %s = vs.exp %p : !t
    vs.yield %s : !t
  }
  return %b : !t
}

// -----

func.func @no_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is no instruction of a schedule: it must be in a fused group}}
  %a = vs.exp %x : tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

// expected-error @+1 {{results 0 and 1 both alias argument 0}}
func.func @aliased_twice(%x: tensor<4xf32>) -> (tensor<4xf32> {vs.aliases = 0 : i64}, tensor<4xf32> {vs.aliases = 0 : i64}) {
  %a, %b = vs.fused (%p = %x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %s = vs.exp %p : tensor<4xf32>
    %t = vs.tanh %p : tensor<4xf32>
    vs.yield %s, %t : tensor<4xf32>, tensor<4xf32>
  }
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{result 0 of type 'tensor<4xf32>' aliases argument 0 of another type, 'tensor<5xf32>'}}
func.func @aliased_type(%y: tensor<5xf32>, %x: tensor<4xf32>) -> (tensor<4xf32> {vs.aliases = 0 : i64}) {
  %a = vs.fused (%p = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %s = vs.exp %p : tensor<4xf32>
    vs.yield %s : tensor<4xf32>
  }
  return %a : tensor<4xf32>
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!cut = tensor<4xf32, #dist.layout<#mesh, [{"x"}]>>
func.func @mixed(%x: !cut) -> !cut {
  %a = vs.fused (%p = %x : !cut) -> (!cut) {
    // expected-error @+1 {{the function has tensors with a layout and others without}}
    %s = "vs.exp"(%p) : (!cut) -> tensor<4xf32>
    %t = "vs.exp"(%s) : (tensor<4xf32>) -> !cut
    vs.yield %t : !cut
  }
  return %a : !cut
}

// -----

// expected-note @+1 {{the other argument of this name}}
func.func @step(%w: tensor<4xf32> {vs.role = "parameter", vs.name = "w"}) {
  return
}

// expected-error @+1 {{"w" is kept between functions, but is 'tensor<8xf32>' in @evaluate and 'tensor<4xf32>' elsewhere}}
func.func @evaluate(%w: tensor<8xf32> {vs.role = "parameter", vs.name = "w"}) {
  return
}
