// Each stage's module computes what the placed function computes, and so does its schedule.
// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions))' | vescale interpret - --compare %s | FileCheck %s
// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions),vs-decompose-layers,func.func(vs-fuse))' | vescale interpret - --compare %s | FileCheck %s
// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions),vs-decompose-layers,func.func(vs-fuse),sched-assign-buffers)' | vescale interpret - --compare %s | FileCheck %s
// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions),vs-decompose-layers,func.func(vs-fuse),sched-assign-buffers,sched-lower,sched-order-streams)' | vescale interpret - --compare %s | FileCheck %s
// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(dist-plan-redistributions),vs-decompose-layers,func.func(vs-fuse),sched-assign-buffers,sched-lower)' -o %t
// RUN: vescale interpret %t --input x=ones --print x --print loss | FileCheck %s --check-prefix=PRINT
// RUN: not vescale interpret %t --ranks one 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not vescale interpret %t --input y=ones 2>&1 | FileCheck %s --check-prefix=INPUT

// Rows on three devices are 3, 3 and 1: two programs.
#mesh = #dist.mesh<["dp" = 3]>
!x = tensor<7x6xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!w = tensor<4x6xf32, #dist.layout<#mesh, [{}, {}]>>
!wp = tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>>
!t = tensor<7x4xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!s = tensor<f32, #dist.layout<#mesh, []>>
!sp = tensor<f32, #dist.layout<#mesh, [], partial = [sum: "dp"]>>

// CHECK: 2 results are equal
// PRINT: x: f32 [7, 6] = 1 1 1
// PRINT-NEXT: loss: f32 =
// ONE: is a schedule, which has no meaning on one device
// INPUT: --input 'y=ones': @step has no such argument; it has w, x
func.func @step(%w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.ones},
                %x: !x {vs.role = "batch", vs.name = "x"},
                %rate: !s {vs.role = "scalar", vs.name = "learning_rate"})
    -> (!w {vs.aliases = 0 : i64}, !s {vs.name = "loss"}) {
  %h = vs.einsum "bi,oi->bo" %x, %w : (!x, !w) -> !t
  %t = vs.relu %h : !t
  %lp = vs.reduce sum %t dims = [0, 1] : !t -> !sp
  %l = dist.redistribute %lp : !sp -> !s
  %gp = vs.einsum "bo,bi->oi" %t, %x : (!t, !x) -> !wp
  %g = dist.redistribute %gp : !wp -> !w
  %r = vs.broadcast %rate {dims = []} : !s -> !w
  %u = vs.mul %r, %g : !w
  %w1 = vs.sub %w, %u : !w
  return %w1, %l : !w, !s
}
