// RUN: vescale-opt %s --dist-propagate --dist-settle --dist-verify-placement | FileCheck %s

// Two key heads cannot be cut by 4 together with the query heads that share them: what the wish asks moves.
#mesh = #dist.mesh<["x" = 1, "y" = 4]>
// CHECK-LABEL: func.func @heads(
// CHECK: dist.redistribute
// CHECK: vs.attention
func.func @heads(%q: tensor<2x4x4x1xf32>, %k: tensor<2x2x1x1xf32> {dist.wish = #dist.wish<#mesh, [{"x"}, {"y":(2)2, "y":(1)2}, {?}, {}]>}, %v: tensor<2x2x1x1xf32>) -> tensor<2x4x4x1xf32> {
  %o, %l = vs.attention %q, %k, %v {causal} : (tensor<2x4x4x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>) -> (tensor<2x4x4x1xf32>, tensor<2x4x4xf32>)
  return %o : tensor<2x4x4x1xf32>
}
