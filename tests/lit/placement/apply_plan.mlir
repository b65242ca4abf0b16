// RUN: vescale-opt --dist-apply-plan=plan=%S/plans/two_layers.json %s 2>&1 | FileCheck %s
// RUN: not vescale-opt --dist-apply-plan=plan=%S/plans/misspelt.json %s 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: not vescale-opt --dist-apply-plan=plan=%S/plans/none.json %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo '{"mesh": {"tp": 2}, "accumulate": 2}' >%t.json
// RUN: not vescale-opt --dist-apply-plan=plan=%t.json %s 2>&1 | FileCheck %s --check-prefix=ACCUMULATE

// ACCUMULATE: "accumulate": the plan asks for 2 micro-batches of a step, the program has 4
// MISSPELT: misspelt.json: parameters: "fc\.wight": matches nothing; nearest: `fc.weight`
// NONE: none.json: cannot read the plan file

// CHECK: remark: no key of the plan matches fc.bias: propagation decides their layouts
// CHECK: module attributes {dist.mesh = #mesh}
// CHECK: func.func @step
// CHECK-SAME: %[[W:.*]]: tensor<32x16xf32> {dist.wish = #dist.wish<#mesh, [{"tp"}p1, {}]>, vs.name = "fc.weight"
// CHECK-SAME: tensor<32xf32> {vs.name = "fc.bias"
// CHECK-SAME: tensor<16x32xf32> {dist.wish = #dist.wish<#mesh, [{}, {"tp"}p1]>, vs.name = "proj.weight"
// CHECK-SAME: tensor<32x16xf32> {dist.also_cut_by = ["dp"], vs.name = "fc.weight.m"
// CHECK-SAME: tensor<8x16xf32> {dist.wish = #dist.wish<#mesh, [{"dp"}p0, {}]>, vs.name = "x"
func.func @step(%w: tensor<32x16xf32> {vs.role = "parameter", vs.name = "fc.weight"},
                %b: tensor<32xf32> {vs.role = "parameter", vs.name = "fc.bias"},
                %p: tensor<16x32xf32> {vs.role = "parameter", vs.name = "proj.weight"},
                %m: tensor<32x16xf32> {vs.role = "state", vs.name = "fc.weight.m"},
                %x: tensor<8x16xf32> {vs.role = "batch", vs.name = "x"})
    -> (tensor<8x32xf32>, tensor<32x16xf32>) {
  %0 = vs.einsum "bd,fd->bf" %x, %w : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32>
  // CHECK: %[[H:.*]] = vs.tag %{{.*}} {name = "hidden"}
  // CHECK-NEXT: %[[C:.*]] = dist.constrain %[[H]] {wish = #dist.wish<#mesh, [{"dp", ?}p0, {"tp", ?}p0]>}
  %1 = vs.tag %0 {name = "hidden"} : tensor<8x32xf32>
  // CHECK: vs.tag %{{.*}} {name = "fc.weight.gradient"}
  // CHECK-NEXT: dist.constrain %{{.*}} {wish = #dist.wish<#mesh, [{"tp"}p1, {}]>}
  %g = vs.tag %w {name = "fc.weight.gradient"} : tensor<32x16xf32>
  // CHECK: return %[[C]]
  return %1, %g : tensor<8x32xf32>, tensor<32x16xf32>
}

// A plan speaks of one micro-batch: the dim that counts them is not cut.
// CHECK: func.func @accumulating
// CHECK-SAME: tensor<4x8x16xf32> {dist.wish = #dist.wish<#mesh, [{}, {"dp"}p0, {}]>, vs.micro_batches = 4 : i64, vs.name = "x"
func.func @accumulating(%x: tensor<4x8x16xf32> {vs.role = "batch", vs.name = "x", vs.micro_batches = 4 : i64}) {
  return
}
