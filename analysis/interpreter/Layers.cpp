//===- Layers.cpp - Softmax, normalisations, losses and dropout -----------------------------===//

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/Random.h"

#include "dialects/vs/LayerOps.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace vescale::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// The largest element of a line along a dim, and the sum of exp(x - largest).
struct Line {
  Line(const Tensor &x, const Along &along, int64_t o, int64_t n) {
    for (int64_t i = 0; i < along.size; ++i) {
      double element = x.real(along.at(o, i, n));
      largest = std::isnan(largest) || largest > element ? largest : element;
    }
    for (int64_t i = 0; i < along.size; ++i)
      sum += std::exp(x.real(along.at(o, i, n)) - largest);
  }
  double largest = -infinity, sum = 0;
};

template <class Op, bool logarithm> Results softmax(Op op, Operands operands) {
  const Tensor &x = *operands[0];
  Tensor y = zerosOf(op.getY());
  Along along(x.shape(), op.getDim());
  for (int64_t o = 0; o < along.outer; ++o)
    for (int64_t n = 0; n < along.inner; ++n) {
      Line line(x, along, o, n);
      for (int64_t i = 0; i < along.size; ++i) {
        int64_t at = along.at(o, i, n);
        double shifted = x.real(at) - line.largest;
        y.setReal(at, logarithm ? shifted - std::log(line.sum) : std::exp(shifted) / line.sum);
      }
    }
  return one(std::move(y));
}

template <class Op, bool logarithm> Results softmaxGradient(Op op, Operands operands) {
  const Tensor &y = *operands[0], &gradient = *operands[1];
  Tensor result = zerosOf(op.getXGradient());
  Along along(y.shape(), op.getDim());
  for (int64_t o = 0; o < along.outer; ++o)
    for (int64_t n = 0; n < along.inner; ++n) {
      double sum = 0;
      for (int64_t i = 0; i < along.size; ++i) {
        int64_t at = along.at(o, i, n);
        sum += logarithm ? gradient.real(at) : y.real(at) * gradient.real(at);
      }
      for (int64_t i = 0; i < along.size; ++i) {
        int64_t at = along.at(o, i, n);
        result.setReal(at, logarithm ? gradient.real(at) - std::exp(y.real(at)) * sum
                                     : y.real(at) * (gradient.real(at) - sum));
      }
    }
  return one(std::move(result));
}

//===----------------------------------------------------------------------===//
// Normalisations of the last dim
//===----------------------------------------------------------------------===//

Results layerNorm(vs::LayerNormOp op, Operands operands) {
  const Tensor &x = *operands[0], &weight = *operands[1], &bias = *operands[2];
  SmallVector<Tensor> results{zerosOf(op.getY()), zerosOf(op.getMean()), zerosOf(op.getRstd())};
  int64_t size = weight.elements();
  for (int64_t row = 0; row < results[1].elements(); ++row) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < size; ++i)
      mean += x.real(row * size + i);
    mean /= size;
    for (int64_t i = 0; i < size; ++i)
      variance += (x.real(row * size + i) - mean) * (x.real(row * size + i) - mean);
    double rstd = 1 / std::sqrt(variance / size + op.getEpsilon());
    results[1].setReal(row, mean);
    results[2].setReal(row, rstd);
    for (int64_t i = 0; i < size; ++i)
      results[0].setReal(row * size + i,
                         (x.real(row * size + i) - mean) * rstd * weight.real(i) + bias.real(i));
  }
  return results;
}

Results rmsNorm(vs::RmsNormOp op, Operands operands) {
  const Tensor &x = *operands[0], &weight = *operands[1];
  SmallVector<Tensor> results{zerosOf(op.getY()), zerosOf(op.getRrms())};
  int64_t size = weight.elements();
  for (int64_t row = 0; row < results[1].elements(); ++row) {
    double squares = 0;
    for (int64_t i = 0; i < size; ++i)
      squares += x.real(row * size + i) * x.real(row * size + i);
    double rrms = 1 / std::sqrt(squares / size + op.getEpsilon());
    results[1].setReal(row, rrms);
    for (int64_t i = 0; i < size; ++i)
      results[0].setReal(row * size + i, x.real(row * size + i) * rrms * weight.real(i));
  }
  return results;
}

