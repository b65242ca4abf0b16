// A distributed program computes on all ranks what it means on one device.
// RUN: vescale interpret %s --function sums --compare-one-device | FileCheck %s
// RUN: vescale interpret %s --function sums --ranks one --input 0=iota | FileCheck %s --check-prefix=ONE
// RUN: vescale interpret %s --function sums --input 0=iota | FileCheck %s --check-prefix=ONE

// CHECK: 1 results are equal
// ONE: 0: f64 [3] = 3.75 4.375 5

#mesh = #dist.mesh<["x" = 2, "y" = 3]>

func.func @sums(%a: tensor<5x3xf64, #dist.layout<#mesh, [{"x"}, {"y"} ]>>)
    -> tensor<3xf64, #dist.layout<#mesh, [{} ]>> {
  %s = vs.reduce sum %a dims = [0] : tensor<5x3xf64, #dist.layout<#mesh, [{"x"}, {"y"} ]>>
      -> tensor<3xf64, #dist.layout<#mesh, [{"y"} ], partial = [sum: "x"]>>
  %r = dist.redistribute %s : tensor<3xf64, #dist.layout<#mesh, [{"y"} ], partial = [sum: "x"]>>
      -> tensor<3xf64, #dist.layout<#mesh, [{} ]>>
  return %r : tensor<3xf64, #dist.layout<#mesh, [{} ]>>
}
