// RUN: vescale-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(vs-fuse),sched-assign-buffers,sched-verify-buffers,sched-lower)' | FileCheck %s

#mesh = #dist.mesh<["dp" = 2]>
!x = tensor<8x6xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!w = tensor<4x6xf32, #dist.layout<#mesh, [{}, {}]>>
!wp = tensor<4x6xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>>
!t = tensor<8x4xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!s = tensor<f32, #dist.layout<#mesh, []>>

// Equal layers share kernels: two tanh, one kernel; the update is the second.
// CHECK: module @kernels {
// CHECK: func.func @kernel_0(
// CHECK: func.func @kernel_1(
// CHECK-NOT: func.func @kernel_2(
// CHECK: sched.schedule @step on {{.*}} target "cpu"
// CHECK-SAME: axis_kinds = [array<i64: 0>], axis_lengths = [array<i64: 2>], classes = array<i64: 0>
// CHECK: sched.tensor @batch.x batch "x"
// CHECK: sched.tensor @parameter.w parameter "w" : {{.*}} {initializer = #vs.normal<0.1>, weight_decay}
// CHECK: sched.program @step.class0 of "step" class 0
// CHECK: %[[W:.*]] = sched.buffer 96 at 0 of @parameter.w
// CHECK: sched.host_input @batch.x stream 0
// CHECK: sched.scalar_update learning_rate stream 0 f32
// CHECK: sched.matmul stream 0 m 4 n 4 k 6 f32 to f32 (read %{{.*}}, read %[[W]], write %{{.*}})
// CHECK: sched.launch @kernel_0 stream 0
// CHECK: sched.launch @kernel_0 stream 0
// CHECK: sched.matmul
// CHECK: sched.collective all_reduce 5 stream 1
// CHECK: sched.launch @kernel_1 stream 0 extent 1 grain 1 ({{.*}}update %[[W]]
func.func @step(%x: !x {vs.role = "batch", vs.name = "x"},
                %w: !w {vs.role = "parameter", vs.name = "w", vs.init = #vs.normal<0.1>, vs.decay = true},
                %lr: !s {vs.role = "scalar", vs.name = "learning_rate"}) -> (!w {vs.aliases = 1 : i64}) {
  %h = vs.einsum "bi,oi->bo" %x, %w : (!x, !w) -> !t
  %n0 = vs.tag %h {name = "h.0"} : !t
  %t0 = vs.tanh %n0 : !t
  %n1 = vs.tag %t0 {name = "h.1"} : !t
  %t = vs.tanh %n1 : !t
  %gp = vs.einsum "bo,bi->oi" %t, %x : (!t, !x) -> !wp
  %g = dist.all_reduce %gp {id = 5} : !wp -> !w
  %r = vs.broadcast %lr {dims = []} : !s -> !w
  %u = vs.mul %r, %g : !w
  %w1 = vs.sub %w, %u : !w
  return %w1 : !w
}

// -----

// 7 rows on 3 devices: 3, 3 and 1. Two classes, which share no kernel but have the same collectives.
#mesh = #dist.mesh<["dp" = 3]>
!x = tensor<7xf32, #dist.layout<#mesh, [{"dp"}]>>
!y = tensor<7xf32, #dist.layout<#mesh, [{}]>>
// CHECK: axis_kinds = [array<i64: 0, 1>], axis_lengths = [array<i64: 2, 1>], classes = array<i64: 0, 1>
// CHECK: sched.program @step.class0 of "step" class 0
// CHECK: sched.buffer 12 at
// CHECK: sched.collective all_gather 0
// CHECK: sched.program @step.class1 of "step" class 1
// CHECK: sched.buffer 4 at
// CHECK: sched.collective all_gather 0
func.func @step(%x: !x) -> !y {
  %e = vs.exp %x : !x
  %y = dist.all_gather %e : !x -> !y
  return %y : !y
}

// -----

// Two functions: @step comes first, wherever it stands. They share the parameter, the batch of one type, and the
// kernel; the metric of another type is a tensor of its own, and no id is in both.
#mesh = #dist.mesh<["dp" = 2]>
!x = tensor<8x4xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!y = tensor<8x4xf32, #dist.layout<#mesh, [{}, {}]>>
// CHECK: func.func @kernel_0(
// CHECK-NOT: func.func @kernel_1(
// CHECK: sched.schedule @step
// CHECK: sched.tensor @parameter.w parameter "w"
// CHECK: sched.tensor @batch.x batch "x"
// CHECK: sched.tensor @metric.loss metric "loss" : tensor<8x4xf32, #dist.layout<#mesh, [{}, {}]>>
// CHECK: sched.program @step.class0 of "step" class 0
// CHECK: sched.buffer 128 at 0 of @parameter.w
// CHECK: sched.launch @kernel_0
// CHECK: sched.collective all_gather 0
// CHECK-NOT: sched.tensor @parameter.w
// CHECK: sched.tensor @evaluate.metric.loss metric "loss" : tensor<8x4xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
// CHECK: sched.program @evaluate.class0 of "evaluate" class 0
// CHECK: sched.buffer 128 at 0 of @parameter.w
// CHECK: sched.host_input @batch.x
// CHECK: sched.launch @kernel_0
// CHECK: sched.collective all_gather 1
// CHECK: sched.host_output @evaluate.metric.loss
func.func @evaluate(%w: !y {vs.role = "parameter", vs.name = "w", vs.init = #vs.ones},
                    %x: !x {vs.role = "batch", vs.name = "x"}) -> (!x {vs.name = "loss"}, !y) {
  %e = vs.exp %x : !x
  %y = dist.all_gather %e {id = 0} : !x -> !y
  return %e, %y : !x, !y
}
func.func @step(%w: !y {vs.role = "parameter", vs.name = "w", vs.init = #vs.ones},
                %x: !x {vs.role = "batch", vs.name = "x"}) -> (!y {vs.name = "loss"}) {
  %e = vs.exp %x : !x
  %y = dist.all_gather %e {id = 0} : !x -> !y
  return %y : !y
}
