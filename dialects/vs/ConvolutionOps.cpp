//===- ConvolutionOps.cpp - Convolution and pooling ------------------------------------===//

#include "dialects/vs/ConvolutionOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/ConvolutionOps.cpp.inc"

void VsDialect::registerConvolutionOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/ConvolutionOps.cpp.inc"
      >();
}

namespace {
/// How windows move over the spatial dims.
struct Windows {
  ArrayRef<int64_t> strides, padding, dilation;
};
} // namespace

/// Checks that `x` is (n, c, spatial) with one or two spatial dims.
static LogicalResult checkImages(Operation *op, NamedValue x) {
  if (x.rank() == 3 || x.rank() == 4)
    return success();
  return op->emitOpError() << x.name << " has rank " << x.rank()
                           << ", must have 3 or 4: n, c and one or two spatial dims";
}

/// Number of windows of `window` elements, `dilation` apart, over a padded dim of `size`; 0 where
/// none fits.
static int64_t windowCount(int64_t size, int64_t window, int64_t stride, int64_t padding,
                           int64_t dilation) {
  int64_t room = size + 2 * padding - dilation * (window - 1) - 1;
  return room < 0 ? 0 : room / stride + 1;
}

/// Checks a convolution of `x` with `weight` to `y`; the gradients have the same three shapes.
static LogicalResult checkConvolution(Operation *op, NamedValue x, NamedValue weight, NamedValue y,
                                      Windows windows, int64_t groups) {
  if (failed(checkImages(op, x)) || failed(checkRank(op, weight, x.rank())) ||
      failed(checkRank(op, y, x.rank())))
    return failure();
  int64_t spatial = x.rank() - 2;
  StringRef what = "one per spatial dim";
  if (failed(checkLength(op, "strides", windows.strides, spatial, what)) ||
      failed(checkLength(op, "padding", windows.padding, spatial, what)) ||
      failed(checkLength(op, "dilation", windows.dilation, spatial, what)) ||
      failed(checkAtLeast(op, "strides", windows.strides, 1)) ||
      failed(checkAtLeast(op, "padding", windows.padding, 0)) ||
      failed(checkAtLeast(op, "dilation", windows.dilation, 1)) ||
      failed(checkAtLeast(op, "groups", groups, 1)))
    return failure();
  int64_t inputs = x.shape()[1], outputs = weight.shape()[0];
  if (inputs % groups != 0 || outputs % groups != 0)
    return op->emitOpError() << "groups is " << groups << ", must divide the " << inputs
                             << " input channels of " << x.name << " and the " << outputs
                             << " output channels of " << weight.name;
  if (weight.shape()[1] != inputs / groups)
    return op->emitOpError() << weight.name << " has size " << weight.shape()[1]
                             << " in dim 1, must have " << inputs / groups
                             << ": input channels / groups";
  SmallVector<int64_t> shape{x.shape()[0], outputs};
  for (int64_t dim = 0; dim < spatial; ++dim)
    shape.push_back(windowCount(x.shape()[dim + 2], weight.shape()[dim + 2], windows.strides[dim],
                                windows.padding[dim], windows.dilation[dim]));
  return failure(failed(checkShape(op, y, shape, "(n, out, windows that fit)")) ||
                 failed(checkSameElementType(op, weight, x)) ||
                 failed(checkSameElementType(op, y, x)));
}

LogicalResult ConvolutionOp::verify() {
  return checkConvolution(*this, {"x", getX()}, {"weight", getWeight()}, {"y", getY()},
                          {getStrides(), getPadding(), getDilation()}, getGroups());
}

LogicalResult ConvolutionInputGradientOp::verify() {
  return checkConvolution(*this, {"x_gradient", getXGradient()}, {"weight", getWeight()},
                          {"gradient", getGradient()}, {getStrides(), getPadding(), getDilation()},
                          getGroups());
}

LogicalResult ConvolutionWeightGradientOp::verify() {
  return checkConvolution(*this, {"x", getX()}, {"weight_gradient", getWeightGradient()},
                          {"gradient", getGradient()}, {getStrides(), getPadding(), getDilation()},
                          getGroups());
}

static LogicalResult checkPool(Operation *op, NamedValue x, NamedValue y, ArrayRef<int64_t> window,
                               ArrayRef<int64_t> strides, ArrayRef<int64_t> padding) {
  if (failed(checkImages(op, x)) || failed(checkRank(op, y, x.rank())))
    return failure();
  int64_t spatial = x.rank() - 2;
  StringRef what = "one per spatial dim";
  if (failed(checkLength(op, "window", window, spatial, what)) ||
      failed(checkLength(op, "strides", strides, spatial, what)) ||
      failed(checkLength(op, "padding", padding, spatial, what)) ||
      failed(checkAtLeast(op, "window", window, 1)) ||
      failed(checkAtLeast(op, "strides", strides, 1)) ||
      failed(checkAtLeast(op, "padding", padding, 0)))
    return failure();
  SmallVector<int64_t> shape(x.shape().take_front(2));
  for (int64_t dim = 0; dim < spatial; ++dim) {
    // More padding would make windows without a single element.
    if (2 * padding[dim] > window[dim])
      return op->emitOpError() << "padding holds " << padding[dim] << " for spatial dim " << dim
                               << ", must be at most half the window, which has " << window[dim];
    shape.push_back(
        windowCount(x.shape()[dim + 2], window[dim], strides[dim], padding[dim], /*dilation=*/1));
  }
  return failure(failed(checkShape(op, y, shape, "(n, c, windows that fit)")) ||
                 failed(checkSameElementType(op, y, x)));
}

LogicalResult MaxPoolOp::verify() {
  return checkPool(*this, {"x", getX()}, {"y", getY()}, getWindow(), getStrides(), getPadding());
}

LogicalResult MaxPoolGradientOp::verify() {
  NamedValue x{"x", getX()};
  return failure(failed(checkPool(*this, x, {"gradient", getGradient()}, getWindow(), getStrides(),
                                  getPadding())) ||
                 failed(checkSameAs(*this, {"x_gradient", getXGradient()}, x)));
}
