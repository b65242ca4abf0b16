// A model is run on its initial values and inputs by name, and compared with itself.
// RUN: vescale interpret %s --input x=iota --input y=zeros | FileCheck %s
// RUN: vescale interpret %s --input x=iota --input y=zeros --print fc.output | FileCheck %s --check-prefix=TAG
// RUN: vescale interpret %s --compare %s | FileCheck %s --check-prefix=EQUAL

// EQUAL: 1 results are equal

// Rows 0 1/8 and 2/8 3/8 times (1, 1), (1, 1).
// TAG: fc.output: f32 [2, 2] = 0.125 0.125 0.625 0.625
// CHECK: 0: f32 = 0.203125
func.func @loss(%x: tensor<2x2xf32> {vs.role = "batch", vs.name = "x"},
                %w: tensor<2x2xf32> {vs.role = "parameter", vs.name = "fc.weight", vs.init = #vs.ones},
                %y: tensor<2x2xf32> {vs.role = "batch", vs.name = "y"}) -> tensor<f32> {
  %h = vs.einsum "bi,oi->bo" %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = vs.tag %h {name = "fc.output"} : tensor<2x2xf32>
  %d = vs.sub %t, %y : tensor<2x2xf32>
  %s = vs.mul %d, %d : tensor<2x2xf32>
  %l = vs.reduce mean %s dims = [0, 1] : tensor<2x2xf32> -> tensor<f32>
  return %l : tensor<f32>
}
