// RUN: vescale-opt %s | vescale-opt | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

#mesh = #dist.mesh<["dp" = 2, "tp" = 4]>

// CHECK-LABEL: @constrain
func.func @constrain(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: dist.constrain %{{.*}} {wish = #dist.wish<#mesh, [{"dp"}, {?}]>} : tensor<8x8xf32>
  %y = dist.constrain %x {wish = #dist.wish<#mesh, [{"dp"}, {?}]>} : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: @barriers
func.func @barriers(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: dist.barrier forward %{{.*}} : tensor<8xf32>
  %a = dist.barrier forward %x : tensor<8xf32>
  // CHECK: dist.barrier backward
  %b = dist.barrier backward %a : tensor<8xf32>
  // CHECK: dist.barrier both
  %c = dist.barrier both %b : tensor<8xf32>
  return %c : tensor<8xf32>
}

// CHECK-LABEL: @group
func.func @group(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: dist.group %{{.*}} {id = 0 : i64} : tensor<8xf32>
  %a = dist.group %x {id = 0} : tensor<8xf32>
  %b = dist.group %y {id = 0} : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @pipeline_stages
func.func @pipeline_stages(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: dist.send %{{.*}} {id = 7 : i64, peer = 1 : i64} : tensor<8xf32>
  dist.send %x {peer = 1, id = 7} : tensor<8xf32>
  // CHECK: dist.recv {id = 8 : i64, peer = 1 : i64} : tensor<8xf32>
  %y = dist.recv {peer = 1, id = 8} : tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: @axis_index
func.func @axis_index() -> index {
  // CHECK: dist.axis_index {axis = "tp", mesh = #mesh} : index
  %i = dist.axis_index {mesh = #mesh, axis = "tp"} : index
  return %i : index
}

// CHECK-LABEL: @manual
func.func @manual(%x: tensor<8x3xf32>) -> tensor<4x3xf32> {
  // CHECK: dist.manual(%{{.*}}) {axes = ["dp"], in_layouts = [#dist.layout<#mesh, [{"dp"}, {}]>], out_layouts = [#dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>]} : (tensor<8x3xf32>) -> tensor<4x3xf32> {
  %y = dist.manual(%x) {axes = ["dp"], in_layouts = [#dist.layout<#mesh, [{"dp"}, {}]>],
                        out_layouts = [#dist.layout<#mesh, [{}, {}], partial = [sum: "dp"]>]}
      : (tensor<8x3xf32>) -> tensor<4x3xf32> {
  ^bb0(%local: tensor<4x3xf32>):
    // CHECK: dist.return %{{.*}} : tensor<4x3xf32>
    dist.return %local : tensor<4x3xf32>
  }
  return %y : tensor<4x3xf32>
}
