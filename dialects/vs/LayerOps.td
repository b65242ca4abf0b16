//===- LayerOps.td - Named layers and their gradients ---------------------===//
//
// A layer is an op because it has a better kernel, a better adjoint or a better cut than its
// decomposition. Gradient ops are the adjoints that have a kernel of their own; differentiation
// builds them, models need not.
//
// Statistics (means, reciprocal deviations, log-sum-exp, losses) are f32 for operands of f32 and
// narrower types, f64 for f64: the statistics type of an element type.
//
//===----------------------------------------------------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

class Vs_SoftmaxOpBase<string mnemonic, string meaning, string formula>
    : Vs_PureOp<mnemonic, [Vs_SameShape, Vs_UniformElementType]> {
  let summary = meaning;
  let description = formula # [{

    Constraints:
    - (C1) 0 <= `dim` < rank.
    - (C2) operand and result have the same shape.
    - (C3) operand and result have the same element type.

    ```mlir
    %y = vs.}] # mnemonic # [{ %x {dim = 1} : tensor<8x10xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_I64Attr:$dim);
  let results = (outs Vs_FloatTensor:$y);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "int64_t":$dim), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, dim);
  }]>];
  let hasVerifier = 1;
}

def Vs_SoftmaxOp : Vs_SoftmaxOpBase<"softmax", "exp(x) normalised to sum 1 along a dim",
    "`y = exp(x - max(x)) / sum(exp(x - max(x)))` along `dim`.">;
def Vs_LogSoftmaxOp : Vs_SoftmaxOpBase<"log_softmax", "Logarithm of softmax along a dim",
    "`y = x - max(x) - log(sum(exp(x - max(x))))` along `dim`.">;

class Vs_SoftmaxGradientOpBase<string mnemonic, string meaning, string formula>
    : Vs_PureOp<mnemonic, [Vs_SameShape, Vs_UniformElementType]> {
  let summary = meaning;
  let description = formula # [{

    Constraints:
    - (C1) 0 <= `dim` < rank.
    - (C2) operands and result have the same shape.
    - (C3) operands and result have the same element type.

    ```mlir
    %dx = vs.}] # mnemonic # [{ %y, %dy {dim = 1} : tensor<8x10xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$y, Vs_FloatTensor:$gradient, Vs_I64Attr:$dim);
  let results = (outs Vs_FloatTensor:$x_gradient);
  let builders = [OpBuilder<(ins "::mlir::Value":$y, "::mlir::Value":$gradient, "int64_t":$dim), [{
    build($_builder, $_state, withoutLayout(y.getType()), y, gradient, dim);
  }]>];
  let hasVerifier = 1;
}

def Vs_SoftmaxGradientOp : Vs_SoftmaxGradientOpBase<"softmax_gradient",
    "Adjoint of softmax, from its result", "`dx = y * (dy - sum(y * dy))` along `dim`.">;
def Vs_LogSoftmaxGradientOp : Vs_SoftmaxGradientOpBase<"log_softmax_gradient",
    "Adjoint of log_softmax, from its result", "`dx = dy - exp(y) * sum(dy)` along `dim`.">;

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

