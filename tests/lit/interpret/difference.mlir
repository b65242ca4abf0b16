// A difference ends with status 1 and names its place; wrong input ends with status 2.
// RUN: vescale interpret %s --function double --input 0=iota --compare %s > %t; test $? -eq 0
// RUN: vescale interpret %s --function adds_twice --compare-one-device --input 0=1 --input 1=1 > %t; test $? -eq 1
// RUN: FileCheck %s < %t
// CHECK: largest relative difference 0.5: result '0', element [0]: 3 and 2

// RUN: vescale interpret %s > %t 2>&1; test $? -eq 2
// RUN: FileCheck %s --check-prefix=FUNCTION < %t
// FUNCTION: error: '{{.*}}difference.mlir' has the functions @double, @adds_twice; choose one by --function

// RUN: vescale interpret %s --function double --input z=1 > %t 2>&1; test $? -eq 2
// RUN: FileCheck %s --check-prefix=INPUT < %t
// INPUT: error: --input 'z=1': @double has no such argument; it has 0

// RUN: vescale interpret %s --function double --input 0=none.txt > %t 2>&1; test $? -eq 2
// RUN: FileCheck %s --check-prefix=FILE < %t
// FILE: error: --input '0=none.txt': 'none.txt' cannot be read

// RUN: echo 1 2 3 > %t.txt
// RUN: vescale interpret %s --function double --input 0=%t.txt > %t 2>&1; test $? -eq 2
// RUN: FileCheck %s --check-prefix=COUNT < %t
// COUNT: error: --input {{.*}} has 3 numbers, the argument has 2 elements

// RUN: vescale interpret %s --function double --print h > %t 2>&1; test $? -eq 2
// RUN: FileCheck %s --check-prefix=PRINT < %t
// PRINT: error: --print 'h': no result, argument or tag of @double has this name

// RUN: vescale interpret %t.none > %t 2>&1; test $? -eq 2
// RUN: FileCheck %s --check-prefix=MODULE < %t
// MODULE: error: {{.*}}none

func.func @double(%a: tensor<2xf64>) -> tensor<2xf64> {
  %s = vs.add %a, %a : tensor<2xf64>
  return %s : tensor<2xf64>
}

// Both devices add the second operand to their contributions, so that it counts twice.
#mesh = #dist.mesh<["x" = 2]>
func.func @adds_twice(%a: tensor<2xf64, #dist.layout<#mesh, [{} ], partial = [sum: "x"]>>,
                      %b: tensor<2xf64, #dist.layout<#mesh, [{} ]>>)
    -> tensor<2xf64, #dist.layout<#mesh, [{} ], partial = [sum: "x"]>> {
  %s = vs.add %a, %b : (tensor<2xf64, #dist.layout<#mesh, [{} ], partial = [sum: "x"]>>,
                        tensor<2xf64, #dist.layout<#mesh, [{} ]>>)
      -> tensor<2xf64, #dist.layout<#mesh, [{} ], partial = [sum: "x"]>>
  return %s : tensor<2xf64, #dist.layout<#mesh, [{} ], partial = [sum: "x"]>>
}