/// The adjoints of both, which differ in the means that are subtracted. `statistics` are the mean
/// (layer norm only) and the reciprocal deviation.
SmallVector<Tensor> normGradient(Operation *op, const Tensor &x, const Tensor &weight,
                                 const Tensor *mean, const Tensor &rstd, const Tensor &gradient) {
  SmallVector<Tensor> results;
  for (Value result : op->getResults())
    results.push_back(zerosOf(result));
  int64_t size = weight.elements();
  std::vector<double> n(size), h(size);
  for (int64_t row = 0; row < rstd.elements(); ++row) {
    double hMean = 0, hnMean = 0;
    for (int64_t i = 0; i < size; ++i) {
      double dy = gradient.real(row * size + i);
      n[i] = (x.real(row * size + i) - (mean ? mean->real(row) : 0)) * rstd.real(row);
      h[i] = dy * weight.real(i);
      hMean += h[i] / size;
      hnMean += h[i] * n[i] / size;
      results[1].setReal(i, results[1].real(i) + dy * n[i]);
      if (mean)
        results[2].setReal(i, results[2].real(i) + dy);
    }
    for (int64_t i = 0; i < size; ++i)
      results[0].setReal(row * size + i,
                         rstd.real(row) * (h[i] - (mean ? hMean : 0) - n[i] * hnMean));
  }
  return results;
}

Results layerNormGradient(vs::LayerNormGradientOp op, Operands operands) {
  return normGradient(op, *operands[0], *operands[1], operands[2], *operands[3], *operands[4]);
}

Results rmsNormGradient(vs::RmsNormGradientOp op, Operands operands) {
  return normGradient(op, *operands[0], *operands[1], nullptr, *operands[2], *operands[3]);
}

//===----------------------------------------------------------------------===//
// Normalisation of channels
//===----------------------------------------------------------------------===//

/// Mean and variance of channel c, divided by the count.
struct Channel {
  Channel(const Tensor &x, const Along &along, int64_t c) {
    count = static_cast<double>(along.outer * along.inner);
    each(along, c, [&](int64_t at) { mean += x.real(at); });
    mean /= count;
    each(along, c, [&](int64_t at) { variance += (x.real(at) - mean) * (x.real(at) - mean); });
    variance /= count;
  }
  template <class Visit> static void each(const Along &along, int64_t c, Visit visit) {
    for (int64_t o = 0; o < along.outer; ++o)
      for (int64_t n = 0; n < along.inner; ++n)
        visit(along.at(o, c, n));
  }
  double count, mean = 0, variance = 0;
};

Results batchNorm(vs::BatchNormOp op, Operands operands) {
  const Tensor &x = *operands[0], &weight = *operands[1], &bias = *operands[2];
  SmallVector<Tensor> results;
  for (Value result : op->getResults())
    results.push_back(zerosOf(result));
  Along along(x.shape(), 1);
  for (int64_t c = 0; c < along.size; ++c) {
    Channel channel(x, along, c);
    double rstd = 1 / std::sqrt(channel.variance + op.getEpsilon());
    Channel::each(along, c, [&](int64_t at) {
      results[0].setReal(at, (x.real(at) - channel.mean) * rstd * weight.real(c) + bias.real(c));
    });
    double momentum = op.getMomentum();
    double unbiased = channel.variance * (channel.count / (channel.count - 1));
    results[1].setReal(c, (1 - momentum) * operands[3]->real(c) + momentum * channel.mean);
    results[2].setReal(c, (1 - momentum) * operands[4]->real(c) + momentum * unbiased);
  }
  return results;
}

