// RUN: vescale-opt %s --pass-pipeline='builtin.module(func.func(vs-fuse),sched-assign-buffers,sched-verify-buffers,sched-lower)' | FileCheck %s

// A mean over a whole dim is one op on a device too, though the rows are cut: the group that was fused around it, whose
// second result has nothing left of a row, still has a kernel.
#mesh = #dist.mesh<["dp" = 4]>
!x = tensor<8x256x384xf32, #dist.layout<#mesh, [{"dp"}, {}, {}]>>
!m = tensor<8x256xf32, #dist.layout<#mesh, [{"dp"}, {}]>>
// CHECK: func.func @kernel_0(%{{.*}}: memref<2x256x384xf32>, %{{.*}}: memref<2x256x384xf32>, %{{.*}}: memref<2x256x384xf32>, %{{.*}}: memref<2x256xf32>
// CHECK-NOT: func.func @kernel_1
// CHECK: sched.program
func.func @step(%a: !x {vs.role = "parameter", vs.name = "a", vs.init = #vs.ones},
                %b: !x {vs.role = "parameter", vs.name = "b", vs.init = #vs.ones})
    -> (!x {vs.name = "centred"}, !m {vs.name = "variance"}) {
  %x = vs.add %a, %b : !x
  %mean = vs.reduce mean %x dims = [2] : !x -> !m
  %spread = vs.broadcast %mean {dims = [0, 1]} : !m -> !x
  %centred = vs.sub %x, %spread : !x
  %squares = vs.mul %centred, %centred : !x
  %variance = vs.reduce mean %squares dims = [2] : !x -> !m
  return %centred, %variance : !x, !m
}
