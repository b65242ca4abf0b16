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

// What is dropped is 0 even where it was not a number, on all ranks as on one device.
// RUN: vescale interpret %s --function dropped --compare-one-device | FileCheck %s

func.func @dropped(%rng: !vs.rng) -> tensor<8xf64, #dist.layout<#mesh, [{"x"} ]>> {
  %0 = vs.constant dense<0x7FF8000000000000> : tensor<8xf64, #dist.layout<#mesh, [{"x"} ]>>
  %1 = vs.dropout %0, %rng {draw_id = 0, rate = 0.5}
      : (tensor<8xf64, #dist.layout<#mesh, [{"x"} ]>>, !vs.rng) -> tensor<8xf64, #dist.layout<#mesh, [{"x"} ]>>
  return %1 : tensor<8xf64, #dist.layout<#mesh, [{"x"} ]>>
}
