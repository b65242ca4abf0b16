// RUN: vescale-opt %s --split-input-file --verify-diagnostics --sched-lower

// expected-error @+1 {{has no sched.arena_bytes: run sched-assign-buffers}}
func.func @no_memory(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{parameter "w" has no vs.init: nothing says how it starts}}
func.func @no_init(%w: tensor<4xf32> {vs.role = "parameter", vs.name = "w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{the host knows no scalar "momentum", only "learning_rate" and "step"}}
func.func @unknown_scalar(%s: tensor<f32> {vs.role = "scalar", vs.name = "momentum"}) {
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!p = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "x"]>>
// expected-error @+1 {{scalar "step" is partial}}
func.func @partial_scalar(%s: !p {vs.role = "scalar", vs.name = "step"}) {
  return
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!p = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "x"]>>
// expected-error @+1 {{metric "loss" is partial}}
func.func @partial_metric(%l: !p) -> (!p {vs.name = "loss"}) {
  return %l : !p
}

// -----

// expected-error @+1 {{there is no function @step among 2}}
module {
  func.func @a() { return }
  func.func @b() { return }
}
