// RUN: vescale-opt %s --sched-order-streams | FileCheck %s

#mesh = #dist.mesh<["x" = 2]>
!s = tensor<16xf32, #dist.layout<#mesh, [{"x"}]>>
!w = tensor<16xf32, #dist.layout<#mesh, [{}]>>

sched.schedule @step on #mesh target "cpu"
    attributes {axis_lengths = [array<i64: 2>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // CHECK: sched.program @step.class0 of "step" class 0 arena 1024 streams ["compute", "communication"] events 4
  sched.program @step.class0 of "step" class 0 arena 1024 streams ["compute", "communication"] events 0 {
    %a = sched.buffer 64 at 0
    %b = sched.buffer 64 at 64
    %c = sched.buffer 64 at 128
    %reused = sched.buffer 32 at 0
    // A data dependence: the collective reads what the kernel wrote. One event serves both collectives.
    // CHECK: sched.launch @k0
    // CHECK-NEXT: sched.record 0 stream 0
    sched.launch @k0 stream 0 extent 1 grain 1 (write %a)
    // CHECK-NEXT: sched.wait 0 stream 1
    // CHECK-NEXT: sched.collective all_gather 0
    // CHECK-NEXT: sched.collective all_gather 1
    // CHECK-NEXT: sched.record 1 stream 1
    sched.collective all_gather 0 stream 1 (read %a, write %b) : !s to !w
    sched.collective all_gather 1 stream 1 (read %a, write %c) : !s to !w
    // Reuse of memory: the kernel must not write before the collectives have read. That it knows then that the
    // first collective has happened too makes another wait needless.
    // CHECK-NEXT: sched.wait 1 stream 0
    // CHECK-NEXT: sched.launch @k1
    sched.launch @k1 stream 0 extent 1 grain 1 (write %reused)
    // CHECK-NEXT: sched.launch @k2
    sched.launch @k2 stream 0 extent 1 grain 1 (read %b, read %c)
    // Across iterations: the kernel writes what the collective of the iteration before read.
    // CHECK-NEXT: sched.loop 3 {
    // CHECK-NEXT: sched.wait 3 stream 0
    // CHECK-NEXT: sched.launch @k3
    // CHECK-NEXT: sched.record 2 stream 0
    // CHECK-NEXT: sched.wait 2 stream 1
    // CHECK-NEXT: sched.collective all_gather 2
    // CHECK-NEXT: sched.record 3 stream 1
    sched.loop 3 {
      sched.launch @k3 stream 0 extent 1 grain 1 (write %a)
      sched.collective all_gather 2 stream 1 (read %a, write %b) : !s to !w
    }
  }
}
