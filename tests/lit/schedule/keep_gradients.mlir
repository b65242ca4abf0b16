// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(sched-keep-gradients,vs-fuse),sched-assign-buffers,sched-verify-buffers,sched-lower)' | FileCheck %s

// CHECK: sched.tensor @gradient.w gradient "w" : tensor<8xf32
// CHECK: %[[G:.*]] = sched.buffer 32 at {{.*}} of @gradient.w
// CHECK: sched.launch
// CHECK: sched.host_output @gradient.w stream 0 (read %[[G]])
func.func @step(%w: tensor<8xf32> {vs.role = "parameter", vs.name = "w", vs.init = #vs.ones}) -> (tensor<8xf32> {vs.aliases = 0 : i64}) {
  %e = vs.exp %w : tensor<8xf32>
  %g = vs.tag %e {name = "w.gradient"} : tensor<8xf32>
  %w1 = vs.sub %w, %g : tensor<8xf32>
  return %w1 : tensor<8xf32>
}
