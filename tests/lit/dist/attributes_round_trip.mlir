// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --emit-bytecode | vescale-opt | FileCheck %s

#mesh = #dist.mesh<["dp" = 2, "tp" = 4]>
#reversed = #dist.mesh<["x" = 4], device_ids = [3, 2, 1, 0]>
#sixteen = #dist.mesh<["x" = 16]>

// CHECK-DAG: #[[MESH:.*]] = #dist.mesh<["dp" = 2, "tp" = 4]>
// CHECK-DAG: #[[REVERSED:.*]] = #dist.mesh<["x" = 4], device_ids = [3, 2, 1, 0]>
// CHECK-DAG: #[[SIXTEEN:.*]] = #dist.mesh<["x" = 16]>

// CHECK-LABEL: func.func private @plain_cuts
// CHECK-SAME: tensor<8x1024xbf16, #dist.layout<#[[MESH]], [{"dp"}, {}]>>
func.func private @plain_cuts(tensor<8x1024xbf16, #dist.layout<#mesh, [{"dp"}, {}]>>)

// CHECK-LABEL: func.func private @two_axes_on_one_dim
// CHECK-SAME: [{"tp", "dp"}, {}]
func.func private @two_axes_on_one_dim(tensor<8x4xf32, #dist.layout<#mesh, [{"tp", "dp"}, {}]>>)

// CHECK-LABEL: func.func private @partial
// CHECK-SAME: #dist.layout<#[[MESH]], [{}, {}], partial = [sum: "tp"]>
func.func private @partial(
    tensor<8x1024xf32, #dist.layout<#mesh, [{}, {}], partial = [sum: "tp"]>>)

// CHECK-LABEL: func.func private @interleaved
// CHECK-SAME: [{"tp" / 3}, {}]
func.func private @interleaved(tensor<3072x1024xf32, #dist.layout<#mesh, [{"tp" / 3}, {}]>>)

// CHECK-LABEL: func.func private @in_blocks
// CHECK-SAME: [{"tp" by 8}]
func.func private @in_blocks(tensor<40xf32, #dist.layout<#mesh, [{"tp" by 8}]>>)

// CHECK-LABEL: func.func private @ragged
// CHECK-SAME: #dist.layout<#[[REVERSED]], [{}, {}], ragged = {"x", dims = 2, units = [5, 7, 0, 12]}>
func.func private @ragged(
    tensor<4x6xf32, #dist.layout<#reversed, [{}, {}], ragged = {"x", dims = 2, units = [5, 7, 0, 12]}>>)

// CHECK-LABEL: func.func private @sub_axes
// CHECK-SAME: #dist.layout<#[[SIXTEEN]], [{"x":(1)4, "x":(8)2}]>
func.func private @sub_axes(tensor<32xf32, #dist.layout<#sixteen, [{"x":(1)4, "x":(8)2}]>>)

// CHECK-LABEL: func.func private @future
// CHECK-SAME: !dist.future<tensor<8xf32, #dist.layout<#[[MESH]], [{"dp"}]>>>
func.func private @future(!dist.future<tensor<8xf32, #dist.layout<#mesh, [{"dp"}]>>>)

// CHECK-LABEL: func.func private @uneven_and_empty
// CHECK-SAME: tensor<5x0xf32
func.func private @uneven_and_empty(tensor<5x0xf32, #dist.layout<#mesh, [{"tp"}, {"dp"}]>>)

// CHECK-LABEL: func.func private @wishes
// CHECK-SAME: tensor<8x8xf32> {dist.wish = #dist.wish<#[[MESH]], [{"dp", ?}p0, {?}], replicated = ["tp"]>}
// CHECK-SAME: -> (tensor<8x8xf32> {dist.wish = #dist.wish<#[[MESH]], [{}, {"tp"}p1]>})
func.func private @wishes(
    tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"dp", ?}p0, {?}], replicated = ["tp"]>})
    -> (tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{}, {"tp"}p1]>})
