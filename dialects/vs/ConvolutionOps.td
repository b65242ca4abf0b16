//===- ConvolutionOps.td - Convolution and pooling ------------------------===//

include "dialects/vs/Attributes.td"
include "dialects/vs/Interfaces.td"

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
