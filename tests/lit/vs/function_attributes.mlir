// RUN: vescale-opt %s | FileCheck %s
// RUN: vescale-opt %s --mlir-print-op-generic | vescale-opt | FileCheck %s

// CHECK-LABEL: func.func @step
// CHECK-SAME: vs.decay = true, vs.init = #vs.uniform<-0.1, 0.1>, vs.name = "a.weight", vs.role = "parameter"
// CHECK-SAME: vs.decay = false, vs.init = #vs.zeros, vs.name = "a.bias", vs.role = "parameter"
// CHECK-SAME: vs.init = #vs.ones, vs.name = "norm.weight", vs.role = "parameter"
// CHECK-SAME: vs.init = #vs.from_file<"gpt.safetensors">, vs.name = "wte.weight", vs.role = "parameter"
// CHECK-SAME: tensor<8x4xf32> {vs.name = "a.weight.first_moment", vs.role = "state"}
// CHECK-SAME: !vs.rng {vs.name = "rng", vs.role = "rng"}
// CHECK-SAME: tensor<f32> {vs.name = "learning_rate", vs.role = "scalar"}
func.func @step(
    %w: tensor<8x4xf32> {vs.role = "parameter", vs.name = "a.weight", vs.init = #vs.uniform<-0.1, 0.1>, vs.decay = true},
    %b: tensor<8xf32> {vs.role = "parameter", vs.name = "a.bias", vs.init = #vs.zeros, vs.decay = false},
    %n: tensor<8xf32> {vs.role = "parameter", vs.name = "norm.weight", vs.init = #vs.ones},
    %e: tensor<8xf32> {vs.role = "parameter", vs.name = "wte.weight", vs.init = #vs.from_file<"gpt.safetensors">},
    %m: tensor<8x4xf32> {vs.role = "state", vs.name = "a.weight.first_moment"},
    %r: !vs.rng {vs.role = "rng", vs.name = "rng"},
    %lr: tensor<f32> {vs.role = "scalar", vs.name = "learning_rate"},
    %unnamed: tensor<f32>) {
  return
}
