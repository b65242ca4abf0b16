// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

#mesh = #dist.mesh<["dp" = 2]>
!cut = tensor<8x4xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
!whole = tensor<8x4xf32, #dist.layout<#mesh, [{}, {}]>>
!number = tensor<f32, #dist.layout<#mesh, []>>

// CHECK-LABEL: sched.schedule @step on #mesh target "cpu"
sched.schedule @step on #mesh target "cpu"
    attributes {axis_lengths = [array<i64: 2>], axis_kinds = [array<i64: 0>], classes = array<i64: 0>} {
  // CHECK: sched.tensor @parameter.w parameter "w" : tensor<8x4xf32, {{.*}}> {draw = 3 : i64, initializer = #vs.normal<0.02>, weight_decay}
  sched.tensor @parameter.w parameter "w" : !cut {draw = 3 : i64, initializer = #vs.normal<0.02>, weight_decay}
  sched.tensor @batch.x batch "x" : !cut {token_offset = 1 : i64}
  sched.tensor @metric.loss metric "loss" : !number
  // CHECK: sched.program @step.class0 of "step" class 0 arena 1024 streams ["compute", "communication"] events 1
  sched.program @step.class0 of "step" class 0 arena 1024 streams ["compute", "communication"] events 1 {
    // CHECK: %[[W:.*]] = sched.buffer 64 at 0 of @parameter.w
    %w = sched.buffer 64 at 0 of @parameter.w
    %x = sched.buffer 64 at 64 of @batch.x
    %g = sched.buffer 128 at 128
    %loss = sched.buffer 4 at 256 of @metric.loss
    %lr = sched.buffer 4 at 320
    // CHECK: sched.scalar axis_index
    %i = sched.scalar axis_index
    // CHECK: sched.scalar region_start {constant = -1 : i64, dim = 1 : i64, scale = 2 : i64, tensor_type =
    %s = sched.scalar region_start {tensor_type = !cut, scale = 2 : i64, constant = -1 : i64, dim = 1 : i64}
    %d = sched.scalar constant {constant = 7 : i64}
    // CHECK: sched.host_input @batch.x stream 0 (write %{{.*}})
    sched.host_input @batch.x stream 0 (write %x)
    // CHECK: sched.scalar_update learning_rate stream 0 f32 (write %{{.*}})
    sched.scalar_update learning_rate stream 0 f32 (write %lr)
    // CHECK: sched.record 0 stream 0
    sched.record 0 stream 0
    // CHECK: sched.wait 0 stream 1
    sched.wait 0 stream 1
    // CHECK: sched.collective all_gather 4 stream 1 (read %{{.*}}, write %{{.*}}) : tensor<8x4xf32, {{.*}}> to tensor<8x4xf32, {{.*}}>
    sched.collective all_gather 4 stream 1 (read %x, write %g) : !cut to !whole
    // CHECK: sched.loop 3 {
    sched.loop 3 {
      // CHECK: sched.launch @kernel_0 stream 0 extent 4 grain 1 scalars(%{{.*}}, %{{.*}}) (read %{{.*}}, update %[[W]])
      sched.launch @kernel_0 stream 0 extent 4 grain 1 scalars(%i, %s) (read %lr, update %w)
      // CHECK: sched.launch @kernel_1 stream 0 extent 1 grain 1 (read %{{.*}}[64, 64], write %{{.*}})
      sched.launch @kernel_1 stream 0 extent 1 grain 1 (read %g[64, 64], write %loss)
    }
    // CHECK: sched.matmul stream 0 m 4 n 4 k 4 f32 to f32 (read %{{.*}}, read %{{.*}}, write %{{.*}}) {a_leading = 4
    sched.matmul stream 0 m 4 n 4 k 4 f32 to f32 (read %w, read %x, write %g)
        {batch = array<i64>, a_strides = array<i64>, a_leading = 4 : i64, b_strides = array<i64>,
         b_leading = 4 : i64, b_transposed, c_strides = array<i64>, c_leading = 4 : i64}
    // CHECK: sched.attention stream 0 f32 scalars(%{{.*}}) (read %{{.*}}, read %{{.*}}, read %{{.*}}, write %{{.*}}, write %{{.*}}) {batch = 1
    sched.attention stream 0 f32 scalars(%s, %s, %s, %s, %d)
        (read %w, read %w, read %w, write %g[0, 64], write %g[64, 64])
        {batch = 1 : i64, heads = 1 : i64, key_heads = 1 : i64, query_length = 4 : i64,
         key_length = 4 : i64, head_size = 4 : i64, causal, scale = 0.5, global_heads = 1 : i64,
         global_query_length = 4 : i64, global_key_length = 4 : i64,
         strides = array<i64: 16, 16, 4, 16, 16, 4, 16, 16, 4, 16, 16, 4>}
    // CHECK: sched.copy stream 0 (read %{{.*}}[0, 64], write %[[W]])
    sched.copy stream 0 (read %g[0, 64], write %w)
    // CHECK: sched.host_output @metric.loss stream 0 (read %{{.*}})
    sched.host_output @metric.loss stream 0 (read %loss)
  }
}
// CHECK: sched.kernel_image ["kernel_0", "kernel_1"] "bytes"
sched.kernel_image ["kernel_0", "kernel_1"] "bytes"
