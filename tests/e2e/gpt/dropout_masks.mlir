// Gradients that are the masks of dropout: loss = sum(dropout(x)) + sum(attention(0, 0, identity) * w), so that the
// gradient of x is 2 where an element is kept and 0 where it is dropped, and that of w is the matrix of attention's
// probabilities, 1 / (row + 1) before dropout.
// A training executable needs tokens: their mean adds to the loss, and nothing to the gradients.
func.func @loss(%tokens: tensor<2x4xi32> {vs.name = "tokens", vs.role = "batch"},
                %rng: !vs.rng {vs.name = "rng", vs.role = "rng"},
                %x: tensor<6x10x9xf32> {vs.init = #vs.ones, vs.name = "x", vs.role = "parameter"},
                %q: tensor<3x4x8x8xf32> {vs.init = #vs.zeros, vs.name = "q", vs.role = "parameter"},
                %w: tensor<3x4x8x8xf32> {vs.init = #vs.ones, vs.name = "w", vs.role = "parameter"})
    -> tensor<f32> {
  %kept = vs.dropout %x, %rng {rate = 0.5} : (tensor<6x10x9xf32>, !vs.rng) -> tensor<6x10x9xf32>
  %a = vs.reduce sum %kept dims = [0, 1, 2] : tensor<6x10x9xf32> -> tensor<f32>
  %positions = vs.iota {dim = 2} : tensor<3x4x8xi32>
  %identity = vs.one_hot %positions {depth = 8} : tensor<3x4x8xi32> -> tensor<3x4x8x8xf32>
  %y, %log_sum_exp = vs.attention %q, %q, %identity, %rng {causal, dropout = 0.5}
      : (tensor<3x4x8x8xf32>, tensor<3x4x8x8xf32>, tensor<3x4x8x8xf32>, !vs.rng)
      -> (tensor<3x4x8x8xf32>, tensor<3x4x8xf32>)
  %weighted = vs.mul %y, %w : tensor<3x4x8x8xf32>
  %b = vs.reduce sum %weighted dims = [0, 1, 2, 3] : tensor<3x4x8x8xf32> -> tensor<f32>
  %numbers = vs.cast %tokens : tensor<2x4xi32> -> tensor<2x4xf32>
  %c = vs.reduce mean %numbers dims = [0, 1] : tensor<2x4xf32> -> tensor<f32>
  %masked = vs.add %a, %b : tensor<f32>
  %loss = vs.add %masked, %c : tensor<f32>
  return %loss : tensor<f32>
}
