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
