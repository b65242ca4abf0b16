// Layouts inside of decomposed layers follow from those at their borders.
// RUN: vescale-opt %s --vs-decompose-layers --split-input-file | FileCheck %s

#mesh = #dist.mesh<["x" = 2]>
!ragged = tensor<4xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [3, 1]}>>
!scalar = tensor<f32, #dist.layout<#mesh, []>>

// The state of an optimizer may be ragged: so are the constants of its update.
// CHECK-LABEL: @ragged_state
func.func @ragged_state(%p: !ragged, %g: !ragged, %m: !ragged, %v: !ragged, %lr: !scalar, %step: !scalar)
    -> !ragged {
  // CHECK: vs.constant dense<{{.*}}> : tensor<4xf32, #dist.layout<#mesh, [{}], ragged = {"x", dims = 1, units = [3, 1]}>>
  // CHECK-NOT: vs.adamw
  %0:3 = vs.adamw %p, %g, %m, %v, %lr, %step
      : (!ragged, !ragged, !ragged, !ragged, !scalar, !scalar) -> (!ragged, !ragged, !ragged)
  return %0#0 : !ragged
}

// -----

#mesh = #dist.mesh<["x" = 2]>
!sum = tensor<4xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>

// What is dropped is 0, whatever it was: a choice, which is linear between a value and zeros.
// CHECK-LABEL: @partial_dropout
func.func @partial_dropout(%x: !sum, %rng: !vs.rng) -> !sum {
  // CHECK: vs.select {{.*}} -> tensor<4xf32, #dist.layout<#mesh, [{}], partial = [sum: "x"]>>
  %0 = vs.dropout %x, %rng {draw_id = 0, rate = 0.5} : (!sum, !vs.rng) -> !sum
  return %0 : !sum
}
