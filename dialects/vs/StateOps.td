//===- StateOps.td - Optimizers -------------------------------------------===//
//
// The learning rate and the number of the step are scalars known at run time. Results are the new
// state, in the operands' order. `sgd` and `adamw` are elementwise, so any layout serves.
//
//===----------------------------------------------------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

def Vs_SgdOp : Vs_PureOp<"sgd"> {
  let summary = "Stochastic gradient descent, with or without momentum";
  let description = [{
    With g = gradient + weight_decay * parameter (as PyTorch's SGD without dampening):
    without momentum, p' = p - lr * g. With it, m' = momentum_factor * m + g and p' = p - lr * m',
    or with `nesterov` p' = p - lr * (g + momentum_factor * m').

    Constraints:
    - (C1) parameter, gradient, momentum and their new values have one shape.
    - (C2) each new value has the element type of its old one.
    - (C3) there is a new momentum exactly where there is a momentum.
    - (C4) `nesterov` needs a momentum.
    - (C5) `momentum_factor` and `weight_decay` are not negative.

    ```mlir
    %p1, %m1 = vs.sgd %p, %g, %m, %lr {momentum_factor = 0.9}
        : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>)
        -> (tensor<8x4xf32>, tensor<8x4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$parameter, Vs_FloatTensor:$gradient,
                   Optional<Vs_FloatTensor>:$momentum, Vs_FloatScalar:$learning_rate,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$momentum_factor,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$weight_decay,
                   UnitAttr:$nesterov);
  let results = (outs Vs_FloatTensor:$new_parameter, Optional<Vs_FloatTensor>:$new_momentum);
  let hasVerifier = 1;
}

def Vs_AdamwOp : Vs_PureOp<"adamw"> {
  let summary = "Adam with decoupled weight decay";
  let description = [{
    With t = step, the number of this step counted from 1 (Loshchilov and Hutter, "Decoupled Weight
    Decay Regularization", arXiv 1711.05101, as PyTorch's AdamW):
    m' = beta1 * m + (1 - beta1) * g, v' = beta2 * v + (1 - beta2) * g^2,
    p' = p - lr * weight_decay * p - lr * (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + epsilon).

    Constraints:
    - (C1) parameter, gradient, moments and their new values have one shape.
    - (C2) each new value has the element type of its old one.
    - (C3) `beta1` and `beta2` lie in [0, 1).
    - (C4) `epsilon` and `weight_decay` are not negative.

    ```mlir
    %p1, %m1, %v1 = vs.adamw %p, %g, %m, %v, %lr, %step {beta1 = 0.9, beta2 = 0.95}
        : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>,
           tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$parameter, Vs_FloatTensor:$gradient,
                   Vs_FloatTensor:$first_moment, Vs_FloatTensor:$second_moment,
                   Vs_FloatScalar:$learning_rate, Vs_CountScalar:$step,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.9">:$beta1,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.999">:$beta2,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-8">:$epsilon,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.01">:$weight_decay);
  let results = (outs Vs_FloatTensor:$new_parameter, Vs_FloatTensor:$new_first_moment,
                  Vs_FloatTensor:$new_second_moment);
  let hasVerifier = 1;
}

def Vs_Adamw8bitOp : Vs_PureOp<"adamw8bit"> {
  let summary = "AdamW whose moments are stored in 8 bits, quantised by blocks";
  let description = [{
    The update of `adamw` on dequantised moments, which are quantised again. The elements of a
    moment, flattened in row-major order, form blocks of `block_size`, the last one perhaps
    shorter; each has one f32 scale, the largest absolute value of the block (Dettmers et al.,
    "8-bit Optimizers via Block-wise Quantization", arXiv 2110.02861). An element is
    `scale * q / 127` for the first moment (signed), `scale * q / 255` for the second (not negative),
    rounded to the nearest, halves to even.

    Constraints:
    - (C1) parameter, gradient, moments and their new values have one shape.
    - (C2) each new value has the element type of its old one.
    - (C3) `block_size` is at least 1.
    - (C4) both scales and their new values are 1-D of size ceil(elements / block_size).
    - (C5) `beta1` and `beta2` lie in [0, 1).
    - (C6) `epsilon` and `weight_decay` are not negative.

    ```mlir
    %p1, %m1, %ms1, %v1, %vs1 = vs.adamw8bit %p, %g, %m, %ms, %v, %vs, %lr, %step {block_size = 16}
        : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>,
           tensor<2xf32>, tensor<f32>, tensor<i64>)
        -> (tensor<8x4xf32>, tensor<8x4xi8>, tensor<2xf32>, tensor<8x4xui8>, tensor<2xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$parameter, Vs_FloatTensor:$gradient,
                   Vs_SignedBytesTensor:$first_moment, Vs_StatisticsTensor:$first_scale,
                   Vs_UnsignedBytesTensor:$second_moment, Vs_StatisticsTensor:$second_scale,
                   Vs_FloatScalar:$learning_rate, Vs_CountScalar:$step,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "256">:$block_size,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.9">:$beta1,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.999">:$beta2,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-8">:$epsilon,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.01">:$weight_decay);
  let results = (outs Vs_FloatTensor:$new_parameter, Vs_SignedBytesTensor:$new_first_moment,
                  Vs_StatisticsTensor:$new_first_scale,
                  Vs_UnsignedBytesTensor:$new_second_moment,
                  Vs_StatisticsTensor:$new_second_scale);
  let hasVerifier = 1;
}

def Vs_MuonOp : Vs_PureOp<"muon"> {
  let summary = "Momentum orthogonalised by Newton-Schulz iterations, for matrices";
  let description = [{
    m' = momentum_factor * m + g; u = g + momentum_factor * m' with `nesterov`, else m';
    p' = p - lr * weight_decay * p - lr * sqrt(max(1, rows / columns)) * orthogonal(u), where
    orthogonal normalises u by its Frobenius norm (plus `epsilon`) and runs `iterations` steps
    X <- aX + (bA + cA^2)X, A = XX^T, (a, b, c) = (3.4445, -4.7750, 2.0315), on the transpose where
    there are more rows than columns (Jordan et al., "Muon: An optimizer for hidden layers in neural
    networks", 2024). Needs whole matrices: both dims enter every element.

    Constraints:
    - (C1) the parameter is 2-D.
    - (C2) parameter, gradient, momentum and their new values have one shape.
    - (C3) each new value has the element type of its old one.
    - (C4) `iterations` is at least 1.
    - (C5) `momentum_factor`, `epsilon` and `weight_decay` are not negative.

    ```mlir
    %p1, %m1 = vs.muon %p, %g, %m, %lr {nesterov}
        : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>)
        -> (tensor<8x4xf32>, tensor<8x4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$parameter, Vs_FloatTensor:$gradient, Vs_FloatTensor:$momentum,
                   Vs_FloatScalar:$learning_rate,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.95">:$momentum_factor,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "5">:$iterations,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-7">:$epsilon,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$weight_decay,
                   UnitAttr:$nesterov);
  let results = (outs Vs_FloatTensor:$new_parameter, Vs_FloatTensor:$new_momentum);
  let hasVerifier = 1;
}

def Vs_ClipByGlobalNormOp : Vs_PureOp<"clip_by_global_norm"> {
  let summary = "Gradients scaled down so that their common norm is at most max_norm";
  let description = [{
    norm = sqrt(sum over all gradients of the sum of squares), accumulated in f32 (f64 for f64
    gradients); each result is gradient * min(1, max_norm / (norm + 1e-6)), as PyTorch's
    `clip_grad_norm_`. The last result is the norm before clipping.

    Constraints:
    - (C1) there is at least one gradient.
    - (C2) there is one clipped gradient per gradient.
    - (C3) each clipped gradient has the shape and element type of its gradient.
    - (C4) `max_norm` is not negative.

    ```mlir
    %c0, %c1, %norm = vs.clip_by_global_norm %g0, %g1 {max_norm = 1.0}
        : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<f32>)
    ```
  }];
  let arguments = (ins Variadic<Vs_FloatTensor>:$gradients, Vs_F64Attr:$max_norm);
  let results = (outs Variadic<Vs_FloatTensor>:$clipped, Vs_StatisticsScalar:$norm);
  // The norm is f64 if a gradient is, else f32; results have no layouts.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$gradients, "double":$maxNorm)>];
  let hasVerifier = 1;
}
