// RUN: vescale-opt --show-dialects | FileCheck %s
// RUN: vescale-opt %s | FileCheck %s --check-prefix=MODULE

// CHECK: dist

// MODULE: func.func @a_model_without_layouts
func.func @a_model_without_layouts(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
