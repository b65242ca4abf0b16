// RUN: vescale-opt --dist-propagate=aggressive=false --split-input-file %s | FileCheck %s

#mesh = #dist.mesh<["a" = 2, "b" = 2]>

// The result has b on its other dim, so only a spreads.
// CHECK-LABEL: func.func @multiple_axes_some_incompatible
// CHECK-SAME:    %arg0: tensor<8x8xf32, #dist.layout<#mesh, [{"a", "b"}, {}]>>
// CHECK-SAME:    %arg1: tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {}]>>
// CHECK-SAME:    -> tensor<8x8xf32, #dist.layout<#mesh, [{"a"}, {"b"}]>>
func.func @multiple_axes_some_incompatible(
    %x: tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{"a", "b"}, {}]>}, %y: tensor<8x8xf32>)
    -> (tensor<8x8xf32> {dist.wish = #dist.wish<#mesh, [{?}, {"b", ?}]>}) {
  %0 = vs.add %x, %y : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

#mesh = #dist.mesh<["a" = 2]>

// Without the aggressive strategy even a conflict that no tensor has stops both factors.
// CHECK-LABEL: func.func @fake_conflict_between_free_dims
// CHECK-SAME:    %arg1: tensor<128x512xf32, #dist.layout<#mesh, [{}, {}]>>
func.func @fake_conflict_between_free_dims(
    %x: tensor<256x512xf32> {dist.wish = #dist.wish<#mesh, [{"a", ?}, {?}]>},
    %y: tensor<128x512xf32>)
    -> (tensor<256x128xf32> {dist.wish = #dist.wish<#mesh, [{?}, {"a", ?}]>}) {
  %0 = vs.einsum "md,nd->mn" %x, %y
      : (tensor<256x512xf32>, tensor<128x512xf32>) -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}