def Vs_LayerNormOp : Vs_PureOp<"layer_norm"> {
  let summary = "Normalisation of the last dim to mean 0 and variance 1";
  let description = [{
    `mean` and `rstd = 1 / sqrt(variance + epsilon)` over the last dim, the variance divided by the
    size; `y = (x - mean) * rstd * weight + bias`.

    Constraints:
    - (C1) `x` has at least one dim.
    - (C2) `weight` and `bias` are 1-D of the size of the last dim.
    - (C3) `x`, `weight`, `bias` and `y` have the same element type.
    - (C4) `y` has the shape of `x`.
    - (C5) `mean` and `rstd` have the shape of `x` without the last dim.
    - (C6) `mean` and `rstd` have the statistics type of `x`.
    - (C7) `epsilon` is not negative.

    ```mlir
    %y, %mean, %rstd = vs.layer_norm %x, %w, %b {epsilon = 1.0e-5}
        : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
        -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_FloatTensor:$bias,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-5">:$epsilon);
  let results = (outs Vs_FloatTensor:$y, Vs_StatisticsTensor:$mean, Vs_StatisticsTensor:$rstd);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$weight,
                                 "::mlir::Value":$bias, "double":$epsilon)>];
  let hasVerifier = 1;
}

def Vs_LayerNormGradientOp : Vs_PureOp<"layer_norm_gradient"> {
  let summary = "Adjoint of layer_norm with respect to y";
  let description = [{
    With n = (x - mean) * rstd and h = gradient * weight:
    dx = rstd * (h - mean(h) - n * mean(h * n)) over the last dim; dweight = sum(gradient * n) and
    dbias = sum(gradient) over all other dims.

    Constraints:
    - (C1) `x` has at least one dim.
    - (C2) `weight` and its and the bias's gradients are 1-D of the size of the last dim.
    - (C3) all but the statistics have the element type of `x`.
    - (C4) `gradient` and `x_gradient` have the shape of `x`.
    - (C5) `mean` and `rstd` have the shape of `x` without the last dim.
    - (C6) `mean` and `rstd` have the statistics type of `x`.

    ```mlir
    %dx, %dw, %db = vs.layer_norm_gradient %x, %w, %mean, %rstd, %dy
        : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>)
        -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_StatisticsTensor:$mean,
                   Vs_StatisticsTensor:$rstd, Vs_FloatTensor:$gradient);
  let results = (outs Vs_FloatTensor:$x_gradient, Vs_FloatTensor:$weight_gradient,
                  Vs_FloatTensor:$bias_gradient);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$weight,
                                 "::mlir::Value":$mean, "::mlir::Value":$rstd,
                                 "::mlir::Value":$gradient)>];
  let hasVerifier = 1;
}

def Vs_RmsNormOp : Vs_PureOp<"rms_norm"> {
  let summary = "Normalisation of the last dim to mean square 1";
  let description = [{
    `rrms = 1 / sqrt(mean(x^2) + epsilon)` over the last dim; `y = x * rrms * weight`.

    Constraints:
    - (C1) `x` has at least one dim.
    - (C2) `weight` is 1-D of the size of the last dim.
    - (C3) `x`, `weight` and `y` have the same element type.
    - (C4) `y` has the shape of `x`.
    - (C5) `rrms` has the shape of `x` without the last dim.
    - (C6) `rrms` has the statistics type of `x`.
    - (C7) `epsilon` is not negative.

    ```mlir
    %y, %rrms = vs.rms_norm %x, %w {epsilon = 1.0e-6}
        : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-6">:$epsilon);
  let results = (outs Vs_FloatTensor:$y, Vs_StatisticsTensor:$rrms);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$weight,
                                 "double":$epsilon)>];
  let hasVerifier = 1;
}

def Vs_RmsNormGradientOp : Vs_PureOp<"rms_norm_gradient"> {
  let summary = "Adjoint of rms_norm with respect to y";
  let description = [{
    With n = x * rrms and h = gradient * weight: dx = rrms * (h - n * mean(h * n)) over the last dim;
    dweight = sum(gradient * n) over all other dims.

    Constraints:
    - (C1) `x` has at least one dim.
    - (C2) `weight` and its gradient are 1-D of the size of the last dim.
    - (C3) all but `rrms` have the element type of `x`.
    - (C4) `gradient` and `x_gradient` have the shape of `x`.
    - (C5) `rrms` has the shape of `x` without the last dim.
    - (C6) `rrms` has the statistics type of `x`.

    ```mlir
    %dx, %dw = vs.rms_norm_gradient %x, %w, %rrms, %dy
        : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>)
        -> (tensor<8x4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_StatisticsTensor:$rrms,
                   Vs_FloatTensor:$gradient);
  let results = (outs Vs_FloatTensor:$x_gradient, Vs_FloatTensor:$weight_gradient);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$weight,
                                 "::mlir::Value":$rrms, "::mlir::Value":$gradient)>];
  let hasVerifier = 1;
}

