// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(sched-keep-gradients))' -split-input-file -verify-diagnostics | FileCheck %s

// A gradient that is still a partial sum is added up into the layout of its parameter.
#mesh = #dist.mesh<["dp" = 2]>
!w = tensor<8xf32, #dist.layout<#mesh, [{"dp"}]>>
!p = tensor<8xf32, #dist.layout<#mesh, [{}], partial = [sum: "dp"]>>
// CHECK-LABEL: func.func @step
// CHECK: %[[TAG:.*]] = vs.tag
// CHECK: %[[WHOLE:.*]] = dist.redistribute %[[TAG]] : tensor<8xf32, #{{.*}}> -> tensor<8xf32, #{{.*}}>
// CHECK: return %{{.*}}, %[[WHOLE]]
func.func @step(%w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.ones}, %p: !p)
    -> (!w {vs.aliases = 0 : i64}) {
  %g = vs.tag %p {name = "w.gradient"} : !p
  %r = dist.redistribute %g : !p -> !w
  %w1 = vs.sub %w, %r : !w
  return %w1 : !w
}

// -----

func.func @step(%w: tensor<8xf32> {vs.role = "parameter", vs.name = "w"}) -> tensor<8xf32> {
  // expected-error @+1 {{is the gradient of 'v', which is no argument}}
  %g = vs.tag %w {name = "v.gradient"} : tensor<8xf32>
  return %g : tensor<8xf32>
}