Results batchNormGradient(vs::BatchNormGradientOp op, Operands operands) {
  const Tensor &x = *operands[0], &weight = *operands[1], &gradient = *operands[2];
  SmallVector<Tensor> results;
  for (Value result : op->getResults())
    results.push_back(zerosOf(result));
  Along along(x.shape(), 1);
  for (int64_t c = 0; c < along.size; ++c) {
    Channel channel(x, along, c);
    double rstd = 1 / std::sqrt(channel.variance + op.getEpsilon());
    double sum = 0, normalised = 0;
    auto n = [&](int64_t at) { return (x.real(at) - channel.mean) * rstd; };
    Channel::each(along, c, [&](int64_t at) {
      sum += gradient.real(at);
      normalised += gradient.real(at) * n(at);
    });
    Channel::each(along, c, [&](int64_t at) {
      results[0].setReal(
          at, weight.real(c) * rstd *
                  (gradient.real(at) - sum / channel.count - n(at) * normalised / channel.count));
    });
    results[1].setReal(c, normalised);
    results[2].setReal(c, sum);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Loss and dropout
//===----------------------------------------------------------------------===//

Results crossEntropy(vs::CrossEntropyOp op, Operands operands) {
  const Tensor &logits = *operands[0], &targets = *operands[1];
  Tensor loss = zerosOf(op.getLoss());
  Along along(logits.shape(), logits.rank() - 1);
  for (int64_t row = 0; row < along.outer; ++row) {
    int64_t target = targets.integer(row);
    if (target == op.getIgnoreIndex())
      continue;
    Line line(logits, along, row, 0);
    bool exists = target >= 0 && target < along.size;
    loss.setReal(row,
                 exists ? std::log(line.sum) + line.largest - logits.real(row * along.size + target)
                        : std::nan(""));
  }
  return one(std::move(loss));
}

Results crossEntropyGradient(vs::CrossEntropyGradientOp op, Operands operands) {
  const Tensor &logits = *operands[0], &targets = *operands[1], &gradient = *operands[2];
  Tensor result = zerosOf(op.getLogitsGradient());
  Along along(logits.shape(), logits.rank() - 1);
  for (int64_t row = 0; row < along.outer; ++row) {
    int64_t target = targets.integer(row);
    if (target == op.getIgnoreIndex())
      continue;
    Line line(logits, along, row, 0);
    bool exists = target >= 0 && target < along.size;
    for (int64_t i = 0; i < along.size; ++i) {
      int64_t at = row * along.size + i;
      double probability = std::exp(logits.real(at) - line.largest) / line.sum;
      result.setReal(at,
                     exists ? (probability - (i == target)) * gradient.real(row) : std::nan(""));
    }
  }
  return one(std::move(result));
}

Results dropout(vs::DropoutOp op, Operands operands) {
  const Tensor &x = *operands[0];
  double rate = op.getRate();
  if (rate == 0)
    return one(x);
  if (!op.getDrawId())
    return op.emitOpError("has no draw_id, so its numbers are not known"), failure();
  Draw draw = drawOf(*operands[1], *op.getDrawId());
  Tensor y = zerosOf(op.getY());
  for (int64_t i = 0; i < x.elements(); ++i)
    y.setReal(i, uniformNumber(draw, i) < rate ? 0 : x.real(i) / (1 - rate));
  return one(std::move(y));
}

} // namespace

void addLayers(EvaluationTable &table) {
  table.add<vs::SoftmaxOp, softmax<vs::SoftmaxOp, false>>();
  table.add<vs::LogSoftmaxOp, softmax<vs::LogSoftmaxOp, true>>();
  table.add<vs::SoftmaxGradientOp, softmaxGradient<vs::SoftmaxGradientOp, false>>();
  table.add<vs::LogSoftmaxGradientOp, softmaxGradient<vs::LogSoftmaxGradientOp, true>>();
  table.add<vs::LayerNormOp, layerNorm>();
  table.add<vs::LayerNormGradientOp, layerNormGradient>();
  table.add<vs::RmsNormOp, rmsNorm>();
  table.add<vs::RmsNormGradientOp, rmsNormGradient>();
  table.add<vs::BatchNormOp, batchNorm>();
  table.add<vs::BatchNormGradientOp, batchNormGradient>();
  table.add<vs::CrossEntropyOp, crossEntropy>();
  table.add<vs::CrossEntropyGradientOp, crossEntropyGradient>();
  table.add<vs::DropoutOp, dropout>();
}

} // namespace vescale::analysis