def Vs_BatchNormOp : Vs_PureOp<"batch_norm"> {
  let summary = "Normalisation of each channel over batch and space, as in training";
  let description = [{
    Mean and variance (divided by the count) of each channel, dim 1, over all other dims;
    `y = (x - mean) / sqrt(variance + epsilon) * weight + bias`. The running values become
    `(1 - momentum) * running + momentum * batch's`, the variance's divided by count - 1 there,
    as PyTorch does.

    Constraints:
    - (C1) `x` has at least two dims: n, c, spatial.
    - (C2) `weight`, `bias` and the running values, old and new, are 1-D of size c.
    - (C3) `x`, `weight`, `bias` and `y` have the same element type.
    - (C4) `y` has the shape of `x`.
    - (C5) the running values, old and new, have the statistics type of `x`.
    - (C6) `epsilon` is not negative and `momentum` lies in [0, 1].

    ```mlir
    %y, %m1, %v1 = vs.batch_norm %x, %w, %b, %m, %v {epsilon = 1.0e-5, momentum = 0.1}
        : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
        -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_FloatTensor:$bias,
                   Vs_StatisticsTensor:$running_mean, Vs_StatisticsTensor:$running_variance,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-5">:$epsilon,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.1">:$momentum);
  let results = (outs Vs_FloatTensor:$y, Vs_StatisticsTensor:$new_running_mean,
                  Vs_StatisticsTensor:$new_running_variance);
  let hasVerifier = 1;
}

def Vs_BatchNormGradientOp : Vs_PureOp<"batch_norm_gradient"> {
  let summary = "Adjoint of batch_norm with respect to y";
  let description = [{
    Computes the batch's statistics again. With n = (x - mean) * rstd and h = gradient * weight:
    dx = rstd * (h - mean(h) - n * mean(h * n)) with means over all dims but c;
    dweight = sum(gradient * n) and dbias = sum(gradient) over them.

    Constraints:
    - (C1) `x` has at least two dims: n, c, spatial.
    - (C2) `weight` and its and the bias's gradients are 1-D of size c.
    - (C3) all operands and results have the same element type.
    - (C4) `gradient` and `x_gradient` have the shape of `x`.
    - (C5) `epsilon` is not negative.

    ```mlir
    %dx, %dw, %db = vs.batch_norm_gradient %x, %w, %dy
        : (tensor<8x4x6xf32>, tensor<4xf32>, tensor<8x4x6xf32>)
        -> (tensor<8x4x6xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_FloatTensor:$gradient,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "1e-5">:$epsilon);
  let results = (outs Vs_FloatTensor:$x_gradient, Vs_FloatTensor:$weight_gradient,
                  Vs_FloatTensor:$bias_gradient);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loss and dropout
//===----------------------------------------------------------------------===//

def Vs_CrossEntropyOp : Vs_PureOp<"cross_entropy"> {
  let summary = "Negative log-likelihood of targets under the softmax of logits";
  let description = [{
    `loss = log(sum(exp(logits))) - logits[target]` over the last dim, 0 where the target is
    `ignore_index`. A target outside of [0, classes) that is not `ignore_index` gives NaN: such a
    target is a fault in the data.

    Constraints:
    - (C1) `logits` has at least one dim.
    - (C2) `targets` and `loss` have the shape of `logits` without the last dim.
    - (C3) `loss` has the statistics type of `logits`.

    ```mlir
    %loss = vs.cross_entropy %logits, %targets {ignore_index = -100}
        : (tensor<8x10xf32>, tensor<8xi32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$logits, Vs_IndexTensor:$targets,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "-100">:$ignore_index);
  let results = (outs Vs_StatisticsTensor:$loss);
  let builders = [OpBuilder<(ins "::mlir::Value":$logits, "::mlir::Value":$targets,
                                 "int64_t":$ignoreIndex)>];
  let hasVerifier = 1;
}

def Vs_CrossEntropyGradientOp : Vs_PureOp<"cross_entropy_gradient"> {
  let summary = "Adjoint of cross_entropy";
  let description = [{
    `dlogits = (softmax(logits) - one_hot(target)) * gradient`, 0 where the target is `ignore_index`.

    Constraints:
    - (C1) `logits` has at least one dim.
    - (C2) `targets` and `gradient` have the shape of `logits` without the last dim.
    - (C3) `gradient` has the statistics type of `logits`.
    - (C4) the result has the shape and element type of `logits`.

    ```mlir
    %dlogits = vs.cross_entropy_gradient %logits, %targets, %dloss {ignore_index = -100}
        : (tensor<8x10xf32>, tensor<8xi32>, tensor<8xf32>) -> tensor<8x10xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$logits, Vs_IndexTensor:$targets,
                   Vs_StatisticsTensor:$gradient,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "-100">:$ignore_index);
  let results = (outs Vs_FloatTensor:$logits_gradient);
  let builders = [OpBuilder<(ins "::mlir::Value":$logits, "::mlir::Value":$targets,
                                 "::mlir::Value":$gradient, "int64_t":$ignoreIndex), [{
    build($_builder, $_state, withoutLayout(logits.getType()), logits, targets, gradient,
          $_builder.getI64IntegerAttr(ignoreIndex));
  }]>];
  let hasVerifier = 1;
}

def Vs_DropoutOp : Vs_Op<"dropout", [Vs_SameShape, Vs_UniformElementType,
                                     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                     DeclareOpInterfaceMethods<RandomOpInterface,
                                                               ["drawsRandomNumbers",
                                                                "disableDraws"]>]> {
  let summary = "Elements dropped at random, the others scaled up";
  let description = [{
    An element is 0 with probability `rate`, else x / (1 - rate). Which ones, is a function of the
    generator, the draw id and the element's global position. At rate 0 it folds to x. Its adjoint is itself on the
    gradient, with the same id.

    Constraints:
    - (C1) 0 <= `rate` < 1.
    - (C2) `draw_id`, where present, is not negative.
    - (C3) operand and result have the same shape.
    - (C4) operand and result have the same element type.

    ```mlir
    %y = vs.dropout %x, %rng {rate = 0.1} : (tensor<8x4xf32>, !vs.rng) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_Rng:$rng, Vs_F64Attr:$rate,
                   OptionalAttr<Vs_I64Attr>:$draw_id);
  let results = (outs Vs_FloatTensor:$y);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$rng, "double":$rate), [{
    build($_builder, $_state, withoutLayout(x.getType()), x, rng,
          $_builder.getF64FloatAttr(rate), ::mlir::IntegerAttr());
  }]>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

class Vs_AttentionOpBase<string mnemonic>
    : Vs_Op<mnemonic, [AttrSizedOperandSegments,
                       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                       DeclareOpInterfaceMethods<RandomOpInterface,
                                                 ["drawsRandomNumbers", "disableDraws"]>]> {
  let hasVerifier = 1;
  let extraClassDefinition = "";
}

def Vs_AttentionOp : Vs_AttentionOpBase<"attention"> {
  let summary = "Scaled dot-product attention";
  let description = [{
    q: (batch, heads, query sequence, head size), k: (batch, key heads, key sequence, head size),
    v: (batch, key heads, key sequence, value size). Query head h attends to key head
    h / (heads / key heads). Per head: scores = scale * q k^T + bias;
    `log_sum_exp = log(sum(exp(scores)))` over keys; `output = dropout(softmax(scores)) v`.
    With `causal`, query i sees keys j <= i only. A query that sees no key gives 0, and -inf as
    `log_sum_exp`. `scale` is 1 / sqrt(head size) where absent. `bias` may have size 1 as batch or
    heads: it is then the same for all. Dropout acts on the probabilities, a function of generator,
    draw id and global position: the row-major one in (batch, heads, query sequence, key sequence).

    `positions` are the batch, head, query and key at which the operands start in larger tensors
    whose heads, query and key sequence are `global_sizes`; masks and dropout then follow the
    positions there. Without them the operands are the whole.

    Constraints:
    - (C1) `q`, `k` and `v` are 4-D.
    - (C2) `q`, `k` and `v` have the same batch; `k` and `v` the same heads and sequence.
    - (C3) the heads of `q` are a multiple of those of `k`.
    - (C4) `q` and `k` have the same head size.
    - (C5) `q`, `k`, `v` and `output` have the same element type.
    - (C6) `output` has the shape (batch, heads, query sequence, value size).
    - (C7) `log_sum_exp` has the shape (batch, heads, query sequence).
    - (C8) `log_sum_exp` has the statistics type of `q`.
    - (C9) `bias` has the shape (batch or 1, heads or 1, query sequence, key sequence).
    - (C10) 0 <= `dropout` < 1.
    - (C11) `dropout` above 0 needs an `rng`.
    - (C12) `draw_id`, where present, is not negative.
    - (C13) there are no `positions` or four.
    - (C14) `global_sizes` has three entries and is present exactly if there are `positions`.

    ```mlir
    %o, %lse = vs.attention %q, %k, %v {causal}
        : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
        -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$q, Vs_FloatTensor:$k, Vs_FloatTensor:$v,
                   Optional<Vs_FloatTensor>:$bias, Optional<Vs_Rng>:$rng,
                   Variadic<Index>:$positions, UnitAttr:$causal,
                   OptionalAttr<Vs_F64Attr>:$scale,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$dropout,
                   OptionalAttr<Vs_I64Attr>:$draw_id,
                   OptionalAttr<DenseI64ArrayAttr>:$global_sizes);
  let results = (outs Vs_FloatTensor:$output, Vs_StatisticsTensor:$log_sum_exp);
  // `bias` and `rng` may be null.
  let builders = [OpBuilder<(ins "::mlir::Value":$q, "::mlir::Value":$k, "::mlir::Value":$v,
                                 "::mlir::Value":$bias, "::mlir::Value":$rng, "bool":$causal,
                                 "::std::optional<double>":$scale, "double":$dropout)>];
  let extraClassDeclaration = [{
    /// The factor of the scores: `scale`, or 1 / sqrt(head size).
    double getScoreScale();
  }];
}

def Vs_AttentionGradientOp : Vs_AttentionOpBase<"attention_gradient"> {
  let summary = "Adjoint of attention with respect to output";
  let description = [{
    Computes the probabilities again from the scores and `log_sum_exp`, block by block (Dao et al.,
    "FlashAttention", arXiv 2205.14135): P = exp(scores - log_sum_exp), D = sum(gradient * output),
    dV = dropout(P)^T gradient, dS = P * (dropout(gradient V^T) - D), dQ = scale * dS K,
    dK = scale * dS^T Q, dbias = dS, summed over dims of size 1 of the bias. Gradients of shared key
    heads are summed over their query heads. Attributes as the op that it belongs to.

    Constraints:
    - (C1) - (C12) as `attention`, of the operands.
    - (C13) `gradient` has the shape and element type of `output`.
    - (C14) each gradient has the shape and element type of what it is the gradient of.
    - (C15) there is a `bias_gradient` only where there is a `bias`.
    - (C16), (C17) as (C13), (C14) of `attention`.

    ```mlir
    %dq, %dk, %dv = vs.attention_gradient %q, %k, %v, %o, %lse, %do {causal}
        : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x4x8x16xf32>,
           tensor<2x4x8xf32>, tensor<2x4x8x16xf32>)
        -> (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>)
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$q, Vs_FloatTensor:$k, Vs_FloatTensor:$v,
                   Optional<Vs_FloatTensor>:$bias, Optional<Vs_Rng>:$rng, Vs_FloatTensor:$output,
                   Vs_StatisticsTensor:$log_sum_exp, Vs_FloatTensor:$gradient,
                   Variadic<Index>:$positions, UnitAttr:$causal,
                   OptionalAttr<Vs_F64Attr>:$scale,
                   DefaultValuedOptionalAttr<Vs_F64Attr, "0.0">:$dropout,
                   OptionalAttr<Vs_I64Attr>:$draw_id,
                   OptionalAttr<DenseI64ArrayAttr>:$global_sizes);
  let results = (outs Vs_FloatTensor:$q_gradient, Vs_FloatTensor:$k_gradient,
                  Vs_FloatTensor:$v_gradient, Optional<Vs_FloatTensor>:$bias_gradient);
  // The gradient of `forward` for `gradient` of its output, with its operands and attributes.
  let builders = [OpBuilder<(ins "AttentionOp":$forward, "::mlir::Value":$gradient)>];
  let extraClassDeclaration = [{
    /// The factor of the scores: `scale`, or 1 / sqrt(head size).
    double getScoreScale();
  }];
}

//===----------------------------------------------------------------------===//
// Convolution and pooling
//===----------------------------------------------------------------------===//

def Vs_ConvolutionOp : Vs_PureOp<"convolution"> {
  let summary = "Cross-correlation over one or two spatial dims";
  let description = [{
    x: (n, in, spatial), weight: (out, in / groups, spatial), y: (n, out, spatial), as PyTorch's
    `conv1d` and `conv2d` without bias. `padding` zeros stand on both sides of each spatial dim.

    Constraints:
    - (C1) `x`, `weight` and `y` have the same rank, 3 or 4.
    - (C2) `strides`, `padding` and `dilation` have one entry per spatial dim.
    - (C3) strides and dilation are at least 1, padding is not negative, `groups` at least 1.
    - (C4) `groups` divides the input and the output channels.
    - (C5) size of weight dim 1 = input channels / groups.
    - (C6) `y` has the shape (n, out, (size + 2 padding - dilation (window - 1) - 1) / stride + 1).
    - (C7) `x`, `weight` and `y` have the same element type.

    ```mlir
    %y = vs.convolution %x, %w {strides = [2], padding = [1], dilation = [1], groups = 1}
        : (tensor<8x4x16xf32>, tensor<6x4x3xf32>) -> tensor<8x6x8xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "1">:$groups);
  let results = (outs Vs_FloatTensor:$y);
  let hasVerifier = 1;
}

def Vs_ConvolutionInputGradientOp : Vs_PureOp<"convolution_input_gradient"> {
  let summary = "Adjoint of convolution with respect to x";
  let description = [{
    The result's shape is that of the convolution's `x`.

    Constraints:
    - (C1) - (C7) as `convolution`, of `x_gradient`, `weight` and `gradient` as x, weight and y.

    ```mlir
    %dx = vs.convolution_input_gradient %w, %dy
        {strides = [2], padding = [1], dilation = [1], groups = 1}
        : (tensor<6x4x3xf32>, tensor<8x6x8xf32>) -> tensor<8x4x16xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$weight, Vs_FloatTensor:$gradient, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "1">:$groups);
  let results = (outs Vs_FloatTensor:$x_gradient);
  let hasVerifier = 1;
}

def Vs_ConvolutionWeightGradientOp : Vs_PureOp<"convolution_weight_gradient"> {
  let summary = "Adjoint of convolution with respect to weight";
  let description = [{
    The result's shape is that of the convolution's `weight`.

    Constraints:
    - (C1) - (C7) as `convolution`, of `x`, `weight_gradient` and `gradient` as x, weight and y.

    ```mlir
    %dw = vs.convolution_weight_gradient %x, %dy
        {strides = [2], padding = [1], dilation = [1], groups = 1}
        : (tensor<8x4x16xf32>, tensor<8x6x8xf32>) -> tensor<6x4x3xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$gradient, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedOptionalAttr<Vs_I64Attr, "1">:$groups);
  let results = (outs Vs_FloatTensor:$weight_gradient);
  let hasVerifier = 1;
}

def Vs_MaxPoolOp : Vs_PureOp<"max_pool"> {
  let summary = "Largest element of each window over the spatial dims";
  let description = [{
    x: (n, c, spatial) with one or two spatial dims. Padding counts as -inf.

    Constraints:
    - (C1) `x` and `y` have the same rank, 3 or 4.
    - (C2) `window`, `strides` and `padding` have one entry per spatial dim.
    - (C3) window and strides are at least 1, padding is not negative and at most half the window.
    - (C4) `y` has the shape (n, c, (size + 2 padding - window) / stride + 1).
    - (C5) `x` and `y` have the same element type.

    ```mlir
    %y = vs.max_pool %x {window = [2], strides = [2], padding = [0]}
        : tensor<8x4x16xf32> -> tensor<8x4x8xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$padding);
  let results = (outs Vs_FloatTensor:$y);
  let hasVerifier = 1;
}

def Vs_MaxPoolGradientOp : Vs_PureOp<"max_pool_gradient"> {
  let summary = "Adjoint of max_pool";
  let description = [{
    Each element of `gradient` goes to the first largest element of its window, in row-major order.

    Constraints:
    - (C1) - (C5) as `max_pool`, of `x` and `gradient` as y.
    - (C6) the result has the shape and element type of `x`.

    ```mlir
    %dx = vs.max_pool_gradient %x, %dy {window = [2], strides = [2], padding = [0]}
        : (tensor<8x4x16xf32>, tensor<8x4x8xf32>) -> tensor<8x4x16xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$gradient, DenseI64ArrayAttr:$window,
                   DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding);
  let results = (outs Vs_FloatTensor:$x_gradient);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

def Vs_GroupedMatmulOp : Vs_PureOp<"grouped_matmul"> {
  let summary = "Each group of rows times its expert's weight";
  let description = [{
    Rows of `x` (tokens, in) are sorted by expert; the first `tokens_per_expert[0]` belong to expert
    0, and so on. `y[t] = weight[expert of t] x[t]`, weight (experts, out, in). Rows beyond the sum of
    `tokens_per_expert` give 0; counts are not negative.

    Constraints:
    - (C1) `x` and `y` are 2-D, `weight` 3-D, `tokens_per_expert` 1-D.
    - (C2) `tokens_per_expert` has one entry per expert.
    - (C3) `x` and `weight` have the same input size.
    - (C4) `y` has the shape (tokens, out).
    - (C5) `x`, `weight` and `y` have the same element type.

    ```mlir
    %y = vs.grouped_matmul %x, %w, %counts
        : (tensor<32x4xf32>, tensor<3x6x4xf32>, tensor<3xi32>) -> tensor<32x6xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$weight, Vs_IndexTensor:$tokens_per_expert);
  let results = (outs Vs_FloatTensor:$y);
  let hasVerifier = 1;
}

def Vs_GroupedMatmulWeightGradientOp : Vs_PureOp<"grouped_matmul_weight_gradient"> {
  let summary = "Adjoint of grouped_matmul with respect to weight";
  let description = [{
    `dweight[e] = sum over the tokens t of expert e of gradient[t] x[t]^T`. (The gradient of `x` is a
    grouped_matmul with the transposed weights.)

    Constraints:
    - (C1) - (C5) as `grouped_matmul`, of `x`, `weight_gradient` and `gradient` as x, weight and y.

    ```mlir
    %dw = vs.grouped_matmul_weight_gradient %x, %dy, %counts
        : (tensor<32x4xf32>, tensor<32x6xf32>, tensor<3xi32>) -> tensor<3x6x4xf32>
    ```
  }];
  let arguments = (ins Vs_FloatTensor:$x, Vs_FloatTensor:$gradient,
                   Vs_IndexTensor:$tokens_per_expert);
  let results = (outs Vs_FloatTensor:$weight_gradient);
  let hasVerifier = 1;
}
