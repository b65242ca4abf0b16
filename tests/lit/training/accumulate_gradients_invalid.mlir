// RUN: vescale-opt %s --verify-diagnostics --vs-differentiate --vs-accumulate-gradients=count=2

// expected-error @+1 {{result #1 (rows) of type 'tensor<i64>' has no mean over micro-batches}}
func.func @loss(%x: tensor<2xf32> {vs.role = "batch", vs.name = "x"},
                %w: tensor<2xf32> {vs.role = "parameter", vs.name = "w"}) -> (tensor<f32>, tensor<i64> {vs.name = "rows"}) {
  %p = vs.mul %x, %w : tensor<2xf32>
  %l = vs.reduce mean %p dims = [0] : tensor<2xf32> -> tensor<f32>
  %n = vs.constant dense<2> : tensor<i64>
  return %l, %n : tensor<f32>, tensor<i64>
}
