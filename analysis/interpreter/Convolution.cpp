//===- Convolution.cpp - Windows over spatial dims ------------------------------------------===//

#include "dialects/vs/ConvolutionOps.h"
#include "analysis/interpreter/Evaluation.h"


#include <cmath>
#include <limits>

using namespace mlir;

namespace vescale::analysis {
namespace {

using Index = std::vector<int64_t>;

/// Spatial sizes of a tensor (n, c, spatial).
Shape spatial(const Shape &shape) { return Shape(shape.begin() + 2, shape.end()); }

/// The place in the input that window element `w` at output `o` reads; nothing in the padding.
std::optional<Index> inputAt(const Index &o, const Index &w, const Shape &size,
                             ArrayRef<int64_t> strides, ArrayRef<int64_t> padding,
                             ArrayRef<int64_t> dilation) {
  Index place(o.size());
  for (size_t d = 0; d < o.size(); ++d) {
    place[d] = o[d] * strides[d] - padding[d] + w[d] * (dilation.empty() ? 1 : dilation[d]);
    if (place[d] < 0 || place[d] >= size[d])
      return std::nullopt;
  }
  return place;
}

/// Calls `visit(x position, weight position, y position)` for each product of a convolution.
template <class Op, class Visit>
void forEachProduct(Op op, const Shape &x, const Shape &weight, const Shape &y, Visit visit) {
  Shape size = spatial(x), window = spatial(weight), out = spatial(y);
  int64_t inPerGroup = weight[1], outPerGroup = weight[0] / op.getGroups();
  auto count = [](const Shape &shape) {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  };
  int64_t xPlane = count(size), windowPlane = count(window), yPlane = count(out);
  forEachIndex(out, [&](const Index &o, int64_t oAt) {
    forEachIndex(window, [&](const Index &w, int64_t wAt) {
      std::optional<Index> place =
          inputAt(o, w, size, op.getStrides(), op.getPadding(), op.getDilation());
      if (!place)
        return;
      int64_t xAt = position(size, *place);
      for (int64_t n = 0; n < x[0]; ++n)
        for (int64_t c = 0; c < weight[0]; ++c)
          for (int64_t i = 0; i < inPerGroup; ++i)
            visit((n * x[1] + c / outPerGroup * inPerGroup + i) * xPlane + xAt,
                  (c * inPerGroup + i) * windowPlane + wAt, (n * y[1] + c) * yPlane + oAt);
    });
  });
}

void accumulate(Tensor &tensor, int64_t at, double x) { tensor.setReal(at, tensor.real(at) + x); }

Results convolution(vs::ConvolutionOp op, Operands operands) {
  const Tensor &x = *operands[0], &weight = *operands[1];
  Tensor y = zerosOf(op.getY());
  forEachProduct(op, x.shape(), weight.shape(), y.shape(), [&](int64_t i, int64_t w, int64_t o) {
    accumulate(y, o, x.real(i) * weight.real(w));
  });
  return one(std::move(y));
}

Results convolutionInputGradient(vs::ConvolutionInputGradientOp op, Operands operands) {
  const Tensor &weight = *operands[0], &gradient = *operands[1];
  Tensor result = zerosOf(op.getXGradient());
  forEachProduct(op, result.shape(), weight.shape(), gradient.shape(),
                 [&](int64_t i, int64_t w, int64_t o) {
                   accumulate(result, i, gradient.real(o) * weight.real(w));
                 });
  return one(std::move(result));
}

Results convolutionWeightGradient(vs::ConvolutionWeightGradientOp op, Operands operands) {
  const Tensor &x = *operands[0], &gradient = *operands[1];
  Tensor result = zerosOf(op.getWeightGradient());
  forEachProduct(op, x.shape(), result.shape(), gradient.shape(),
                 [&](int64_t i, int64_t w, int64_t o) {
                   accumulate(result, w, gradient.real(o) * x.real(i));
                 });
  return one(std::move(result));
}

/// Calls `visit(y position, x position of the first largest element)` for each window; the second
/// is -1 where a window has padding only.
template <class Op, class Visit>
void forEachWindow(Op op, const Tensor &x, const Shape &y, Visit visit) {
  Shape size = spatial(x.shape()), out = spatial(y);
  Shape window(op.getWindow().begin(), op.getWindow().end());
  forEachIndex(y, [&](const Index &index, int64_t yAt) {
    Index o(index.begin() + 2, index.end());
    int64_t best = -1;
    forEachIndex(window, [&](const Index &w, int64_t) {
      std::optional<Index> place = inputAt(o, w, size, op.getStrides(), op.getPadding(), {});
      if (!place)
        return;
      Index full{index[0], index[1]};
      full.insert(full.end(), place->begin(), place->end());
      int64_t at = position(x.shape(), full);
      if (best < 0 || (!std::isnan(x.real(best)) && !(x.real(at) <= x.real(best))))
        best = at;
    });
    visit(yAt, best);
  });
}

Results maxPool(vs::MaxPoolOp op, Operands operands) {
  Tensor y = zerosOf(op.getY());
  forEachWindow(op, *operands[0], y.shape(), [&](int64_t at, int64_t best) {
    y.setReal(at, best < 0 ? -std::numeric_limits<double>::infinity() : operands[0]->real(best));
  });
  return one(std::move(y));
}

Results maxPoolGradient(vs::MaxPoolGradientOp op, Operands operands) {
  Tensor result = zerosOf(op.getXGradient());
  forEachWindow(op, *operands[0], operands[1]->shape(), [&](int64_t at, int64_t best) {
    if (best >= 0)
      accumulate(result, best, operands[1]->real(at));
  });
  return one(std::move(result));
}

} // namespace

void addConvolution(EvaluationTable &table) {
  table.add<vs::ConvolutionOp, convolution>();
  table.add<vs::ConvolutionInputGradientOp, convolutionInputGradient>();
  table.add<vs::ConvolutionWeightGradientOp, convolutionWeightGradient>();
  table.add<vs::MaxPoolOp, maxPool>();
  table.add<vs::MaxPoolGradientOp, maxPoolGradient>();
}

} // namespace vescale::analysis
